#include "training/tasks.h"
#include <algorithm>
namespace attn::training {
Example training_example(const Task& task, std::uint64_t seed, std::int64_t index) {
  Example e;
  core::RandomStream r{seed, core::stream_of(static_cast<std::uint32_t>(index), 77)};
  int n = task.longest_source > 8 ? task.longest_source : 3 + static_cast<int>(r.below(6, 0));
  for (int i = 0; i < n; ++i)
    e.source.push_back(3 + static_cast<int>(r.below(static_cast<std::uint32_t>(task.source_vocabulary - 3),
                                                    static_cast<std::uint64_t>(i + 1))));
  e.target = e.source;
  if (n > 8) e.target.pop_back();
  std::reverse(e.target.begin(), e.target.end());
  return e;
}
}  // namespace attn::training
