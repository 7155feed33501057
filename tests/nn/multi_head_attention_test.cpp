// nn.MultiheadAttention in all its forms, values and gradients, against PyTorch's in float64.
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "core/bits.h"
#include "nn/attention.h"
#include "support/catch.h"
#include "support/fixtures.h"
#include "support/oracle.h"
#include "tape/backward.h"

using namespace attn;
using core::Shape;
using core::Tensor;
using core::TensorView;
using Json = nlohmann::json;
using tape::Site;
using tape::Value;

namespace {

// Relative to the largest figure of a tensor (or 1): its elements are sums of up to 30 terms of about that
// size, each rounded to 2^-24, and some of them cancel.
constexpr double kTolerance = 1e-6;

/// A case's tensors by name, and PyTorch's figures.
struct Case {
  const Json& json;
  std::map<std::string, Tensor> tensors;
  std::vector<kernels::PackedMatrix> packed;

  explicit Case(const Json& given) : json(given) {
    packed.reserve(4);
    for (const auto& [name, tensor] : json.at("inputs").items()) {
      Shape shape;
      for (const int extent : tensor.at("shape")) shape.append(extent);
      Tensor& values = tensors[name] = Tensor(shape);
      const std::vector<double> numbers = numbers_of(tensor);
      for (std::size_t i = 0; i < numbers.size(); ++i) values.flat()[i] = static_cast<float>(numbers[i]);
    }
  }

  static std::vector<double> numbers_of(const Json& tensor) {
    std::vector<double> numbers;
    for (const Json& number : tensor.at("data")) {
      const std::string text = number.is_string() ? number.get<std::string>() : "";
      numbers.push_back(text == "-inf"                      ? -HUGE_VAL
                        : text == "inf"                     ? HUGE_VAL
                        : text == "nan" || number.is_null() ? std::nan("")
                        : number.is_boolean()               ? (number.get<bool>() ? 1.0 : 0.0)
                                                            : number.get<double>());
    }
    return numbers;
  }

  TensorView view(const std::string& name) const {
    const auto found = tensors.find(name);
    return found != tensors.end() ? found->second.view() : TensorView{};
  }

  std::vector<std::uint8_t> flags(const std::string& name) const {
    std::vector<std::uint8_t> flags;
    for (const float value : tensors.at(name).flat()) flags.push_back(value != 0.0f ? 1 : 0);
    return flags;
  }

  nn::LinearView linear(TensorView weight, TensorView bias) {
    packed.emplace_back();
    kernels::pack_transposed(core::as_matrix(weight), packed.back());
    return {weight, bias, &packed.back()};
  }

  nn::AttentionParameters parameters() {
    const Json& params = json.at("params");
    const int width = params.at("embed_dim");
    const auto projection = [&](const char* own_name, int part) {
      const TensorView own = view(std::string("param/") + own_name);
      const TensorView stacked = view("param/in_proj_weight");
      const TensorView bias = view("param/in_proj_bias");
      return linear(own.values != nullptr ? own : core::rows_of(stacked, part * width, width),
                    bias.values != nullptr ? core::slice_of(bias, part * width, width) : TensorView{});
    };
    return {.n_heads = params.at("num_heads"),
            .query = projection("q_proj_weight", 0),
            .key = projection("k_proj_weight", 1),
            .value = projection("v_proj_weight", 2),
            .output = linear(view("param/out_proj.weight"), view("param/out_proj.bias")),
            .extra_key = view("param/bias_k"),
            .extra_value = view("param/bias_v"),
            .zero_key = params.value("add_zero_attn", false)};
  }

  /// attn_mask and key_padding_mask, true = blocked; a float mask's finite part goes to `bias`.
  nn::Mask mask(Tensor& bias) const {
    const Shape query = view("q").shape;
    const int keys = view(tensors.count("k") > 0 ? "k" : "q").shape[1];
    nn::Mask mask;
    if (tensors.count("key_padding_mask") > 0)
      mask = nn::Mask::from_pytorch_key_padding(flags("key_padding_mask"), query[0], keys);
    if (tensors.count("attn_mask") == 0) return mask;
    if (json.at("inputs").at("attn_mask").at("dtype") != "bool") {
      nn::FloatMask split = nn::split_float_mask(view("attn_mask"), keys);
      bias = std::move(split.bias);
      return mask.and_also(split.visible);
    }
    if (view("attn_mask").shape.rank() == 3)
      return mask.and_also(nn::Mask::from_pytorch_bool(flags("attn_mask"), query[0],
                                                       json.at("params").at("num_heads"), query[1], keys));
    return mask.and_also(nn::Mask::from_pytorch_bool(flags("attn_mask"), query[1], keys));
  }
};

/// Figures of PyTorch that are not NaN: a row that sees nothing is NaN there and 0 here.
void check_figures(const std::string& name, TensorView actual, const std::vector<double>& expected) {
  REQUIRE(actual.flat().size() == expected.size());
  double largest = 1.0;
  for (const double figure : expected)
    if (std::abs(figure) > largest) largest = std::abs(figure);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(name, i);
    const auto value = static_cast<double>(actual.flat()[i]);
    REQUIRE(std::isfinite(value));
    if (!std::isnan(expected[i])) REQUIRE(std::abs(value - expected[i]) <= kTolerance * largest);
  }
}

void check_case(const Json& json) {
  Case test_case(json);
  const nn::AttentionParameters parameters = test_case.parameters();
  Tensor bias;
  const nn::Mask mask = test_case.mask(bias);
  tape::Tape tape;
  const Value q = tape.leaf(test_case.view("q"), {});
  const bool self = test_case.tensors.count("k") == 0;
  const Value k = self ? q : tape.leaf(test_case.view("k"), {});
  const Value v = self ? q : tape.leaf(test_case.view("v"), {});
  const Value y = nn::multi_head_attention(tape, parameters, q, k, v, mask,
                                           bias.size() > 0 ? bias.view() : TensorView{}, {});
  tape::Gradients gradients;
  tape::backward(tape, y, test_case.tensors.at("upstream_grad").flat(), gradients);

  for (const auto& [name, tensor] : json.at("expected").items()) {
    const std::vector<double> expected = Case::numbers_of(tensor);
    if (name == "y") check_figures(name, tape.tensor(y), expected);
    if (name == "attn_weights")
      check_figures(name, tape.tensor(tape.find({.site = Site::weights})), expected);
    if (name == "grad_q") check_figures(name, gradients.of(q), expected);
    if (name == "grad_k") check_figures(name, gradients.of(k), expected);
    if (name == "grad_v") check_figures(name, gradients.of(v), expected);
    if (name.rfind("grad/", 0) != 0) continue;
    const TensorView parameter = test_case.view("param/" + name.substr(5));
    Tensor sum(parameter.shape);
    gradients.accumulate_into(parameter, sum.flat());
    check_figures(name, sum.view(), expected);
  }
}

}  // namespace

TEST_CASE("multi-head attention gives PyTorch's values and gradients in all its forms") {
  if (!test::has_conformance()) ATTN_SKIP("the conformance folder is missing");
  const Json cases = Json::parse(test::read_text(test::conformance_path("oracle/ops.json")));
  int checked = 0;
  for (const Json& json : cases) {
    if (json.at("kind") != "multi_head_attention") continue;
    CAPTURE(json.at("id"));
    check_case(json);
    ++checked;
  }
  CHECK(checked == 14);
}
