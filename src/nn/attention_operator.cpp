#include "nn/attention_operator.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "tape/ops.h"

namespace attn::nn {
namespace {

using core::Shape;
using tape::Label;
using tape::Site;
using tape::Tape;
using tape::Value;

/// The mask that softmax over scores (…, H, T, S) uses, in the smallest shape that broadcasts to them. The
/// last `open_keys` columns are 1 everywhere; the mask counts the others.
Value record_mask(Tape& tape, const Mask& mask, const Shape& scores, int open_keys, const Label& label) {
  const int keys = scores[-1] - open_keys;
  const Shape own = mask.shape_for(scores.leading_size(3), scores[-3], scores[-2], keys);
  const Shape shape = own.with(-1, scores[-1]);
  float* values = tape.allocate(shape);
  mask.write({values, static_cast<std::size_t>(own.size())}, own);
  for (int row = shape.leading_size(1) - 1; open_keys > 0 && row >= 0; --row) {  // spread out from the end
    float* to = values + static_cast<std::ptrdiff_t>(row) * scores[-1];
    const float* from = values + static_cast<std::ptrdiff_t>(row) * keys;
    std::copy_backward(from, from + keys, to + keys);
    std::fill_n(to + keys, open_keys, 1.0f);
  }
  return tape.append(tape::Op::leaf, {}, {values, shape}, label);
}

/// The mask of the options: as given, and what causal, windows and lengths say.
Mask combined_mask(const AttentionOptions& options, int targets, int past) {
  std::vector<int> offsets{past};
  if (!options.valid_lengths.empty()) {
    offsets.clear();
    for (const int length : options.valid_lengths) offsets.push_back(length - targets);
  }
  Mask mask = options.mask;
  if (options.causal) mask = mask.and_also(Mask::causal(offsets));
  if (options.left_window >= 0 || options.right_window >= 0)
    mask = mask.and_also(Mask::sliding_window(options.left_window, options.right_window, offsets));
  if (!options.valid_lengths.empty()) mask = mask.and_also(Mask::lengths(options.valid_lengths));
  return mask;
}

}  // namespace

RecordedAttention attend(Tape& tape, Value query, Value key, Value value, const Mask& mask,
                         const AttendOptions& options, const Label& place) {
  const auto at = [&](Site site) { return Label{place.stack, place.layer, place.block, site}; };
  RecordedAttention recorded;
  recorded.present_key = key;
  recorded.present_value = value;
  const float divisor = options.divisor != 0.0f ? options.divisor : tape::root_of_width(tape, query);
  Value stage = recorded.scores = tape::scores(tape, query, key, divisor, at(Site::scores));
  if (options.softcap > 0.0f)
    stage = recorded.capped = tape::softcap(tape, stage, options.softcap, at(Site::capped_scores));
  if (options.bias.valid())
    stage = recorded.biased = tape::add(tape, stage, options.bias, at(Site::biased_scores));
  recorded.mask = record_mask(tape, mask, tape.tensor(stage).shape, options.open_keys, at(Site::mask));
  recorded.weights = tape::softmax(tape, stage, recorded.mask, at(Site::weights));
  recorded.output =
      tape::context(tape, drop(tape, recorded.weights, options.dropout), value, at(Site::context));
  return recorded;
}

RecordedAttention record_attention(Tape& tape, const AttentionValues& inputs, const AttentionOptions& options,
                                   const Label& place) {
  const auto at = [&](Site site) { return Label{place.stack, place.layer, place.block, site}; };
  const bool side_by_side = options.n_heads > 0;  // (…, length, heads·width)
  const int kv_heads = options.n_kv_heads > 0 ? options.n_kv_heads : options.n_heads;
  const auto in_heads = [&](Value x, int n_heads) {
    return side_by_side ? tape::split_heads(tape, x, n_heads, Label{}) : x;
  };
  const auto after_past = [&](Value past, Value x, Site site) {
    return past.valid() ? tape::concatenate(tape, past, x, at(site)) : x;
  };
  const Value query = in_heads(inputs.query, options.n_heads);
  const Value key = after_past(inputs.past_key, in_heads(inputs.key, kv_heads), Site::key);
  const Value value = after_past(inputs.past_value, in_heads(inputs.value, kv_heads), Site::value);
  const int past = inputs.past_key.valid() ? tape.tensor(inputs.past_key).shape[-2] : 0;

  const AttendOptions inside{.divisor = options.scale ? 1.0f / *options.scale : 0.0f,
                             .softcap = options.softcap,
                             .bias = inputs.bias};
  const Mask mask = combined_mask(options, tape.tensor(query).shape[-2], past);
  RecordedAttention recorded = attend(tape, query, key, value, mask, inside, place);
  if (side_by_side) recorded.output = tape::merge_heads(tape, recorded.output, at(Site::concatenated));
  return recorded;
}

}  // namespace attn::nn
