// nn.MultiheadAttention with all its options, and its gradients; Keras' MultiHeadAttention where the case
// describes its kernels.
#include <algorithm>
#include <cmath>

#include "conformance/errors.h"
#include "conformance/kinds.h"
#include "conformance/multi_head.h"
#include "conformance/tolerances.h"

namespace attn::conformance {
namespace {

/// Rows [first, first + count) of a matrix or elements of a vector.
FloatArray part_of(const FloatArray& array, int first, int count) {
  const int width = array.extents.size() == 2 ? array.extents[1] : 1;
  CONFORMANCE_REQUIRE((first + count) * width <= static_cast<int>(array.values.size()),
                      "a weight of shape %s", to_string(array.extents).c_str());
  FloatArray part(array.extents.size() == 2 ? Extents{count, width} : Extents{count});
  std::copy_n(array.values.begin() + static_cast<std::ptrdiff_t>(first) * width, part.values.size(),
              part.values.begin());
  return part;
}

/// PyTorch's parameters: W_q, W_k, W_v stacked, or apart when the widths differ.
void read_torch_parameters(LiteralCase& each, int d_model, MultiHead& heads) {
  const auto read = [&](const char* name) {
    const std::string full = std::string("param/") + name;
    return each.has_input(full) ? each.floats(full) : FloatArray();
  };
  const FloatArray stacked = read("in_proj_weight");
  const FloatArray bias = read("in_proj_bias");
  const char* names[] = {"q_proj_weight", "k_proj_weight", "v_proj_weight"};
  for (int i = 0; i < 3; ++i) {
    Projection& projection = heads.in[i];
    projection.weight = stacked.values.empty() ? read(names[i]) : part_of(stacked, i * d_model, d_model);
    if (!bias.values.empty()) projection.bias = part_of(bias, i * d_model, d_model);
  }
  heads.out = {read("out_proj.weight"), read("out_proj.bias")};
  heads.extra_key = read("bias_k");
  heads.extra_value = read("bias_v");
}

/// Keras' kernels in words: every head projects by the identity, the output adds up each head.
void read_keras_parameters(LiteralCase& each, int width, MultiHead& heads) {
  const std::string text = each.text("kernels");
  CONFORMANCE_REQUIRE(text.starts_with("q/k/v kernel[d,h,k] = (d==k) for every head; "
                                       "output kernel[h,k,o] = (h==o)"),
                      "kernels '%s' are not known", text.c_str());
  const int key_dim = each.integer("key_dim");
  CONFORMANCE_REQUIRE(each.text("scale") == "1/sqrt(" + std::to_string(key_dim) + ")",
                      "scale '%s' is not known", each.text("scale").c_str());
  const int inner = heads.n_heads * key_dim;
  for (Projection& projection : heads.in) {
    projection.weight = FloatArray(Extents{inner, width});
    for (int row = 0; row < inner; ++row)
      if (row % key_dim < width)
        projection.weight.values[static_cast<std::size_t>(row * width + row % key_dim)] = 1.0f;
  }
  heads.out.weight = FloatArray(Extents{width, inner});
  for (int column = 0; column < inner; ++column)
    if (column / key_dim < width)
      heads.out.weight.values[static_cast<std::size_t>(column / key_dim * inner + column)] = 1.0f;
}

void read_masks(LiteralCase& each, const FloatArray& query, const FloatArray& key, MultiHead& heads) {
  const auto input = [&](const char* name) { return each.has_input(name) ? &each.input(name) : nullptr; };
  heads.mask = torch_mask({.pairs = input("attn_mask"),
                           .padding = input("key_padding_mask"),
                           .batch = query.extents[0],
                           .n_heads = heads.n_heads,
                           .queries = query.extents[1],
                           .keys = key.extents[1]});
  // What the module appends is seen by everybody.
  if (heads.zero_key || !heads.extra_key.values.empty()) heads.mask.has_empty_row = false;
}

/// PyTorch's average of the weights over the heads: (B, H, T, S) → (B, T, S).
FloatArray mean_over_heads(const FloatArray& weights) {
  const int batch = weights.extents[0];
  const int n_heads = weights.extents[1];
  FloatArray mean(Extents{batch, weights.extents[2], weights.extents[3]});
  const std::size_t count = mean.values.size() / static_cast<std::size_t>(batch);
  for (std::size_t i = 0; i < weights.values.size(); ++i) {
    const std::size_t sequence = i / count / static_cast<std::size_t>(n_heads);
    mean.values[sequence * count + i % count] += weights.values[i] / static_cast<float>(n_heads);
  }
  return mean;
}

bool has_nan(const Array& array) {
  return std::any_of(array.values.begin(), array.values.end(),
                     [](double value) { return std::isnan(value); });
}

/// The largest |number| among the gradients that a case expects.
double largest_gradient(LiteralCase& each) {
  double largest = 0.0;
  for (const std::string& name : each.expected_names())
    if (name.starts_with("grad"))
      for (const double value : each.expected(name).values)
        if (std::abs(value) > largest) largest = std::abs(value);
  return largest;
}

/// PyTorch 1.13 gives NaN to a row that sees nothing, and to every gradient behind it. Contract C3 gives it
/// weights 0: there the result must be finite, and everywhere else PyTorch's. In `weights` it must be 0.
void expect(LiteralCase& each, const MultiHead& heads, const std::string& name, const FloatArray& actual) {
  if (!each.expects(name)) return;
  const Tolerance tolerance =
      name.starts_with("grad") ? attention_gradients(largest_gradient(each)) : kFloat32Operator;
  if (!heads.mask.has_empty_row || !has_nan(each.expected(name))) return each.expect(name, actual, tolerance);
  each.expect_where_defined(name, actual, tolerance, name.starts_with("attn_weights"));
}

void expect_gradients(LiteralCase& each, MultiHeadRun& run, const MultiHead& heads) {
  run.backward(each.floats("upstream_grad"));
  const bool key_is_query = !each.has_input("k");
  const bool value_is_key = !each.has_input("v");
  CONFORMANCE_REQUIRE(key_is_query == value_is_key, "a case with k must have v");
  expect(each, heads, "grad_q", run.gradient_of_query());
  if (!key_is_query) {
    expect(each, heads, "grad_k", run.gradient_of_key());
    expect(each, heads, "grad_v", run.gradient_of_value());
  }
  std::vector<FloatArray> weights, biases;
  for (int i = 0; i < 3; ++i) {
    weights.push_back(run.gradient_of(heads.in[i].weight));
    biases.push_back(run.gradient_of(heads.in[i].bias));
  }
  expect(each, heads, "grad/in_proj_weight", stacked_rows(weights));
  expect(each, heads, "grad/in_proj_bias", stacked_rows(biases));
  expect(each, heads, "grad/q_proj_weight", weights[0]);
  expect(each, heads, "grad/k_proj_weight", weights[1]);
  expect(each, heads, "grad/v_proj_weight", weights[2]);
  expect(each, heads, "grad/out_proj.weight", run.gradient_of(heads.out.weight));
  expect(each, heads, "grad/out_proj.bias", run.gradient_of(heads.out.bias));
  expect(each, heads, "grad/bias_k", run.gradient_of(heads.extra_key));
  expect(each, heads, "grad/bias_v", run.gradient_of(heads.extra_value));
}

}  // namespace

void kind_multi_head_attention(LiteralCase& each) {
  MultiHead heads;
  heads.n_heads = each.integer("num_heads");
  heads.zero_key = each.flag_or("add_zero_attn", false);
  const FloatArray query = each.floats("q");
  const FloatArray key = each.has_input("k") ? each.floats("k") : query;
  const FloatArray value = each.has_input("v") ? each.floats("v") : key;
  for (const FloatArray* array : {&query, &key, &value})
    CONFORMANCE_REQUIRE(array->extents.size() == 3, "q, k and v must be (batch, length, width)");
  if (each.has_param("kernels")) {
    read_keras_parameters(each, query.extents[2], heads);
  } else {
    const int d_model = each.integer("embed_dim");
    CONFORMANCE_REQUIRE(d_model == query.extents[2], "q must have the width embed_dim");
    read_torch_parameters(each, d_model, heads);
    each.prose({"bias", "add_bias_kv", "kdim", "vdim", "batch_first", "mask_true_means", "loss"});
    CONFORMANCE_REQUIRE(each.flag_or("batch_first", true), "batch_first must be true");
  }
  read_masks(each, query, key, heads);
  check(heads, query, key, value);

  MultiHeadRun run(heads, query, key, value, !each.has_input("k"));
  expect(each, heads, "y", run.output());
  expect(each, heads, "attn_weights", run.weights());
  expect(each, heads, "p", run.weights());
  expect(each, heads, "attn_weights_mean", mean_over_heads(run.weights()));
  if (each.has_input("upstream_grad")) expect_gradients(each, run, heads);
}

}  // namespace attn::conformance
