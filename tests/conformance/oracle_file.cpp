#include "conformance/oracle_file.h"

#include <algorithm>
#include <utility>

#include "conformance/errors.h"
#include "conformance/files.h"

namespace attn::conformance {
namespace {

std::string dtype_name(io::Dtype dtype) {
  switch (dtype) {
    case io::Dtype::f64:
      return "float64";
    case io::Dtype::f32:
      return "float32";
    case io::Dtype::f16:
      return "float16";
    case io::Dtype::bf16:
      return "bfloat16";
    case io::Dtype::i64:
      return "int64";
    case io::Dtype::i32:
      return "int32";
    case io::Dtype::boolean:
      return "bool";
  }
  return "";
}

}  // namespace

OracleFile::OracleFile(const std::filesystem::path& path) : path_(path), bytes_(read_bytes(path)) {
  core::Result<io::SafetensorsFile> parsed = io::parse_safetensors(bytes_);
  CONFORMANCE_REQUIRE(parsed.ok(), "%s: %s", path.filename().string().c_str(), parsed.error().c_str());
  file_ = std::move(parsed).value();
}

const io::StoredTensor& OracleFile::tensor(std::string_view name) const {
  const io::StoredTensor* found = file_.find(name);
  CONFORMANCE_REQUIRE(found != nullptr, "%s has no tensor '%s'", path_.filename().string().c_str(),
                      std::string(name).c_str());
  return *found;
}

Array OracleFile::array(std::string_view name) const {
  const io::StoredTensor& stored = tensor(name);
  Array array{dtype_name(stored.dtype), {}, io::to_double(stored)};
  for (int axis = 0; axis < stored.extents.rank; ++axis)
    array.extents.push_back(static_cast<int>(stored.extents.values[static_cast<std::size_t>(axis)]));
  return array;
}

std::vector<double> OracleFile::numbers(std::string_view name) const { return io::to_double(tensor(name)); }

std::vector<int> OracleFile::ints(std::string_view name) const {
  core::Result<std::vector<int>> ints = io::to_int(tensor(name));
  CONFORMANCE_REQUIRE(ints.ok(), "%s", ints.error().c_str());
  return std::move(ints).value();
}

std::vector<std::uint8_t> OracleFile::flags(std::string_view name) const {
  std::vector<std::uint8_t> flags;
  for (const int value : ints(name)) flags.push_back(value != 0 ? 1 : 0);
  return flags;
}

bool OracleFile::has_metadata(std::string_view key) const {
  return std::any_of(file_.metadata.begin(), file_.metadata.end(),
                     [&](const auto& entry) { return entry.first == key; });
}

Json OracleFile::metadata(std::string_view key) const {
  for (const auto& [name, text] : file_.metadata)
    if (name == key) return Json::parse(text);
  malformed("%s has no metadata '%s'", path_.filename().string().c_str(), std::string(key).c_str());
}

}  // namespace attn::conformance
