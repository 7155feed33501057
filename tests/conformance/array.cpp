#include "conformance/array.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "conformance/errors.h"

namespace attn::conformance {

std::size_t size_of(const Extents& extents) {
  std::size_t product = 1;
  for (const int extent : extents) product *= static_cast<std::size_t>(extent);
  return product;
}

std::string to_string(const Extents& extents) {
  std::string text = "(";
  for (std::size_t i = 0; i < extents.size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(extents[i]);
  return text + ")";
}

std::string place_of(std::size_t index, const Extents& extents) {
  Extents place(extents.size());
  for (std::size_t axis = extents.size(); axis-- > 0;) {
    const auto extent = static_cast<std::size_t>(extents[axis]);
    place[axis] = static_cast<int>(index % extent);
    index /= extent;
  }
  return to_string(place);
}

FloatArray::FloatArray(core::TensorView tensor)
    : extents(extents_of(tensor.shape)), values(tensor.flat().begin(), tensor.flat().end()) {}

core::TensorView FloatArray::view_as(const core::Shape& shape) const {
  CONFORMANCE_REQUIRE(static_cast<std::size_t>(shape.size()) == values.size(), "%s seen as %s",
                      to_string(extents).c_str(), core::to_string(shape).c_str());
  return {values.data(), shape};
}

core::TensorView FloatArray::view() const { return view_as(shape_of(extents)); }

Extents extents_of(const core::Shape& shape) {
  Extents extents;
  for (int axis = 0; axis < shape.rank(); ++axis) extents.push_back(shape[axis]);
  return extents;
}

core::Shape shape_of(const Extents& extents) {
  CONFORMANCE_REQUIRE(extents.size() <= static_cast<std::size_t>(core::Shape::kMaxRank),
                      "shape %s: more than %d axes", to_string(extents).c_str(), core::Shape::kMaxRank);
  core::Shape shape;
  for (const int extent : extents) shape.append(extent);
  return shape;
}

FloatArray floats_of(const Array& array, const char* what) {
  CONFORMANCE_REQUIRE(array.is_floating(), "%s: %s where numbers with a fraction belong", what,
                      array.dtype.c_str());
  FloatArray floats(array.extents);
  for (std::size_t i = 0; i < floats.values.size(); ++i)
    floats.values[i] = static_cast<float>(array.values[i]);
  return floats;
}

std::vector<int> ints_of(const Array& array, const char* what) {
  CONFORMANCE_REQUIRE(array.is_integer() || array.is_bool(), "%s: %s where integers belong", what,
                      array.dtype.c_str());
  std::vector<int> ints;
  for (const double value : array.values) {
    CONFORMANCE_REQUIRE(std::abs(value) <= std::numeric_limits<int>::max(), "%s: %.17g is too large", what,
                        value);
    ints.push_back(static_cast<int>(value));
  }
  return ints;
}

double scalar_of(const Array& array, const char* what) {
  CONFORMANCE_REQUIRE(array.values.size() == 1, "%s: shape %s where one value belongs", what,
                      to_string(array.extents).c_str());
  return array.values[0];
}

int normalised_axis(int axis, int rank) {
  CONFORMANCE_REQUIRE(axis >= -rank && axis < rank, "axis %d of a tensor with %d axes", axis, rank);
  return axis < 0 ? axis + rank : axis;
}

core::Shape around_axis(const Extents& extents, int axis) {
  int before = 1, after = 1;
  for (int i = 0; i < static_cast<int>(extents.size()); ++i)
    if (i != axis) (i < axis ? before : after) *= extents[static_cast<std::size_t>(i)];
  return core::Shape{before, extents[static_cast<std::size_t>(axis)], after};
}

Extents broadcast_extents(const Extents& a, const Extents& b) {
  Extents result(std::max(a.size(), b.size()));
  for (std::size_t i = 1; i <= result.size(); ++i) {
    const int x = i <= a.size() ? a[a.size() - i] : 1;
    const int y = i <= b.size() ? b[b.size() - i] : 1;
    CONFORMANCE_REQUIRE(x == y || x == 1 || y == 1, "shapes %s and %s do not fit together",
                        to_string(a).c_str(), to_string(b).c_str());
    result[result.size() - i] = x == 1 ? y : x;
  }
  return result;
}

namespace {

/// Copies with strides: element (i_0, …) of the result is array.values[Σ i_k·strides[k]].
FloatArray gathered(const FloatArray& array, const Extents& extents,
                    const std::vector<std::size_t>& strides) {
  FloatArray result(extents);
  std::vector<int> index(extents.size(), 0);
  std::size_t source = 0;
  for (float& value : result.values) {
    value = array.values[source];
    for (std::size_t axis = extents.size(); axis-- > 0;) {
      source += strides[axis];
      if (++index[axis] < extents[axis]) break;
      source -= strides[axis] * static_cast<std::size_t>(extents[axis]);
      index[axis] = 0;
    }
  }
  return result;
}

std::vector<std::size_t> strides_of(const Extents& extents) {
  std::vector<std::size_t> strides(extents.size());
  std::size_t stride = 1;
  for (std::size_t axis = extents.size(); axis-- > 0;) {
    strides[axis] = stride;
    stride *= static_cast<std::size_t>(extents[axis]);
  }
  return strides;
}

}  // namespace

FloatArray broadcast_to(const FloatArray& array, const Extents& extents) {
  CONFORMANCE_REQUIRE(broadcast_extents(array.extents, extents) == extents, "shape %s does not fit into %s",
                      to_string(array.extents).c_str(), to_string(extents).c_str());
  const std::vector<std::size_t> own = strides_of(array.extents);
  std::vector<std::size_t> strides(extents.size(), 0);
  for (std::size_t i = 1; i <= own.size(); ++i)
    if (array.extents[own.size() - i] != 1) strides[extents.size() - i] = own[own.size() - i];
  return gathered(array, extents, strides);
}

FloatArray transposed(const FloatArray& array, const std::vector<int>& order) {
  const std::vector<std::size_t> own = strides_of(array.extents);
  Extents extents;
  std::vector<std::size_t> strides;
  for (const int axis : order) {
    extents.push_back(array.extents[static_cast<std::size_t>(axis)]);
    strides.push_back(own[static_cast<std::size_t>(axis)]);
  }
  return gathered(array, extents, strides);
}

}  // namespace attn::conformance
