#include "conformance/json_tensor.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "conformance/errors.h"

namespace attn::conformance {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLargestExtent = 1 << 24;  // keeps a product of extents far from overflow

/// A short rendering for messages.
std::string shown(const Json& value) {
  const std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() <= 40 ? text : text.substr(0, 40) + "…";
}

double element(const Json& value, const std::string& what) {
  if (value.is_number()) return value.get<double>();
  if (value.is_boolean()) return value.get<bool>() ? 1.0 : 0.0;
  if (value == "inf") return kInfinity;
  if (value == "-inf") return -kInfinity;
  if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
  malformed("%s: %s is not a number", what.c_str(), shown(value).c_str());
}

void check_values(const Array& array, const std::string& what) {
  CONFORMANCE_REQUIRE(array.is_floating() || array.is_integer() || array.is_bool(), "%s: unknown dtype '%s'",
                      what.c_str(), array.dtype.c_str());
  if (array.is_floating()) return;
  for (const double value : array.values) {
    CONFORMANCE_REQUIRE(value == std::floor(value) && std::abs(value) < kInfinity, "%s: %g is not an integer",
                        what.c_str(), value);
    CONFORMANCE_REQUIRE(!array.is_bool() || value == 0.0 || value == 1.0, "%s: %g is not a boolean",
                        what.c_str(), value);
  }
}

void append_lists(const Json& value, std::size_t depth, Array& array, const std::string& what) {
  if (!value.is_array()) {
    CONFORMANCE_REQUIRE(depth == array.extents.size(), "%s: lists of different depth", what.c_str());
    array.values.push_back(element(value, what));
    return;
  }
  CONFORMANCE_REQUIRE(
      depth < array.extents.size() && value.size() == static_cast<std::size_t>(array.extents[depth]),
      "%s: lists of different length", what.c_str());
  for (const Json& inner : value) append_lists(inner, depth + 1, array, what);
}

}  // namespace

bool is_tensor(const Json& value) {
  return value.is_object() && value.contains("dtype") && value.contains("shape") && value.contains("data");
}

Array array_of(const Json& value, const std::string& what) {
  CONFORMANCE_REQUIRE(is_tensor(value), "%s: %s is not {dtype, shape, data}", what.c_str(),
                      shown(value).c_str());
  Array array;
  array.dtype = text_of(value, "dtype");
  CONFORMANCE_REQUIRE(value["shape"].is_array() && value["data"].is_array(),
                      "%s: shape and data must be lists", what.c_str());
  double size = 1.0;
  for (const Json& extent : value["shape"]) {
    CONFORMANCE_REQUIRE(
        extent.is_number_integer() && extent.get<double>() >= 0.0 && extent.get<double>() <= kLargestExtent,
        "%s: %s is not an extent", what.c_str(), shown(extent).c_str());
    array.extents.push_back(extent.get<int>());
    size *= extent.get<double>();
  }
  const Json& data = value["data"];
  CONFORMANCE_REQUIRE(size == static_cast<double>(data.size()), "%s: %zu values for shape %s", what.c_str(),
                      data.size(), to_string(array.extents).c_str());
  array.values.reserve(data.size());
  for (const Json& number : data) array.values.push_back(element(number, what));
  check_values(array, what);
  if (array.dtype == "float32")  // the decimals stand for these numbers
    for (double& each : array.values) each = static_cast<double>(static_cast<float>(each));
  return array;
}

Array array_of_lists(const Json& value, const std::string& what, bool integers) {
  Array array;
  array.dtype = integers ? "int64" : "float64";
  for (const Json* inner = &value; inner->is_array(); inner = &inner->front()) {
    array.extents.push_back(static_cast<int>(inner->size()));
    if (inner->empty()) break;
  }
  append_lists(value, 0, array, what);
  check_values(array, what);
  return array;
}

const Json& member(const Json& object, const char* key) {
  CONFORMANCE_REQUIRE(object.is_object(), "%s is not an object with '%s'", shown(object).c_str(), key);
  const auto found = object.find(key);
  CONFORMANCE_REQUIRE(found != object.end(), "'%s' is missing", key);
  return *found;
}

std::string text_of(const Json& object, const char* key) {
  const Json& value = member(object, key);
  CONFORMANCE_REQUIRE(value.is_string(), "'%s': %s is not a string", key, shown(value).c_str());
  return value.get<std::string>();
}

double number_of(const Json& object, const char* key) {
  const Json& value = member(object, key);
  CONFORMANCE_REQUIRE(!value.is_boolean(), "'%s': %s is not a number", key, shown(value).c_str());
  return element(value, key);
}

int int_of(const Json& object, const char* key) {
  const Json& value = member(object, key);
  CONFORMANCE_REQUIRE(value.is_number_integer() && std::abs(value.get<double>()) <= 2147483647.0,
                      "'%s': %s is not an int", key, shown(value).c_str());
  return value.get<int>();
}

bool flag_of(const Json& object, const char* key) {
  const Json& value = member(object, key);
  CONFORMANCE_REQUIRE(value.is_boolean() || value == 0 || value == 1, "'%s': %s is not true or false", key,
                      shown(value).c_str());
  return value.is_boolean() ? value.get<bool>() : value == 1;
}

namespace {

bool has(const Json& object, const char* key) { return object.contains(key) && !object[key].is_null(); }

}  // namespace

double number_or(const Json& object, const char* key, double fallback) {
  return has(object, key) ? number_of(object, key) : fallback;
}

int int_or(const Json& object, const char* key, int fallback) {
  return has(object, key) ? int_of(object, key) : fallback;
}

bool flag_or(const Json& object, const char* key, bool fallback) {
  return has(object, key) ? flag_of(object, key) : fallback;
}

void only_keys(const Json& object, std::initializer_list<const char*> known, const char* what) {
  CONFORMANCE_REQUIRE(object.is_object(), "%s: %s is not an object", what, shown(object).c_str());
  for (const auto& item : object.items()) {
    const std::string& key = item.key();
    const bool found = std::any_of(known.begin(), known.end(), [&](const char* name) { return key == name; });
    CONFORMANCE_REQUIRE(found, "%s: '%s' is not known here", what, key.c_str());
  }
}

}  // namespace attn::conformance
