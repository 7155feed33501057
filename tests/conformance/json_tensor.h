// Arrays written as JSON: {"dtype", "shape", "data"} with flat data (onnx, torch, oracle) and nested lists
// (other). "inf", "-inf" and "nan" are strings; booleans are 0 and 1. Everything else is malformed.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "conformance/array.h"

namespace attn::conformance {

using Json = nlohmann::json;

/// True when the value looks like {"dtype", "shape", "data"}.
bool is_tensor(const Json& value);

/// Reads {"dtype", "shape", "data"}; `what` names the array in messages.
Array array_of(const Json& value, const std::string& what);

/// Reads a number or nested lists of equal lengths as float64, or as int64 when `integers` is set.
Array array_of_lists(const Json& value, const std::string& what, bool integers = false);

/// The member `key` of an object; malformed when it is missing.
const Json& member(const Json& object, const char* key);

/// Typed members; malformed when missing or of another type. Numbers may be the strings "inf", "-inf",
/// "nan".
std::string text_of(const Json& object, const char* key);
double number_of(const Json& object, const char* key);
int int_of(const Json& object, const char* key);
bool flag_of(const Json& object, const char* key);

/// The same with a value for when the key is missing or null.
double number_or(const Json& object, const char* key, double fallback);
int int_or(const Json& object, const char* key, int fallback);
bool flag_or(const Json& object, const char* key, bool fallback);

/// Every key of the object must be one of `known` (zero-terminated list); malformed otherwise.
void only_keys(const Json& object, std::initializer_list<const char*> known, const char* what);

}  // namespace attn::conformance
