// The attention operator on plain tensors: checks at the border, and the stages copied out.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "nn/attention_operator.h"
#include "tape/broadcast.h"

namespace attn::nn {
namespace {

using core::error_at;
using core::Shape;
using core::Status;
using core::Tensor;
using core::TensorView;
using core::to_string;

/// What the shapes say.
struct Sizes {
  int batch, heads, kv_heads, targets, new_keys, past, d_k, d_v;

  int keys() const { return past + new_keys; }
  Shape scores() const { return {batch, heads, targets, keys()}; }
};

/// (B, heads, length, width) of an input in either layout.
core::Result<Shape> in_heads(const char* name, const Shape& shape, int n_heads) {
  if (shape.rank() == 4) return shape;
  if (n_heads < 1)
    return error_at("%s has shape %s: the head count is missing", name, to_string(shape).c_str());
  if (shape[2] % n_heads != 0)
    return error_at("%s has shape %s: %d heads don't divide its width", name, to_string(shape).c_str(),
                    n_heads);
  return Shape{shape[0], n_heads, shape[1], shape[2] / n_heads};
}

core::Result<Sizes> sizes_of(const AttentionInputs& inputs, const AttentionOptions& options) {
  struct Named {
    const char* name;
    const TensorView& tensor;
    int n_heads;
  };
  const int kv_heads = options.n_kv_heads > 0 ? options.n_kv_heads : options.n_heads;
  const Named given[] = {{"query", inputs.query, options.n_heads},
                         {"key", inputs.key, kv_heads},
                         {"value", inputs.value, kv_heads}};
  for (const auto& [name, tensor, n_heads] : given) {
    if (tensor.values == nullptr) return error_at("%s is missing", name);
    const int rank = tensor.shape.rank();
    if (rank < 3 || rank != inputs.query.shape.rank())
      return error_at("%s has shape %s: all three have rank 3, or all three rank 4", name,
                      to_string(tensor.shape).c_str());
  }
  Shape shapes[3];
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& [name, tensor, n_heads] = given[i];
    const core::Result<Shape> shape = in_heads(name, tensor.shape, n_heads);
    if (!shape.ok()) return core::Error{shape.error()};
    shapes[i] = shape.value();
  }
  const Shape& q = shapes[0];
  const Shape& k = shapes[1];
  const Shape& v = shapes[2];
  const auto pair = [](const char* what, int a, int b) {
    return error_at("%s don't agree: %d and %d", what, a, b);
  };
  if (q[0] != k[0]) return pair("the batch sizes of query and key", q[0], k[0]);
  if (q[0] != v[0]) return pair("the batch sizes of query and value", q[0], v[0]);
  if (k[1] != v[1]) return pair("the head counts of key and value", k[1], v[1]);
  if (k[2] != v[2]) return pair("the lengths of key and value", k[2], v[2]);
  if (q[3] != k[3]) return pair("the widths of query and key", q[3], k[3]);
  if (k[1] < 1 || q[1] % k[1] != 0) return error_at("%d key heads don't divide %d query heads", k[1], q[1]);
  return Sizes{q[0], q[1], k[1], q[2], k[2], 0, q[3], v[3]};
}

Status check_past(const AttentionInputs& inputs, Sizes& sizes) {
  if (inputs.past_key.values == nullptr && inputs.past_value.values == nullptr) return core::ok_status();
  if (inputs.past_key.values == nullptr) return error_at("past_value comes without past_key");
  if (inputs.past_value.values == nullptr) return error_at("past_key comes without past_value");
  const Shape& key = inputs.past_key.shape;
  const auto fits = [&](const Shape& shape, int width) {
    return shape.rank() == 4 && shape == Shape{sizes.batch, sizes.kv_heads, key[2], width};
  };
  if (!fits(key, sizes.d_k))
    return error_at("past_key has shape %s, expected (%d, %d, past, %d)", to_string(key).c_str(), sizes.batch,
                    sizes.kv_heads, sizes.d_k);
  if (!fits(inputs.past_value.shape, sizes.d_v))
    return error_at("past_value has shape %s, expected (%d, %d, %d, %d)",
                    to_string(inputs.past_value.shape).c_str(), sizes.batch, sizes.kv_heads, key[2],
                    sizes.d_v);
  sizes.past = key[2];
  return core::ok_status();
}

Status check_numbers(const AttentionInputs& inputs, const AttentionOptions& options, const Sizes& sizes) {
  if (options.scale && !std::isfinite(*options.scale)) return error_at("scale is not finite");
  if (!(options.softcap >= 0.0f) || !std::isfinite(options.softcap))
    return error_at("softcap is %g, must be 0 or positive and finite", static_cast<double>(options.softcap));
  if (!options.valid_lengths.empty() && static_cast<int>(options.valid_lengths.size()) != sizes.batch)
    return error_at("valid_lengths has %d entries for a batch of %d",
                    static_cast<int>(options.valid_lengths.size()), sizes.batch);
  for (const int length : options.valid_lengths)
    if (length < 0 || length > sizes.keys())
      return error_at("valid_lengths holds %d, must be in [0, %d]", length, sizes.keys());
  if (inputs.bias.values == nullptr) return core::ok_status();
  const Shape& bias = inputs.bias.shape;
  const bool fits = bias.rank() >= 1 && bias[-1] <= sizes.keys() &&
                    tape::broadcasts_to(bias.with(-1, sizes.keys()), sizes.scores());
  if (!fits)
    return error_at("the bias has shape %s, which does not repeat to %s", to_string(bias).c_str(),
                    to_string(sizes.scores()).c_str());
  return core::ok_status();
}

Tensor copy_of(TensorView view) {
  Tensor tensor(view.shape);
  std::copy_n(view.values, view.size(), tensor.values());
  return tensor;
}

/// Scores as the softmax sees them: −inf where a key is not visible.
Tensor masked(TensorView scores, TensorView mask) {
  Tensor result = copy_of(scores);
  const tape::BroadcastRows rows(mask.shape, scores.shape);
  const int columns = scores.shape[-1];
  float* to = result.values();
  for (int row = 0; row < scores.shape.leading_size(1); ++row, to += columns) {
    const float* visible = mask.values + rows.offset(row);
    for (int j = 0; j < columns; ++j)
      if (visible[j] == 0.0f) to[j] = -std::numeric_limits<float>::infinity();
  }
  return result;
}

}  // namespace

