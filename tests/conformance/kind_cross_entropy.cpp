// Cross-entropy with class weights, ignored targets and label smoothing, and its gradient.
#include <algorithm>
#include <cmath>

#include "conformance/errors.h"
#include "conformance/kinds.h"
#include "conformance/loss_rows.h"
#include "conformance/tolerances.h"
#include "kernels/softmax_axis.h"

namespace attn::conformance {
namespace {

LossRows rows_of(LiteralCase& each) {
  LossRows rows;
  rows.logits = each.floats("logits");
  rows.targets = each.ints("target");
  if (each.has_input("class_weight")) rows.class_weights = each.floats("class_weight").values;
  if (each.has_param("class_weights"))
    rows.class_weights = floats_of(each.list("class_weights"), "class_weights").values;
  rows.ignore_index = each.integer_or("ignore_index", rows.ignore_index);
  rows.label_smoothing = static_cast<float>(each.number_or("label_smoothing", 0.0));
  check(rows);
  return rows;
}

/// Logits that float32 doesn't have are rounded on the way in; a loss follows the difference of two of them.
Tolerance tolerance_for(const Array& logits) {
  double rounding = 0.0;
  for (const double x : logits.values)
    rounding = std::max(rounding, std::abs(x - static_cast<double>(static_cast<float>(x))));
  Tolerance tolerance = kFloat32Operator;
  tolerance.absolute += 2.0 * rounding;
  return tolerance;
}

FloatArray gradient(const LossRows& rows, kernels::Reduction reduction) {
  FloatArray dlogits(rows.logits.extents);
  // The gradient of the sum of what the reduction left: 1 for each.
  const std::vector<float> ones(reduction == kernels::Reduction::none ? rows.targets.size() : 1, 1.0f);
  kernels::cross_entropy_backward(rows.matrix(), rows.targets, rows.options(), reduction, ones,
                                  {dlogits.values.data(), rows.rows(), rows.classes(), rows.classes()});
  return dlogits;
}

}  // namespace

void kind_cross_entropy(LiteralCase& each) {
  each.prose({"note"});
  const kernels::Reduction reduction = reduction_of(each.text_or("reduction", "mean"));
  const LossRows rows = rows_of(each);
  const Tolerance tolerance = tolerance_for(each.input("logits"));
  const std::vector<float> loss = losses(rows, reduction);
  const Extents shape = reduction == kernels::Reduction::none ? Extents{rows.rows()} : Extents{};
  each.expect_if_given("loss", FloatArray(shape, loss), tolerance);
  const FloatArray dlogits = gradient(rows, reduction);
  each.expect_if_given("grad_logits", dlogits, tolerance);
  each.expect_if_given("grad_logits_of_sum", dlogits, tolerance);
}

/// The smoothed targets q stand in the gradient p - q of the loss, whatever the logits are: here p is
/// uniform.
void kind_label_smoothing_targets(LiteralCase& each) {
  LossRows rows;
  rows.targets = each.ints("target");
  const int classes = each.integer("num_classes");
  constexpr int kMostClasses = 1 << 16;
  CONFORMANCE_REQUIRE(classes > 0 && classes <= kMostClasses, "num_classes %d", classes);
  rows.logits = FloatArray(Extents{static_cast<int>(rows.targets.size()), classes});
  rows.label_smoothing = static_cast<float>(each.number("smoothing"));
  check(rows);
  FloatArray smoothed(rows.logits.extents);
  kernels::softmax(rows.logits.view(), -1, smoothed.values);
  const FloatArray dlogits = gradient(rows, kernels::Reduction::sum);
  for (std::size_t i = 0; i < smoothed.values.size(); ++i) smoothed.values[i] -= dlogits.values[i];
  each.expect("smoothed", smoothed, kFloat32Operator);
}

}  // namespace attn::conformance
