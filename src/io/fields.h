// Numbers, switches and enums of a struct as scalar tensors of a safetensors file, one a field, so that any
// reader of the format can see them. The struct's fields come from a function such as nn::for_each_field.
#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/result.h"
#include "io/safetensors.h"
#include "io/safetensors_writer.h"

namespace attn::io {

/// Visitor that writes each field under prefix + name. Exact: whole numbers up to 2^53 in magnitude.
struct FieldWriter {
  SafetensorsWriter& file;
  std::string prefix;

  template <class Field>
  void operator()(std::string_view name, const Field& field, int = 0) {
    file.add(prefix + std::string(name), static_cast<double>(field));
  }
};

/// Visitor that reads them; the first field that is missing or isn't a value of its type is in `error`.
class FieldReader {
 public:
  FieldReader(const SafetensorsFile& file, std::string prefix) : file_(file), prefix_(std::move(prefix)) {}

  core::Status status() const { return error_.empty() ? core::ok_status() : core::Error{error_}; }

  template <class Field>
  void operator()(std::string_view name, Field& field) {
    const double number = read(name);
    if (!error_.empty()) return;
    if constexpr (std::is_same_v<Field, bool>) {
      if (is_whole(name, number, 0, 1)) field = number == 1.0;
    } else if constexpr (std::is_same_v<Field, int>) {
      if (is_whole(name, number, -2147483647, 2147483647)) field = static_cast<int>(number);
    } else if constexpr (std::is_integral_v<Field>) {
      if (is_whole(name, number, 0, kLargestWhole)) field = static_cast<Field>(number);
    } else {
      field = static_cast<Field>(number);
    }
  }

  template <class Enum>
  void operator()(std::string_view name, Enum& field, int count) {
    const double number = read(name);
    if (error_.empty() && is_whole(name, number, 0, count - 1))
      field = static_cast<Enum>(static_cast<int>(number));
  }

 private:
  static constexpr double kLargestWhole = 9007199254740992.0;  // 2^53

  double read(std::string_view name);
  bool is_whole(std::string_view name, double number, double minimum, double maximum);

  const SafetensorsFile& file_;
  std::string prefix_;
  std::string error_;
};

}  // namespace attn::io
