#include "conformance/literal_case.h"

#include <algorithm>
#include <cmath>

#include "conformance/errors.h"

namespace attn::conformance {
namespace {

std::map<std::string, Array> arrays_of(const Json& object, const char* what) {
  CONFORMANCE_REQUIRE(object.is_object(), "'%s' is not an object", what);
  std::map<std::string, Array> arrays;
  for (const auto& [name, value] : object.items()) {
    const std::string full = std::string(what) + " '" + name + "'";
    arrays.emplace(name, is_tensor(value) ? array_of(value, full) : array_of_lists(value, full));
  }
  return arrays;
}

std::vector<std::string> names_of(const std::map<std::string, Array>& arrays) {
  std::vector<std::string> names;
  for (const auto& [name, array] : arrays) names.push_back(name);
  return names;
}

const Array& find(const std::map<std::string, Array>& arrays, const std::string& name, const char* what) {
  const auto found = arrays.find(name);
  CONFORMANCE_REQUIRE(found != arrays.end(), "%s '%s' is missing", what, name.c_str());
  return found->second;
}

}  // namespace

LiteralCase::LiteralCase(const Json& object, Judge& judge)
    : judge_(judge),
      kind_(text_of(object, "kind")),
      params_(member(object, "params")),
      inputs_(arrays_of(member(object, "inputs"), "input")),
      expected_(arrays_of(member(object, "expected"), "expected")),
      stated_tolerance_(conformance::number_or(object, "tolerance_abs", 0.0)) {
  CONFORMANCE_REQUIRE(params_.is_object(), "'params' is not an object");
  if (object.contains("source")) {
    const Json repository = object["source"].value("repo", Json());
    if (repository.is_string()) source_ = repository.get<std::string>();
  }
}

bool LiteralCase::has_param(const char* key) {
  known_params_.insert(key);
  return params_.contains(key) && !params_[key].is_null();
}

const Json& LiteralCase::param(const char* key) {
  known_params_.insert(key);
  return params_;
}

double LiteralCase::number(const char* key) { return number_of(param(key), key); }
double LiteralCase::number_or(const char* key, double fallback) {
  return conformance::number_or(param(key), key, fallback);
}
int LiteralCase::integer(const char* key) { return int_of(param(key), key); }
int LiteralCase::integer_or(const char* key, int fallback) { return int_or(param(key), key, fallback); }
bool LiteralCase::flag_or(const char* key, bool fallback) {
  return conformance::flag_or(param(key), key, fallback);
}
std::string LiteralCase::text(const char* key) { return text_of(param(key), key); }
std::string LiteralCase::text_or(const char* key, const char* fallback) {
  return has_param(key) ? text_of(params_, key) : fallback;
}
Array LiteralCase::list(const char* key) {
  return array_of_lists(member(param(key), key), std::string("parameter '") + key + "'");
}

void LiteralCase::prose(std::initializer_list<const char*> keys) {
  known_params_.insert(keys.begin(), keys.end());
}

const Array& LiteralCase::input(const std::string& name) {
  known_inputs_.insert(name);
  return find(inputs_, name, "input");
}

FloatArray LiteralCase::floats(const std::string& name) { return floats_of(input(name), name.c_str()); }

std::vector<int> LiteralCase::ints(const std::string& name) {
  Array array = input(name);
  const bool whole = std::all_of(array.values.begin(), array.values.end(),
                                 [](double value) { return value == std::floor(value); });
  if (whole && array.is_floating()) array.dtype = "int64";  // a nested list does not say
  return ints_of(array, name.c_str());
}

std::vector<std::string> LiteralCase::input_names() const { return names_of(inputs_); }

const Array& LiteralCase::expected(const std::string& name) { return find(expected_, name, "expected"); }

std::vector<std::string> LiteralCase::expected_names() const { return names_of(expected_); }

void LiteralCase::expect(const std::string& name, const FloatArray& actual, Tolerance float32) {
  compared_.insert(name);
  judge_.expect(name, actual, expected(name),
                {std::max(stated_tolerance_, float32.absolute), float32.relative});
}

void LiteralCase::expect_if_given(const std::string& name, const FloatArray& actual, Tolerance float32) {
  if (expects(name)) expect(name, actual, float32);
}

void LiteralCase::expect_where_defined(const std::string& name, const FloatArray& actual, Tolerance float32,
                                       bool zero) {
  compared_.insert(name);
  judge_.expect_where_defined(name, actual, expected(name),
                              {std::max(stated_tolerance_, float32.absolute), float32.relative}, zero);
}

void LiteralCase::finish() const {
  for (const auto& [key, value] : params_.items())
    CONFORMANCE_REQUIRE(known_params_.contains(key), "parameter '%s' of %s is not known", key.c_str(),
                        kind_.c_str());
  for (const auto& [name, array] : inputs_)
    CONFORMANCE_REQUIRE(known_inputs_.contains(name), "input '%s' of %s is not known", name.c_str(),
                        kind_.c_str());
  for (const auto& [name, array] : expected_)
    CONFORMANCE_REQUIRE(compared_.contains(name), "expectation '%s' of %s is not known", name.c_str(),
                        kind_.c_str());
}

}  // namespace attn::conformance
