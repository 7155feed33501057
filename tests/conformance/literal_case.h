// One case of ops.json (oracle) or literals.json (other projects): {id, kind, params, inputs, expected},
// arrays as {dtype, shape, data} or as nested lists. Everything a case states must be looked at: a parameter,
// input or expectation that its adapter does not know makes it fail.
#pragma once

#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "conformance/array.h"
#include "conformance/json_tensor.h"
#include "conformance/judge.h"

namespace attn::conformance {

class LiteralCase {
 public:
  LiteralCase(const Json& object, Judge& judge);

  const std::string& kind() const { return kind_; }
  /// The project the figures come from; empty when the case does not say.
  const std::string& source() const { return source_; }

  // ---- Parameters; null counts as missing.
  bool has_param(const char* key);
  double number(const char* key);
  double number_or(const char* key, double fallback);
  int integer(const char* key);
  int integer_or(const char* key, int fallback);
  bool flag_or(const char* key, bool fallback);
  std::string text(const char* key);
  std::string text_or(const char* key, const char* fallback);
  Array list(const char* key);
  /// Marks parameters that are prose, or say what needs no code.
  void prose(std::initializer_list<const char*> keys);

  // ---- Inputs.
  bool has_input(const std::string& name) const { return inputs_.contains(name); }
  const Array& input(const std::string& name);
  FloatArray floats(const std::string& name);
  std::vector<int> ints(const std::string& name);
  std::vector<std::string> input_names() const;

  // ---- Expectations.
  bool expects(const std::string& name) const { return expected_.contains(name); }
  const Array& expected(const std::string& name);
  std::vector<std::string> expected_names() const;
  /// Compares with expected `name`, which must be there. Allowed is what the file states or, where that is
  /// more or nothing is stated, `float32`: what float32 arithmetic needs.
  void expect(const std::string& name, const FloatArray& actual, Tolerance float32);
  /// The same where the case may leave the figure out.
  void expect_if_given(const std::string& name, const FloatArray& actual, Tolerance float32);
  /// The same where the figures are NaN for want of a definition that we have: there the result must be
  /// finite, or 0 if `zero`. Says so in the report.
  void expect_where_defined(const std::string& name, const FloatArray& actual, Tolerance float32, bool zero);
  Judge& judge() { return judge_; }

  /// Malformed when something was not looked at.
  void finish() const;

 private:
  const Json& param(const char* key);

  Judge& judge_;
  std::string kind_;
  std::string source_;
  Json params_;
  std::map<std::string, Array> inputs_;
  std::map<std::string, Array> expected_;
  double stated_tolerance_ = 0.0;
  std::set<std::string> known_params_, known_inputs_, compared_;
};

}  // namespace attn::conformance
