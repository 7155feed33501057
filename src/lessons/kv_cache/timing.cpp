#include "lessons/kv_cache/timing.h"

#include <vector>

#include "lessons/kv_cache/experiment.h"
#include "lessons/stopwatch.h"
#include "nn/inference.h"

namespace attn::lessons::kv_cache {

core::Result<Times> measure() {
  const core::Result<nn::Transformer> made = make_model({.d_model = kTimedWidth, .n_heads = 4});
  if (!made.ok()) return made.failure();
  const nn::Transformer& model = made.value();
  constexpr int most = kTimedTokens.back();
  constexpr int width = kTimedWidth;
  std::vector<int> tokens(most);
  for (int i = 0; i < most; ++i) tokens[static_cast<std::size_t>(i)] = i % model.config.vocabulary;
  core::Tensor x(core::Shape{most, width});
  core::Tensor output(core::Shape{most, width});
  nn::embed(model, tape::Stack::decoder, tokens, 0, core::as_rows(x.values(), x.shape()));
  nn::KvCache cache(model.config);
  cache.reserve(most);
  nn::Workspace workspace;
  // Rows [first, first + count), with what the cache has of those before.
  const auto decode = [&](int first, int count) {
    cache.roll_back(first);
    nn::KvCache* caches[] = {&cache};
    const int counts[] = {count};
    nn::decode(model, {x.values() + first * width, count, width, width}, counts, caches, nn::Mask::causal(),
               nn::Mask::none(), workspace, {output.values(), count, width, width});
  };
  decode(0, most);  // what it allocates, it allocates here
  Times times;
  for (std::size_t i = 0; i < kTimedTokens.size(); ++i) {
    const int n = kTimedTokens[i];
    times.without_cache[i] = median_us([&] { decode(0, n); });
    times.with_cache[i] = median_us([&] { decode(n - 1, 1); });
  }
  return times;
}

}  // namespace attn::lessons::kv_cache
