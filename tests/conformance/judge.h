// Compares what the engine computed with what a case expects and remembers the worst of it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/array.h"

namespace attn::conformance {

/// |actual - expected| may be absolute + relative·|expected|.
struct Tolerance {
  double absolute = 0.0;
  double relative = 0.0;
};

class Judge {
 public:
  /// Shape and values must agree. Infinities must be equal, NaN belongs where NaN is expected and only there.
  void expect(std::string_view what, const FloatArray& actual, const Array& expected, Tolerance tolerance);

  /// The same for flat values whose shape is known to agree; `extents` serves the messages.
  void expect(std::string_view what, std::span<const float> actual, std::span<const double> expected,
              const Extents& extents, Tolerance tolerance);

  /// The same, but where NaN is expected for want of a definition that we have (a row that sees nothing,
  /// contract C3), the result must be finite, or 0 if `zero`. The count of those is remarked.
  void expect_where_defined(std::string_view what, const FloatArray& actual, Array expected,
                            Tolerance tolerance, bool zero);

  /// Something that isn't a comparison of numbers.
  void expect_true(bool holds, std::string_view what);

  /// Something worth a line in the report although the case passes.
  void remark(std::string text) { remark_ = std::move(text); }

  int compared() const { return compared_; }
  /// Largest error divided by what was allowed there: above 1 the case fails. Infinite where a NaN, an
  /// infinity or a shape is wrong.
  double worst_ratio() const { return worst_ratio_; }
  /// "y: 3.1e-07 at (2, 5): 0.25 for 0.25000031 (allowed 3.5e-06)"
  const std::string& worst() const { return worst_; }
  const std::string& remark() const { return remark_; }

 private:
  void note(double ratio, std::string text);

  int compared_ = 0;
  int undefined_ = 0;
  double worst_ratio_ = 0.0;
  std::string worst_;
  std::string remark_;
};

}  // namespace attn::conformance
