// What ONNX's and PyTorch's figures (tests/conformance) do not say about the attention operator.
#include "nn/attention_operator.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "core/bits.h"
#include "support/catch.h"
#include "support/gradient_check.h"

using namespace attn;
using core::Shape;
using core::Tensor;
using nn::AttentionInputs;
using nn::AttentionOptions;
using nn::AttentionResult;
using nn::AttentionStages;
using nn::Mask;
using test::random_tensor;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr AttentionStages kAllStages{true, true, true, true};

bool same_bits(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() &&
         (a.size() == 0 || std::memcmp(a.values(), b.values(), a.flat().size_bytes()) == 0);
}

/// Query, key, value and past of one size, random.
struct Operands {
  Tensor query, key, value, past_key, past_value, bias;

  Operands(int batch, int heads, int kv_heads, int targets, int fresh, int past, int d_k = 4, int d_v = 5)
      : query(random_tensor({batch, heads, targets, d_k}, 1)),
        key(random_tensor({batch, kv_heads, fresh, d_k}, 2)),
        value(random_tensor({batch, kv_heads, fresh, d_v}, 3)),
        past_key(random_tensor({batch, kv_heads, past, d_k}, 4)),
        past_value(random_tensor({batch, kv_heads, past, d_v}, 5)),
        bias(random_tensor({heads, targets, fresh + past}, 6)) {}

  AttentionInputs inputs(bool with_past = false, bool with_bias = false) const {
    AttentionInputs result{query.view(), key.view(), value.view(), {}, {}, {}};
    if (with_past) result.past_key = past_key.view();
    if (with_past) result.past_value = past_value.view();
    if (with_bias) result.bias = bias.view();
    return result;
  }
};

AttentionResult run(const AttentionInputs& inputs, const AttentionOptions& options = {},
                    const AttentionStages& stages = kAllStages) {
  core::Result<AttentionResult> result = nn::attention(inputs, options, stages);
  INFO((result.ok() ? "" : result.error()));
  REQUIRE(result.ok());
  return std::move(result).value();
}

/// (B, H, T, d) with heads side by side: (B, T, H·d).
Tensor side_by_side(const Tensor& x) {
  const int batch = x.shape()[0], heads = x.shape()[1], length = x.shape()[2], d = x.shape()[3];
  Tensor result(Shape{batch, length, heads * d});
  for (int b = 0; b < batch; ++b)
    for (int h = 0; h < heads; ++h)
      for (int t = 0; t < length; ++t)
        for (int j = 0; j < d; ++j)
          result.values()[(b * length + t) * heads * d + h * d + j] =
              x.values()[((b * heads + h) * length + t) * d + j];
  return result;
}

}  // namespace

TEST_CASE("asking for stages changes no bit of the output, and each is what the next is made of") {
  const Operands operands(2, 4, 2, 3, 3, 2);
  AttentionOptions options{.softcap = 1.5f, .causal = true};
  const AttentionResult all = run(operands.inputs(true, true), options);
  for (int asked = 0; asked < 16; ++asked) {
    const AttentionStages stages{(asked & 1) != 0, (asked & 2) != 0, (asked & 4) != 0, (asked & 8) != 0};
    const AttentionResult result = run(operands.inputs(true, true), options, stages);
    CHECK(same_bits(result.output, all.output));
    CHECK(same_bits(result.scores, stages.scores ? all.scores : Tensor()));
    CHECK(same_bits(result.capped, stages.capped ? all.capped : Tensor()));
    CHECK(same_bits(result.masked, stages.masked ? all.masked : Tensor()));
    CHECK(same_bits(result.weights, stages.weights ? all.weights : Tensor()));
  }
  for (int row = 0; row < 2 * 4 * 3; ++row)
    for (int s = 0; s < 5; ++s) {
      const int at = row * 5 + s;
      const bool visible = s <= row % 3 + 2;  // two past keys
      CHECK(std::abs(all.capped.values()[at]) < 1.5f);
      if (visible)
        CHECK(all.masked.values()[at] == all.capped.values()[at] + operands.bias.values()[at % 60]);
      CHECK(std::isinf(all.masked.values()[at]) == !visible);
      CHECK((all.weights.values()[at] == 0.0f) == !visible);
    }
}

TEST_CASE("heads side by side and heads as an axis give the same bits") {
  const Operands operands(2, 6, 3, 4, 4, 0);
  const Tensor query = side_by_side(operands.query);
  const Tensor key = side_by_side(operands.key);
  const Tensor value = side_by_side(operands.value);
  const AttentionResult wide = run({query.view(), key.view(), value.view(), {}, {}, {}},
                                   {.n_heads = 6, .n_kv_heads = 3, .causal = true});
  const AttentionResult tall = run(operands.inputs(), {.causal = true});
  CHECK(same_bits(wide.output, side_by_side(tall.output)));
  CHECK(same_bits(wide.weights, tall.weights));
}

