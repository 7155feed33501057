// Facts that PyTorch's tests assert without numbers. Each is prose and has its check here, by its id.
#include <algorithm>
#include <cmath>

#include "conformance/errors.h"
#include "conformance/formats.h"
#include "conformance/loss_rows.h"
#include "conformance/tolerances.h"
#include "conformance/torch_modules.h"
#include "kernels/softmax_axis.h"

namespace attn::conformance {
namespace {

using kernels::Reduction;

constexpr Reduction kReductions[] = {Reduction::none, Reduction::sum, Reduction::mean};
constexpr float kSmoothings[] = {0.05f, 0.15f};

/// Logits that are nothing special: (rows, classes).
FloatArray some_logits(int rows, int classes) {
  FloatArray logits(Extents{rows, classes});
  for (std::size_t i = 0; i < logits.values.size(); ++i)
    logits.values[i] = static_cast<float>((i * 7 + 3) % 11) * 0.3f - 1.5f;
  return logits;
}

/// "all targets ignored: reduction none -> zeros, sum -> 0, mean -> nan"
void all_ignored(const Json&, Judge& judge) {
  LossRows rows;
  rows.logits = some_logits(3, 4);
  rows.targets = {-100, -100, -100};
  for (const float loss : losses(rows, Reduction::none))
    judge.expect_true(loss == 0.0f, "none: a loss is not 0");
  judge.expect_true(losses(rows, Reduction::sum)[0] == 0.0f, "sum: not 0");
  judge.expect_true(std::isnan(losses(rows, Reduction::mean)[0]), "mean: not NaN");
  kernels::LossReduction reduced;
  for (int i = 0; i < rows.rows(); ++i) {
    const float loss = kernels::negative_log_likelihood_row({rows.matrix().row(i), 4}, -100, rows.options());
    judge.expect_true(loss == 0.0f, "log-likelihood: a loss is not 0");
    reduced.add(loss, kernels::target_weight(-100, rows.options()));
  }
  judge.expect_true(reduced.sum() == 0.0f && std::isnan(reduced.mean()), "log-likelihood: sum or mean");
}

/// "logits of an ignored row never change the loss (none/sum/mean); for sum and mean, dropping the ignored
/// row gives the same loss", with smoothing and class weights.
void ignored_rows(const Json& fact, Judge& judge) {
  const Json& inputs = member(fact, "inputs");
  const auto logits = [&](const char* name) {
    return floats_of(array_of_lists(member(inputs, name), name), name);
  };
  for (const auto& [ignored, targets] : member(inputs, "targets_by_ignore_index").items()) {
    for (const float smoothing : kSmoothings) {
      for (const bool weighted : {false, true}) {
        LossRows first;
        first.logits = logits("inp1");
        first.targets = ints_of(array_of_lists(targets, "targets", true), "targets");
        first.ignore_index = std::stoi(ignored);
        first.label_smoothing = smoothing;
        if (weighted) first.class_weights = {0.3f, 0.6f};
        check(first);
        LossRows second = first;
        second.logits = logits("inp2");
        check(second);
        LossRows dropped = first;
        for (std::size_t i = first.targets.size(); i-- > 0;) {
          if (first.targets[i] != first.ignore_index) continue;
          const auto row = dropped.logits.values.begin() + static_cast<std::ptrdiff_t>(i) * first.classes();
          dropped.logits.values.erase(row, row + first.classes());
          dropped.targets.erase(dropped.targets.begin() + static_cast<std::ptrdiff_t>(i));
          --dropped.logits.extents[0];
        }
        const std::string which = "ignore_index " + ignored;
        for (const Reduction reduction : kReductions) {
          judge.expect_true(losses(first, reduction) == losses(second, reduction),
                            which + ": the logits of an ignored row change the loss");
          if (reduction == Reduction::none) continue;
          const double expected[] = {static_cast<double>(losses(dropped, reduction)[0])};
          judge.expect(which + ": without the ignored row", losses(first, reduction), expected, {},
                       kFloat32Operator);
        }
      }
    }
  }
}

/// "label_smoothing e with index targets == cross entropy with probabilities onehot*(1-e)+e/C"
void smoothing_is_soft_targets(const Json&, Judge& judge) {
  LossRows rows;
  rows.logits = some_logits(4, 5);
  rows.targets = {0, 3, 4, 3};
  FloatArray log_probabilities(rows.logits.extents);
  kernels::log_softmax(rows.logits.view(), -1, log_probabilities.values);
  for (const float smoothing : kSmoothings) {
    rows.label_smoothing = smoothing;
    std::vector<double> soft;
    double sum = 0.0;
    for (int i = 0; i < rows.rows(); ++i) {
      double loss = 0.0;
      for (int c = 0; c < rows.classes(); ++c) {
        const double share = static_cast<double>(smoothing);
        const double probability =
            (rows.targets[static_cast<std::size_t>(i)] == c ? 1.0 - share : 0.0) + share / rows.classes();
        const auto at = static_cast<std::size_t>(i * rows.classes() + c);
        loss -= probability * static_cast<double>(log_probabilities.values[at]);
      }
      soft.push_back(loss);
      sum += loss;
    }
    const double reduced[] = {sum, sum / rows.rows()};
    judge.expect("none", losses(rows, Reduction::none), soft, {rows.rows()}, kFloat32Operator);
    judge.expect("sum", losses(rows, Reduction::sum), {&reduced[0], 1}, {}, kFloat32Operator);
    judge.expect("mean", losses(rows, Reduction::mean), {&reduced[1], 1}, {}, kFloat32Operator);
  }
}

/// The encoder layer of those tests: every parameter p.flat[i] = cos(i).
TorchModule encoder_layer() {
  constexpr int kModel = 4, kHidden = 16;
  const std::pair<const char*, Extents> shapes[] = {
      {"self_attn.in_proj_weight", {3 * kModel, kModel}},
      {"self_attn.in_proj_bias", {3 * kModel}},
      {"self_attn.out_proj.weight", {kModel, kModel}},
      {"self_attn.out_proj.bias", {kModel}},
      {"linear1.weight", {kHidden, kModel}},
      {"linear1.bias", {kHidden}},
      {"linear2.weight", {kModel, kHidden}},
      {"linear2.bias", {kModel}},
      {"norm1.weight", {kModel}},
      {"norm1.bias", {kModel}},
      {"norm2.weight", {kModel}},
      {"norm2.bias", {kModel}},
  };
  std::map<std::string, FloatArray> weights;
  for (const auto& [name, extents] : shapes) {
    FloatArray weight(extents);
    for (std::size_t i = 0; i < weight.values.size(); ++i)
      weight.values[i] = static_cast<float>(std::cos(static_cast<double>(i)));
    weights.emplace(name, std::move(weight));
  }
  const Json config = {{"d_model", kModel},   {"nhead", 2},           {"dim_feedforward", kHidden},
                       {"dropout", 0.0},      {"activation", "relu"}, {"layer_norm_eps", 1e-5},
                       {"norm_first", false}, {"batch_first", true},  {"num_layers", 1},
                       {"final_norm", false}};
  return torch_module("TransformerEncoderLayer", config, weights);
}

/// "single token fully masked by src_key_padding_mask: ordinary path output has no NaN"
void fully_masked_token(const Json&, Judge& judge) {
  const std::map<std::string, Array> inputs = {
      {"src", {"float32", {1, 1, 4}, {20.0, 30.0, 40.0, 50.0}}},
      {"src_key_padding_mask", {"bool", {1, 1}, {1.0}}},
  };
  const TorchModuleResult result = run_torch_module(encoder_layer(), inputs);
  judge.expect_true(result.has_empty_row, "the mask leaves something to see");
  for (const float value : result.output.values)
    judge.expect_true(std::isfinite(value), "the output is not finite");
}

/// "an all-False padding mask gives the unmasked result"
void open_padding(const Json&, Judge& judge) {
  std::map<std::string, Array> inputs = {{"src", {"float32", {2, 3, 4}, {}}}};
  for (int i = 0; i < 24; ++i) inputs.at("src").values.push_back((i * 5 % 7) * 0.25 - 0.5);
  const TorchModule layer = encoder_layer();
  const TorchModuleResult plain = run_torch_module(layer, inputs);
  inputs["src_key_padding_mask"] = {"bool", {2, 3}, std::vector<double>(6, 0.0)};
  const TorchModuleResult masked = run_torch_module(layer, inputs);
  judge.expect_true(plain.output.values == masked.output.values, "the mask changes the result");
}

struct Fact {
  std::string_view id;
  void (*check)(const Json&, Judge&);
};

constexpr Fact kFacts[] = {
    {"nll_all_ignored", all_ignored},
    {"ce_ls_ignored_rows", ignored_rows},
    {"ce_ls_equals_soft_targets", smoothing_is_soft_targets},
    {"encoder_fully_masked_now", fully_masked_token},
    {"encoder_padding_all_false", open_padding},
};

void run(const Json& fact, Judge& judge) {
  const std::string id = text_of(fact, "id");
  for (const Fact& each : kFacts)
    if (each.id == id) return each.check(fact, judge);
  malformed("no check for the fact '%s'", text_of(fact, "fact").c_str());
}

}  // namespace

std::vector<Case> torch_invariant_cases(const SourceFile& file, const Json& list) {
  std::vector<Case> cases;
  for (const Json& fact : list) {
    const Json id = fact.is_object() ? fact.value("id", Json()) : Json();
    cases.push_back({file.folder, "facts",
                     id.is_string() ? id.get<std::string>() : file.path.filename().string(),
                     [fact](Judge& judge) { run(fact, judge); }});
  }
  return cases;
}

}  // namespace attn::conformance
