#include "conformance/loss_rows.h"

#include "conformance/errors.h"

namespace attn::conformance {

kernels::Reduction reduction_of(const std::string& name) {
  if (name == "none") return kernels::Reduction::none;
  if (name == "sum") return kernels::Reduction::sum;
  if (name == "mean") return kernels::Reduction::mean;
  malformed("reduction '%s' is not known", name.c_str());
}

void check(const LossRows& rows) {
  CONFORMANCE_REQUIRE(rows.logits.extents.size() == 2 && rows.classes() > 0, "logits of shape %s",
                      to_string(rows.logits.extents).c_str());
  CONFORMANCE_REQUIRE(rows.targets.size() == static_cast<std::size_t>(rows.rows()), "%zu targets for %d rows",
                      rows.targets.size(), rows.rows());
  CONFORMANCE_REQUIRE(
      rows.class_weights.empty() || rows.class_weights.size() == static_cast<std::size_t>(rows.classes()),
      "%zu class weights for %d classes", rows.class_weights.size(), rows.classes());
  CONFORMANCE_REQUIRE(rows.label_smoothing >= 0.0f && rows.label_smoothing <= 1.0f, "label smoothing %g",
                      static_cast<double>(rows.label_smoothing));
  for (const int target : rows.targets)
    CONFORMANCE_REQUIRE(target == rows.ignore_index || (target >= 0 && target < rows.classes()),
                        "target %d of %d classes", target, rows.classes());
}

std::vector<float> losses(const LossRows& rows, kernels::Reduction reduction) {
  if (reduction != kernels::Reduction::none)
    return {kernels::cross_entropy(rows.matrix(), rows.targets, rows.options(), reduction)};
  std::vector<float> losses(rows.targets.size());
  kernels::cross_entropy(rows.matrix(), rows.targets, rows.options(), losses);
  return losses;
}

}  // namespace attn::conformance