TEST_CASE("shared key heads give the bits of the same heads repeated") {
  const Operands grouped(2, 6, 2, 3, 5, 0);
  Operands repeated(2, 6, 6, 3, 5, 0);
  for (int b = 0; b < 2; ++b)
    for (int h = 0; h < 6; ++h) {
      std::copy_n(grouped.key.values() + (b * 2 + h / 3) * 5 * 4, 5 * 4,
                  repeated.key.values() + (b * 6 + h) * 5 * 4);
      std::copy_n(grouped.value.values() + (b * 2 + h / 3) * 5 * 5, 5 * 5,
                  repeated.value.values() + (b * 6 + h) * 5 * 5);
    }
  CHECK(same_bits(run(grouped.inputs()).output, run(repeated.inputs()).output));
}

TEST_CASE("past keys give the bits of the same keys in one piece") {
  const Operands operands(2, 2, 2, 3, 3, 4);
  const AttentionResult split = run(operands.inputs(true), {.causal = true, .left_window = 3});
  AttentionInputs joined = operands.inputs();
  joined.key = split.present_key.view();
  joined.value = split.present_value.view();
  CHECK(split.present_key.shape() == Shape{2, 2, 7, 4});
  AttentionOptions options{.mask = Mask::causal_bottom_right(3, 7).and_also(Mask::sliding_window(3, -1, 4))};
  CHECK(same_bits(split.output, run(joined, options).output));
}

TEST_CASE("a scale of its own replaces the root of d_k, and 0 makes every visible key weigh the same") {
  const Operands operands(1, 1, 1, 2, 4, 0);
  CHECK(same_bits(run(operands.inputs(), {.scale = 0.5f}).output, run(operands.inputs()).output));  // d_k = 4
  const AttentionResult flat = run(operands.inputs(), {.scale = 0.0f});
  for (const float weight : flat.weights.flat()) CHECK(weight == 0.25f);
}

TEST_CASE("a mask of -1e9 is a bias like any other; only minus infinity hides, and hides without NaN") {
  const Operands operands(1, 1, 1, 2, 3, 0);
  Tensor bias(Shape{2, 3});
  for (int j = 0; j < 3; ++j) bias.values()[j] = -1e9f;
  for (int j = 3; j < 6; ++j) bias.values()[j] = -kInfinity;
  AttentionInputs inputs = operands.inputs();
  inputs.bias = bias.view();
  const AttentionResult result = run(inputs);
  for (int j = 0; j < 3; ++j) CHECK(result.weights.values()[j] > 0.3f);  // uniform
  for (int j = 3; j < 6; ++j) CHECK(core::bits_of(result.weights.values()[j]) == 0);
  for (int j = 5; j < 10; ++j) CHECK(core::bits_of(result.output.values()[j]) == 0);
}

TEST_CASE("what does not fit together is refused by name") {
  const Operands operands(2, 4, 2, 3, 5, 2);
  const auto refusal = [](const AttentionInputs& inputs, const AttentionOptions& options = {}) {
    const core::Result<AttentionResult> result = nn::attention(inputs, options);
    return result.ok() ? std::string("accepted") : result.error();
  };
  const auto with = [&](auto change) {
    AttentionInputs inputs = operands.inputs(true, true);
    change(inputs);
    return refusal(inputs);
  };
  const Tensor odd = random_tensor({2, 3, 5, 4}, 7);
  const Tensor flat = random_tensor({2, 3, 16}, 8);
  CHECK(with([](AttentionInputs& x) { x.key = {}; }) == "key is missing");
  CHECK(with([&](AttentionInputs& x) { x.key = odd.view(); }).find("head counts") != std::string::npos);
  CHECK(with([&](AttentionInputs& x) { x.query = flat.view(); }).find("rank") != std::string::npos);
  CHECK(with([](AttentionInputs& x) { x.past_value = {}; }) == "past_key comes without past_value");
  CHECK(with([&](AttentionInputs& x) { x.past_key = odd.view(); }).find("past_key has shape") == 0);
  CHECK(with([&](AttentionInputs& x) { x.bias = flat.view(); }).find("the bias has shape") == 0);
  CHECK(refusal({flat.view(), flat.view(), flat.view(), {}, {}, {}}).find("head count") != std::string::npos);
  CHECK(refusal({flat.view(), flat.view(), flat.view(), {}, {}, {}}, {.n_heads = 3}).find("divide") !=
        std::string::npos);
  const int lengths[] = {1, 9};
  CHECK(refusal(operands.inputs(), {.valid_lengths = lengths}) == "valid_lengths holds 9, must be in [0, 5]");
  CHECK(refusal(operands.inputs(), {.softcap = -1.0f}).find("softcap") == 0);
  CHECK(refusal(operands.inputs(), {.scale = kInfinity}) == "scale is not finite");
  Operands uneven(2, 4, 3, 3, 5, 0);
  CHECK(refusal(uneven.inputs()) == "3 key heads don't divide 4 query heads");
}
