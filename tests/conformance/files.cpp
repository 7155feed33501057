#include "conformance/files.h"

#include <cstdio>
#include <memory>

#include "conformance/errors.h"

namespace attn::conformance {
namespace {

template <class Bytes>
Bytes read_all(const std::filesystem::path& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.string().c_str(), "rb"),
                                                             &std::fclose);
  CONFORMANCE_REQUIRE(file != nullptr, "%s can't be opened", path.string().c_str());
  Bytes bytes;
  unsigned char block[65536];
  for (std::size_t count = 1; count > 0;) {
    count = std::fread(block, 1, sizeof block, file.get());
    bytes.insert(bytes.end(), block, block + count);
  }
  CONFORMANCE_REQUIRE(std::ferror(file.get()) == 0, "%s can't be read", path.string().c_str());
  return bytes;
}

}  // namespace

std::string read_text(const std::filesystem::path& path) { return read_all<std::string>(path); }

std::vector<std::uint8_t> read_bytes(const std::filesystem::path& path) {
  return read_all<std::vector<std::uint8_t>>(path);
}

}  // namespace attn::conformance
