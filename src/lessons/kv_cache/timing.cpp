#include "lessons/kv_cache/timing.h"

#include <vector>

#include "lessons/kv_cache/decode.h"
#include "lessons/kv_cache/experiment.h"
#include "lessons/stopwatch.h"
#include "nn/initialize.h"

namespace attn::lessons::kv_cache {

namespace {

constexpr float kLeastShown =
    400.0f;  // microseconds a repetition: of eight times three of them comes a frame

}  // namespace

core::Result<Times> measure() {
  const core::Result<nn::Transformer> made = make_model({.d_model = kTimedWidth, .n_heads = 4});
  if (!made.ok()) return made.failure();
  const nn::Transformer& model = made.value();
  core::Tensor x(core::Shape{kTimedTokens.back(), kTimedWidth});
  core::TorchGenerator generator(0);
  nn::fill_normal(x.flat(), generator);
  tape::Tape kept, tape;
  // Rows [first, first + count) after those whose keys and values are given.
  const auto decode = [&](tape::Tape& on, int first, int count, std::vector<Past>& past) {
    decode_with_past(on, model, on.borrow(core::rows_of(x.view(), first, count), {}),
                     nn::Mask::causal_bottom_right(count, first + count), past);
  };
  Times times;
  for (std::size_t i = 0; i < kTimedTokens.size(); ++i) {
    const int n = kTimedTokens[i];
    kept.clear();
    std::vector<Past> cache, past;
    decode(kept, 0, n - 1, cache);
    times.without_cache[i] = median_us(
        [&] {
          tape.clear();
          past.clear();
          decode(tape, 0, n, past);
        },
        kLeastShown);
    times.with_cache[i] = median_us(
        [&] {
          tape.clear();
          past.clear();
          for (const Past& layer : cache)
            past.push_back(
                {tape.borrow(kept.tensor(layer.key), {}), tape.borrow(kept.tensor(layer.value), {})});
          decode(tape, n - 1, 1, past);
        },
        kLeastShown);
  }
  return times;
}

}  // namespace attn::lessons::kv_cache
