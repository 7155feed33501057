#include "support/fixtures.h"

#include <cstdio>
#include <cstdlib>

#include "support/catch.h"

namespace attn::test {
namespace {

std::string conformance_dir() {
  const char* given = std::getenv("ATTN_CONFORMANCE_DIR");
  return given != nullptr ? given : ATTN_SOURCE_DIR "/../shared/conformance";
}

template <typename Bytes>
Bytes read_all(const std::string& path) {
  INFO("reading " << path);
  std::FILE* file = std::fopen(path.c_str(), "rb");
  REQUIRE(file != nullptr);
  Bytes bytes;
  unsigned char block[65536];
  for (std::size_t count = 1; count > 0;) {
    count = std::fread(block, 1, sizeof block, file);
    bytes.insert(bytes.end(), block, block + count);
  }
  const bool failed = std::ferror(file) != 0;
  std::fclose(file);
  REQUIRE_FALSE(failed);
  return bytes;
}

}  // namespace

std::string fixture_path(std::string_view name) {
  return std::string(ATTN_SOURCE_DIR "/tests/fixtures/").append(name);
}

bool has_conformance() {
  std::FILE* readme = std::fopen((conformance_dir() + "/README.md").c_str(), "rb");
  if (readme == nullptr) return false;
  std::fclose(readme);
  return true;
}

std::string conformance_path(std::string_view name) { return (conformance_dir() + "/").append(name); }

std::vector<unsigned char> read_bytes(const std::string& path) {
  return read_all<std::vector<unsigned char>>(path);
}

std::string read_text(const std::string& path) { return read_all<std::string>(path); }

}  // namespace attn::test
