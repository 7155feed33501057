#include "conformance/multi_head.h"

#include "conformance/errors.h"

namespace attn::conformance {
namespace {

void check_projection(const Projection& projection, int width, const char* what) {
  const Extents& weight = projection.weight.extents;
  CONFORMANCE_REQUIRE(weight.size() == 2 && weight[1] == width, "%s: weight %s for inputs of width %d", what,
                      to_string(weight).c_str(), width);
  CONFORMANCE_REQUIRE(projection.bias.values.empty() || projection.bias.extents == Extents{weight[0]},
                      "%s: bias %s", what, to_string(projection.bias.extents).c_str());
}

}  // namespace

void check(const MultiHead& heads, const FloatArray& query, const FloatArray& key, const FloatArray& value) {
  for (const FloatArray* each : {&query, &key, &value})
    CONFORMANCE_REQUIRE(each->extents.size() == 3, "query, key and value must be (batch, length, width)");
  CONFORMANCE_REQUIRE(key.extents[0] == query.extents[0] && value.extents[0] == query.extents[0] &&
                          key.extents[1] == value.extents[1],
                      "query %s, key %s and value %s do not fit", to_string(query.extents).c_str(),
                      to_string(key.extents).c_str(), to_string(value.extents).c_str());
  check_projection(heads.in[0], query.extents[2], "query");
  check_projection(heads.in[1], key.extents[2], "key");
  check_projection(heads.in[2], value.extents[2], "value");
  const int inner = heads.in[0].weight.extents[0];
  CONFORMANCE_REQUIRE(heads.n_heads > 0 && inner % heads.n_heads == 0, "%d heads in a width of %d",
                      heads.n_heads, inner);
  CONFORMANCE_REQUIRE(heads.in[1].weight.extents[0] == inner && heads.in[2].weight.extents[0] == inner,
                      "query, key and value are projected to different widths");
  check_projection(heads.out, inner, "output");
  for (const FloatArray* extra : {&heads.extra_key, &heads.extra_value})
    CONFORMANCE_REQUIRE(extra->values.empty() || extra->values.size() == static_cast<std::size_t>(inner),
                        "an appended row of shape %s", to_string(extra->extents).c_str());
  CONFORMANCE_REQUIRE(heads.extra_key.values.empty() == heads.extra_value.values.empty(),
                      "bias_k and bias_v come together");
}

FloatArray stacked_rows(std::span<const FloatArray> parts) {
  FloatArray stacked;
  for (const FloatArray& part : parts) {
    if (part.values.empty()) continue;
    if (stacked.values.empty()) {
      stacked = part;
      continue;
    }
    stacked.extents[0] += part.extents[0];
    stacked.values.insert(stacked.values.end(), part.values.begin(), part.values.end());
  }
  return stacked;
}

nn::LinearView MultiHeadRun::view_of(const Projection& projection) {
  kernels::PackedMatrix& packed = packed_[n_packed_++];
  kernels::pack_transposed(core::as_matrix(projection.weight.view()), packed);
  return {projection.weight.view(),
          projection.bias.values.empty() ? core::TensorView{} : projection.bias.view(), &packed};
}

MultiHeadRun::MultiHeadRun(const MultiHead& heads, const FloatArray& query, const FloatArray& key,
                           const FloatArray& value, bool shared)
    : query_extents_(query.extents), key_extents_(key.extents), value_extents_(value.extents) {
  query_ = tape_.leaf(query.view(), {});
  key_ = shared ? query_ : tape_.leaf(key.view(), {});
  value_ = shared ? query_ : tape_.leaf(value.view(), {});
  nn::AttentionParameters parameters;
  parameters.n_heads = heads.n_heads;
  parameters.query = view_of(heads.in[0]);
  parameters.key = view_of(heads.in[1]);
  parameters.value = view_of(heads.in[2]);
  parameters.output = view_of(heads.out);
  const auto extra = [](const FloatArray& row) {
    const core::Shape flat{static_cast<int>(row.values.size())};
    return row.values.empty() ? core::TensorView{} : row.view_as(flat);
  };
  parameters.extra_key = extra(heads.extra_key);
  parameters.extra_value = extra(heads.extra_value);
  parameters.zero_key = heads.zero_key;
  constexpr tape::Label kPlace{tape::Stack::encoder, 0, tape::Block::self_attention, tape::Site::unnamed};
  output_ = nn::multi_head_attention(tape_, parameters, query_, key_, value_, heads.mask.visible,
                                     heads.mask.bias_view(), kPlace);
  tape::Label weights = kPlace;
  weights.site = tape::Site::weights;
  weights_ = tape_.find(weights);
}

FloatArray MultiHeadRun::output() const { return FloatArray(tape_.tensor(output_)); }
FloatArray MultiHeadRun::weights() const { return FloatArray(tape_.tensor(weights_)); }

void MultiHeadRun::backward(const FloatArray& seed) {
  CONFORMANCE_REQUIRE(seed.extents == extents_of(tape_.tensor(output_).shape), "upstream_grad of shape %s",
                      to_string(seed.extents).c_str());
  tape::backward(tape_, output_, seed.values, gradients_);
}

FloatArray MultiHeadRun::gradient_of(const FloatArray& parameter) const {
  if (parameter.values.empty()) return {};
  FloatArray gradient(parameter.extents);
  gradients_.accumulate_into(
      {parameter.values.data(), core::Shape{static_cast<int>(parameter.values.size())}}, gradient.values);
  return gradient;
}

FloatArray MultiHeadRun::gradient_of(tape::Value value, const Extents& extents) const {
  const core::TensorView gradient = gradients_.of(value);
  return gradient.values == nullptr ? FloatArray(extents) : FloatArray(gradient);
}

}  // namespace attn::conformance
