// A safetensors file with reference numbers. Whatever is missing or not valid in it is malformed (the
// exception fails a Catch2 test too).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/array.h"
#include "conformance/json_tensor.h"
#include "io/safetensors.h"

namespace attn::conformance {

class OracleFile {
 public:
  explicit OracleFile(const std::filesystem::path& path);

  const io::SafetensorsFile& file() const { return file_; }
  const std::filesystem::path& path() const { return path_; }
  bool has(std::string_view name) const { return file_.find(name) != nullptr; }

  /// The tensor as an Array: "float32", "float64", "int64", "bool", …
  Array array(std::string_view name) const;

  /// As float64, as ints, as bytes that are 0 or 1.
  std::vector<double> numbers(std::string_view name) const;
  std::vector<int> ints(std::string_view name) const;
  std::vector<std::uint8_t> flags(std::string_view name) const;

  /// The metadata entry `key`, parsed as JSON.
  bool has_metadata(std::string_view key) const;
  Json metadata(std::string_view key) const;

 private:
  const io::StoredTensor& tensor(std::string_view name) const;

  std::filesystem::path path_;
  std::vector<std::uint8_t> bytes_;
  io::SafetensorsFile file_;  // views into bytes_
};

}  // namespace attn::conformance