core::Result<AttentionResult> attention(const AttentionInputs& inputs, const AttentionOptions& options,
                                        const AttentionStages& stages) {
  core::Result<Sizes> found = sizes_of(inputs, options);
  if (!found.ok()) return core::Error{found.error()};
  Sizes sizes = found.value();
  if (const Status past = check_past(inputs, sizes); !past.ok()) return core::Error{past.error()};
  if (const Status numbers = check_numbers(inputs, options, sizes); !numbers.ok())
    return core::Error{numbers.error()};

  tape::Tape tape;
  const auto borrow = [&](TensorView tensor) {
    return tensor.values != nullptr ? tape.borrow(tensor, {}) : tape::Value{};
  };
  AttentionValues values{borrow(inputs.query),    borrow(inputs.key),        borrow(inputs.value),
                         borrow(inputs.past_key), borrow(inputs.past_value), {}};
  AttentionOptions all = options;
  if (inputs.query.shape.rank() == 4) all.n_heads = all.n_kv_heads = 0;
  FloatMask float_mask;
  if (inputs.bias.values != nullptr) {
    float_mask = split_float_mask(inputs.bias, sizes.keys());
    all.mask = all.mask.and_also(float_mask.visible);
    if (float_mask.bias.size() > 0) values.bias = tape.borrow(float_mask.bias.view(), {});
  }
  const RecordedAttention recorded = record_attention(tape, values, all);

  const auto last_of = [](std::initializer_list<tape::Value> candidates) {
    tape::Value last;
    for (const tape::Value candidate : candidates)
      if (candidate.valid()) last = candidate;
    return last;
  };
  const tape::Value capped = last_of({recorded.scores, recorded.capped});
  const tape::Value biased = last_of({capped, recorded.biased});
  AttentionResult result;
  result.output = copy_of(tape.tensor(recorded.output));
  result.present_key = copy_of(tape.tensor(recorded.present_key));
  result.present_value = copy_of(tape.tensor(recorded.present_value));
  if (stages.scores) result.scores = copy_of(tape.tensor(recorded.scores));
  if (stages.capped) result.capped = copy_of(tape.tensor(capped));
  if (stages.masked) result.masked = masked(tape.tensor(biased), tape.tensor(recorded.mask));
  if (stages.weights) result.weights = copy_of(tape.tensor(recorded.weights));
  return result;
}

}  // namespace attn::nn
