#include "training/batch.h"

#include <algorithm>

#include "core/check.h"

namespace attn::training {

int Batch::asked_count() const {
  return static_cast<int>(asked.size() -
                          static_cast<std::size_t>(std::count(asked.begin(), asked.end(), kPad)));
}

void fill_batch(std::span<const Example> examples, Target target, Batch& batch) {
  ATTN_CHECK(!examples.empty());
  batch.size = static_cast<int>(examples.size());
  batch.source_length = batch.target_length = 0;
  batch.source_lengths.clear();
  batch.target_lengths.clear();
  for (const Example& example : examples) {
    batch.source_lengths.push_back(static_cast<int>(example.source.size()));
    batch.target_lengths.push_back(static_cast<int>(example.target.size()) + 1);
    batch.source_length = std::max(batch.source_length, batch.source_lengths.back());
    batch.target_length = std::max(batch.target_length, batch.target_lengths.back());
  }
  batch.source.assign(static_cast<std::size_t>(batch.size * batch.source_length), kPad);
  batch.fed.assign(static_cast<std::size_t>(batch.size * batch.target_length), kPad);
  batch.asked = batch.fed;
  for (int b = 0; b < batch.size; ++b) {
    const Example& example = examples[static_cast<std::size_t>(b)];
    int* fed = batch.fed.data() + b * batch.target_length;
    int* asked = batch.asked.data() + b * batch.target_length;
    std::copy(example.source.begin(), example.source.end(), batch.source.data() + b * batch.source_length);
    fed[0] = kBos;
    std::copy(example.target.begin(), example.target.end(), fed + 1);
    if (target == Target::unshifted) {
      std::copy_n(fed, example.target.size() + 1, asked);
    } else {
      std::copy(example.target.begin(), example.target.end(), asked);
      asked[example.target.size()] = kEos;
    }
  }
}

}  // namespace attn::training
