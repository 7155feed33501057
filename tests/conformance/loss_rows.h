// Cross-entropy over rows of logits: what the ONNX losses and the literals have in common.
#pragma once

#include <string>
#include <vector>

#include "conformance/array.h"
#include "kernels/cross_entropy.h"

namespace attn::conformance {

/// "none", "sum" or "mean".
kernels::Reduction reduction_of(const std::string& name);

/// Logits (rows, classes), one target a row. Malformed when a target is neither a class nor ignored.
struct LossRows {
  FloatArray logits;
  std::vector<int> targets;
  std::vector<float> class_weights;  // empty: all 1
  int ignore_index = -100;
  float label_smoothing = 0.0f;

  int rows() const { return logits.extents[0]; }
  int classes() const { return logits.extents[1]; }
  core::ConstMatrix matrix() const { return {logits.values.data(), rows(), classes(), classes()}; }
  kernels::CrossEntropyOptions options() const { return {ignore_index, label_smoothing, class_weights}; }
};
void check(const LossRows& rows);

/// One loss a row for none, else one number.
std::vector<float> losses(const LossRows& rows, kernels::Reduction reduction);

}  // namespace attn::conformance
