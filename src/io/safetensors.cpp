#include "io/safetensors.h"

#include <algorithm>

#include "io/json_scanner.h"

namespace attn::io {
namespace {

constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;
constexpr std::size_t kLengthBytes = 8;

struct HeaderEntry {
  StoredTensor tensor;  // its bytes still unknown
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

struct Header {
  std::vector<HeaderEntry> entries;
  std::vector<std::pair<std::string, std::string>> metadata;
};

// Adds the name of the tensor to what the scanner found.
core::Error in_tensor(const std::string& name, const JsonScanner& scanner) {
  return core::error_at("header, tensor %s, %s", quoted(name).c_str(), scanner.error().c_str());
}

bool read_shape(JsonScanner& scanner, Extents& extents) {
  if (!scanner.expect('[')) return false;
  if (scanner.accept(']')) return true;
  do {
    std::uint64_t extent = 0;
    if (!scanner.read_integer(extent)) return false;
    if (extents.rank == Extents::kMaxRank) return scanner.fail("a shape with more than 8 axes");
    extents.values[static_cast<std::size_t>(extents.rank++)] = extent;
  } while (scanner.accept(','));
  return scanner.expect(']');
}

bool read_offsets(JsonScanner& scanner, HeaderEntry& entry) {
  return scanner.expect('[') && scanner.read_integer(entry.begin) && scanner.expect(',') &&
         scanner.read_integer(entry.end) && scanner.expect(']');
}

bool read_dtype(JsonScanner& scanner, Dtype& dtype) {
  std::string name;
  if (!scanner.read_string(name)) return false;
  if (find_dtype(name, dtype)) return true;
  const std::string what =
      "number type " + quoted(name) + " is not one of F64, F32, F16, BF16, I64, I32, BOOL";
  return scanner.fail(what.c_str());
}

// The value of one tensor's key: {"dtype": …, "shape": …, "data_offsets": …}, each exactly once.
bool read_entry(JsonScanner& scanner, HeaderEntry& entry) {
  static constexpr std::string_view kFields[] = {"dtype", "shape", "data_offsets"};
  bool seen[3] = {};
  if (!scanner.expect('{')) return false;
  if (!scanner.accept('}')) {
    do {
      std::string field;
      if (!scanner.read_string(field)) return false;
      const auto known = std::find(std::begin(kFields), std::end(kFields), field);
      if (known == std::end(kFields)) return scanner.fail(("unknown field " + quoted(field)).c_str());
      const auto index = static_cast<std::size_t>(known - std::begin(kFields));
      if (seen[index]) return scanner.fail(("duplicate field " + quoted(field)).c_str());
      seen[index] = true;
      if (!scanner.expect(':')) return false;
      const bool read = index == 0   ? read_dtype(scanner, entry.tensor.dtype)
                        : index == 1 ? read_shape(scanner, entry.tensor.extents)
                                     : read_offsets(scanner, entry);
      if (!read) return false;
    } while (scanner.accept(','));
    if (!scanner.expect('}')) return false;
  }
  for (std::size_t i = 0; i < 3; ++i)
    if (!seen[i]) return scanner.fail(("missing field " + quoted(kFields[i])).c_str());
  return true;
}

bool read_metadata(JsonScanner& scanner, Header& header) {
  if (!scanner.expect('{')) return false;
  if (scanner.accept('}')) return true;
  do {
    std::pair<std::string, std::string> item;
    if (!scanner.read_string(item.first) || !scanner.expect(':') || !scanner.read_string(item.second))
      return false;
    header.metadata.push_back(std::move(item));
  } while (scanner.accept(','));
  return scanner.expect('}');
}

core::Result<Header> read_header(std::span<const std::uint8_t> text) {
  const auto at_scanner = [](const JsonScanner& scanner) {
    return core::error_at("header, %s", scanner.error().c_str());
  };
  Header header;
  JsonScanner scanner(text, kLengthBytes);
  bool metadata_seen = false;
  if (!scanner.expect('{')) return at_scanner(scanner);
  if (!scanner.accept('}')) {
    do {
      std::string name;
      if (!scanner.read_string(name) || !scanner.expect(':')) return at_scanner(scanner);
      if (name == "__metadata__") {
        if (metadata_seen) scanner.fail("duplicate '__metadata__'");
        metadata_seen = true;
        if (!read_metadata(scanner, header)) return in_tensor(name, scanner);
        continue;
      }
      HeaderEntry entry;
      if (!read_entry(scanner, entry)) return in_tensor(name, scanner);
      entry.tensor.name = std::move(name);
      header.entries.push_back(std::move(entry));
    } while (scanner.accept(','));
    if (!scanner.expect('}')) return at_scanner(scanner);
  }
  if (!scanner.expect_end()) return at_scanner(scanner);
  return header;
}

// The first name that occurs twice, null if none does.
const std::string* find_duplicate(std::vector<const std::string*> names) {
  const auto less = [](const std::string* a, const std::string* b) { return *a < *b; };
  std::sort(names.begin(), names.end(), less);
  const auto equal = [](const std::string* a, const std::string* b) { return *a == *b; };
  const auto found = std::adjacent_find(names.begin(), names.end(), equal);
  return found == names.end() ? nullptr : *found;
}

core::Status check_names(const Header& header) {
  std::vector<const std::string*> names;
  for (const HeaderEntry& entry : header.entries) names.push_back(&entry.tensor.name);
  if (const std::string* twice = find_duplicate(std::move(names)))
    return core::error_at("header: duplicate tensor %s", quoted(*twice).c_str());
  std::vector<const std::string*> keys;
  for (const auto& item : header.metadata) keys.push_back(&item.first);
  if (const std::string* twice = find_duplicate(std::move(keys)))
    return core::error_at("header: duplicate key %s in '__metadata__'", quoted(*twice).c_str());
  return core::ok_status();
}

// Product of the extents × bytes per element; false when it exceeds 2^64 - 1.
bool count_bytes(const StoredTensor& tensor, std::uint64_t& bytes) {
  bytes = size_of(tensor.dtype);
  for (int axis = 0; axis < tensor.extents.rank; ++axis) {
    const std::uint64_t extent = tensor.extents.values[static_cast<std::size_t>(axis)];
    if (extent != 0 && bytes > UINT64_MAX / extent) return false;
    bytes *= extent;
  }
  return true;
}

// Checks that one tensor fits its shape and continues where the one before it ended.
core::Status check_place(const HeaderEntry& entry, std::uint64_t expected_begin, std::uint64_t data_size,
                         std::uint64_t first_byte) {
  const std::string name = quoted(entry.tensor.name);
  const auto range = [&](const char* what) {
    return core::error_at("tensor %s: bytes [%llu, %llu) %s", name.c_str(),
                          static_cast<unsigned long long>(first_byte + entry.begin),
                          static_cast<unsigned long long>(first_byte + entry.end), what);
  };
  if (entry.begin > entry.end) return range("end before they begin");
  if (entry.end > data_size) return range("lie beyond the end of the file");
  if (entry.begin > expected_begin) return range("leave a hole before them");
  if (entry.begin < expected_begin) return range("overlap the tensor before them");
  std::uint64_t needed = 0;
  if (!count_bytes(entry.tensor, needed))
    return core::error_at("tensor %s: shape %s has too many elements", name.c_str(),
                          to_string(entry.tensor.extents).c_str());
  if (entry.end - entry.begin != needed)
    return core::error_at(
        "tensor %s: shape %s of %s takes %llu bytes, its offsets give %llu", name.c_str(),
        to_string(entry.tensor.extents).c_str(), std::string(name_of(entry.tensor.dtype)).c_str(),
        static_cast<unsigned long long>(needed), static_cast<unsigned long long>(entry.end - entry.begin));
  return core::ok_status();
}

}  // namespace

const StoredTensor* SafetensorsFile::find(std::string_view name) const {
  for (const StoredTensor& tensor : tensors)
    if (tensor.name == name) return &tensor;
  return nullptr;
}

core::Result<SafetensorsFile> parse_safetensors(std::span<const std::uint8_t> file) {
  if (file.size() < kLengthBytes)
    return core::error_at("file of %zu bytes is too short for a safetensors header", file.size());
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < kLengthBytes; ++i) length |= std::uint64_t{file[i]} << (8 * i);
  if (length > kMaxHeaderBytes)
    return core::error_at("header length %llu is above the limit of 100000000: not a safetensors file",
                          static_cast<unsigned long long>(length));
  if (length > file.size() - kLengthBytes)
    return core::error_at("header of %llu bytes does not fit in the file of %zu bytes",
                          static_cast<unsigned long long>(length), file.size());
  const auto header_size = static_cast<std::size_t>(length);
  core::Result<Header> header = read_header(file.subspan(kLengthBytes, header_size));
  if (!header.ok()) return core::Error{header.error()};
  const core::Status names = check_names(header.value());
  if (!names.ok()) return core::Error{names.error()};

  std::vector<HeaderEntry>& entries = header.value().entries;
  std::stable_sort(entries.begin(), entries.end(), [](const HeaderEntry& a, const HeaderEntry& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  const std::size_t first_byte = kLengthBytes + header_size;
  const std::span<const std::uint8_t> content = file.subspan(first_byte);
  SafetensorsFile result;
  std::uint64_t expected_begin = 0;
  for (HeaderEntry& entry : entries) {
    const core::Status place = check_place(entry, expected_begin, content.size(), first_byte);
    if (!place.ok()) return core::Error{place.error()};
    expected_begin = entry.end;
    entry.tensor.bytes = content.subspan(static_cast<std::size_t>(entry.begin),
                                         static_cast<std::size_t>(entry.end - entry.begin));
    result.tensors.push_back(std::move(entry.tensor));
  }
  if (expected_begin != content.size())
    return core::error_at("%llu bytes at byte %llu belong to no tensor",
                          static_cast<unsigned long long>(content.size() - expected_begin),
                          static_cast<unsigned long long>(first_byte + expected_begin));
  result.metadata = std::move(header.value().metadata);
  return result;
}

}  // namespace attn::io
