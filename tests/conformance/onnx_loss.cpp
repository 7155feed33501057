// SoftmaxCrossEntropyLoss and NegativeLogLikelihoodLoss: classes along axis 1.
#include <limits>
#include <numeric>

#include "conformance/errors.h"
#include "conformance/loss_rows.h"
#include "conformance/onnx_adapters.h"
#include "kernels/softmax_axis.h"

namespace attn::conformance {
namespace {

enum Input { kScores, kLabels, kWeights };

/// A target that no data has: without the attribute nothing is ignored.
constexpr int kNothingIgnored = std::numeric_limits<int>::min();

/// Scores (N, C, d…) as rows (N·d…, C).
LossRows rows_of(OnnxNode& node) {
  const FloatArray scores = node.floats(kScores);
  const auto rank = scores.extents.size();
  CONFORMANCE_REQUIRE(rank >= 2, "scores of shape %s", to_string(scores.extents).c_str());
  std::vector<int> classes_last(rank);
  std::iota(classes_last.begin(), classes_last.end(), 0);
  classes_last.erase(classes_last.begin() + 1);
  classes_last.push_back(1);
  LossRows rows;
  rows.logits = transposed(scores, classes_last);
  const Extents labels(rows.logits.extents.begin(), rows.logits.extents.end() - 1);
  CONFORMANCE_REQUIRE(node.input(kLabels).extents == labels, "labels of shape %s for scores of shape %s",
                      to_string(node.input(kLabels).extents).c_str(), to_string(scores.extents).c_str());
  rows.logits.extents = {static_cast<int>(size_of(labels)), scores.extents[1]};
  rows.targets = node.ints(kLabels);
  if (node.has(kWeights)) rows.class_weights = node.floats(kWeights).values;
  rows.ignore_index = node.int_attribute("ignore_index", kNothingIgnored);
  return rows;
}

FloatArray shaped(OnnxNode& node, kernels::Reduction reduction, std::vector<float> losses) {
  return {reduction == kernels::Reduction::none ? node.input(kLabels).extents : Extents{}, std::move(losses)};
}

}  // namespace

OnnxOutputs onnx_softmax_cross_entropy_loss(OnnxNode& node) {
  const kernels::Reduction reduction = reduction_of(node.text_attribute("reduction", "mean"));
  const LossRows rows = rows_of(node);
  node.no_other_attributes();
  check(rows);
  const FloatArray scores = node.floats(kScores);
  FloatArray log_probabilities(scores.extents);
  kernels::log_softmax(scores.view_as(around_axis(scores.extents, 1)), 1, log_probabilities.values);
  return {shaped(node, reduction, losses(rows, reduction)), log_probabilities};
}

OnnxOutputs onnx_negative_log_likelihood_loss(OnnxNode& node) {
  const kernels::Reduction reduction = reduction_of(node.text_attribute("reduction", "mean"));
  const LossRows rows = rows_of(node);
  node.no_other_attributes();
  check(rows);
  const kernels::CrossEntropyOptions options = rows.options();
  std::vector<float> each_row;
  kernels::LossReduction reduced;
  for (int i = 0; i < rows.rows(); ++i) {
    const int target = rows.targets[static_cast<std::size_t>(i)];
    each_row.push_back(kernels::negative_log_likelihood_row(
        {rows.matrix().row(i), static_cast<std::size_t>(rows.classes())}, target, options));
    reduced.add(each_row.back(), kernels::target_weight(target, options));
  }
  switch (reduction) {
    case kernels::Reduction::none:
      return {shaped(node, reduction, each_row)};
    case kernels::Reduction::sum:
      return {shaped(node, reduction, {reduced.sum()})};
    case kernels::Reduction::mean:
      return {shaped(node, reduction, {reduced.mean()})};
  }
  return {};
}

}  // namespace attn::conformance
