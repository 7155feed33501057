// Arrays as the conformance files hold them (float64, any rank) and as the engine returns them (float32).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/tensor.h"

namespace attn::conformance {

using Extents = std::vector<int>;  // outermost axis first; empty for a scalar

/// Product of the extents, 1 for a scalar.
std::size_t size_of(const Extents& extents);

/// "(2, 5, 8)"; "()" for a scalar.
std::string to_string(const Extents& extents);

/// Where a flat index lies: "(1, 4)".
std::string place_of(std::size_t index, const Extents& extents);

/// An array of a file, row-major. Integers and booleans (0 or 1) are exact in `values`.
struct Array {
  std::string dtype;  // "float32", "int64", "bool", …
  Extents extents;
  std::vector<double> values;

  bool is_floating() const { return dtype.starts_with("float") || dtype == "bfloat16"; }
  bool is_integer() const { return dtype.starts_with("int") || dtype.starts_with("uint"); }
  bool is_bool() const { return dtype == "bool"; }
  int rank() const { return static_cast<int>(extents.size()); }
};

/// An array of the engine's.
struct FloatArray {
  Extents extents;
  std::vector<float> values;

  FloatArray() = default;
  explicit FloatArray(Extents shape) : extents(std::move(shape)), values(size_of(extents), 0.0f) {}
  FloatArray(Extents shape, std::vector<float> numbers)
      : extents(std::move(shape)), values(std::move(numbers)) {}
  explicit FloatArray(core::TensorView tensor);

  /// As a tensor of another shape of equal size; rank at most core::Shape::kMaxRank. Points into `values`.
  core::TensorView view_as(const core::Shape& shape) const;
  /// As it is. More axes than core::Shape has are malformed.
  core::TensorView view() const;
};

Extents extents_of(const core::Shape& shape);

/// The extents as a core::Shape; more axes than it has are malformed.
core::Shape shape_of(const Extents& extents);

/// Rounded to float32. Integers and booleans are malformed: `what` names the array in the message.
FloatArray floats_of(const Array& array, const char* what);

/// As int. Anything but integers (or booleans) is malformed.
std::vector<int> ints_of(const Array& array, const char* what);

/// The one value of an array of one element.
double scalar_of(const Array& array, const char* what);

/// `axis` counted from the front; outside [-rank, rank) it is malformed.
int normalised_axis(int axis, int rank);

/// The array repeated along axes so that it has these extents (numpy's right-aligned broadcast); malformed if
/// it does not fit.
FloatArray broadcast_to(const FloatArray& array, const Extents& extents);

/// The axes in another order: axis i of the result is axis order[i] of the array.
FloatArray transposed(const FloatArray& array, const std::vector<int>& order);

/// A tensor with one axis in the middle: (extents before it, its own, extents after it).
core::Shape around_axis(const Extents& extents, int axis);

/// The extents both broadcast to (numpy's rule); malformed if there are none.
Extents broadcast_extents(const Extents& a, const Extents& b);

}  // namespace attn::conformance
