// Attention (opset 23 to 25).
#include <cmath>

#include "conformance/errors.h"
#include "conformance/onnx_adapters.h"
#include "nn/attention_operator.h"

namespace attn::conformance {
namespace {

enum Input { kQuery, kKey, kValue, kMask, kPastKey, kPastValue, kValidLengths };

/// The tensor at a position, kept alive in `storage`; null values when it is absent.
core::TensorView view_of(OnnxNode& node, int position, FloatArray& storage) {
  if (!node.has(position)) return {};
  storage = node.floats(position);
  return storage.view();
}

/// The softmax's internal type changes the rounding only; ours is float32, which is what float16 cases ask
/// for and more than they are compared to.
void check_softmax_precision(OnnxNode& node) {
  constexpr int kFloat = 1, kFloat16 = 10, kDouble = 11, kBfloat16 = 16;
  const int type = node.int_attribute("softmax_precision", kFloat);
  CONFORMANCE_REQUIRE(type == kFloat || type == kFloat16 || type == kDouble || type == kBfloat16,
                      "softmax_precision %d is not known", type);
}

int key_count(OnnxNode& node) {
  const Array& key = node.input(kKey);
  CONFORMANCE_REQUIRE(key.rank() == 3 || key.rank() == 4, "key of shape %s", to_string(key.extents).c_str());
  int count = key.extents[key.extents.size() - 2];
  if (node.has(kPastKey)) {
    const Array& past = node.input(kPastKey);
    CONFORMANCE_REQUIRE(past.rank() == 4, "past_key of shape %s", to_string(past.extents).c_str());
    count += past.extents[2];
  }
  return count;
}

struct MaskInput {
  nn::Mask visible;
  core::Tensor bias;
};

MaskInput mask_of(OnnxNode& node) {
  if (!node.has(kMask)) return {};
  const Array& mask = node.input(kMask);
  CONFORMANCE_REQUIRE(mask.rank() >= 1 && mask.rank() <= 4, "mask of shape %s",
                      to_string(mask.extents).c_str());
  const core::Shape shape = shape_of(mask.extents);
  if (mask.is_bool()) {
    const std::vector<std::uint8_t> visible(mask.values.begin(), mask.values.end());
    return {nn::Mask::from_onnx_bool(visible, shape), {}};
  }
  const FloatArray added = floats_of(mask, "attn_mask");
  nn::FloatMask parts = nn::split_float_mask(added.view(), key_count(node));
  return {std::move(parts.visible), std::move(parts.bias)};
}

}  // namespace

OnnxOutputs onnx_attention(OnnxNode& node) {
  nn::AttentionOptions options;
  options.n_heads = node.int_attribute("q_num_heads", 0);
  options.n_kv_heads = node.int_attribute("kv_num_heads", 0);
  if (node.has_attribute("scale")) options.scale = static_cast<float>(node.float_attribute("scale", 0.0));
  options.softcap = static_cast<float>(node.float_attribute("softcap", 0.0));
  options.causal = node.int_attribute("is_causal", 0) != 0;
  options.left_window = node.int_attribute("left_window_size", -1);
  options.right_window = node.int_attribute("right_window_size", -1);
  const int mode = node.int_attribute("qk_matmul_output_mode", 0);
  CONFORMANCE_REQUIRE(mode >= 0 && mode <= 3, "qk_matmul_output_mode %d is not known", mode);
  check_softmax_precision(node);
  node.no_other_attributes();

  std::vector<int> valid_lengths;
  if (node.has(kValidLengths)) valid_lengths = node.ints(kValidLengths);
  options.valid_lengths = valid_lengths;
  MaskInput mask = mask_of(node);
  options.mask = std::move(mask.visible);

  FloatArray storage[6];
  const nn::AttentionInputs inputs = {
      .query = view_of(node, kQuery, storage[kQuery]),
      .key = view_of(node, kKey, storage[kKey]),
      .value = view_of(node, kValue, storage[kValue]),
      .past_key = view_of(node, kPastKey, storage[kPastKey]),
      .past_value = view_of(node, kPastValue, storage[kPastValue]),
      .bias = mask.bias.size() > 0 ? mask.bias.view() : core::TensorView{},
  };
  const nn::AttentionStages stages = {
      .scores = mode == 0, .capped = mode == 1, .masked = mode == 2, .weights = mode == 3};
  const core::Result<nn::AttentionResult> result = nn::attention(inputs, options, stages);
  CONFORMANCE_REQUIRE(result.ok(), "%s", result.error().c_str());
  const nn::AttentionResult& out = result.value();
  const core::Tensor* by_mode[] = {&out.scores, &out.capped, &out.masked, &out.weights};
  return {FloatArray(out.output.view()), FloatArray(out.present_key.view()),
          FloatArray(out.present_value.view()), FloatArray(by_mode[mode]->view())};
}

}  // namespace attn::conformance
