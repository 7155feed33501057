#include "lessons/loops_to_matrices/timing.h"

#include <cmath>
#include <vector>

#include "lessons/loops_to_matrices/loops.h"
#include "lessons/loops_to_matrices/model.h"
#include "lessons/stopwatch.h"

namespace attn::lessons::loops_to_matrices {

Times measure() {
  constexpr int d = kTimedWidth;
  constexpr int most = kTimedWords.back();
  const Head head = draw_head(0, most, d);
  std::vector<float> room(4 * most * d + most * most);
  float* at = room.data();
  const Attention<float> to{at, at + most * d, at + 2 * most * d, at + 4 * most * d, at + 3 * most * d};
  const float root = std::sqrt(static_cast<float>(d));
  tape::Tape tape;
  Times times;
  for (std::size_t i = 0; i < kTimedWords.size(); ++i) {
    const int n = kTimedWords[i];
    const auto by_loops = [&] {
      attend(head.words.values(), head.query.weight.values(), head.key.weight.values(),
             head.value.weight.values(), n, d, root, Order::forward, to);
    };
    const auto by_matrices = [&] {
      tape.clear();
      record_attention(tape, head, n);
    };
    by_matrices();  // what it allocates, it allocates here
    times.loops[i] = median_us(by_loops);
    times.matrices[i] = median_us(by_matrices);
  }
  return times;
}

}  // namespace attn::lessons::loops_to_matrices
