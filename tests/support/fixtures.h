// Where test inputs lie.
//
// `tests/fixtures` is part of the repository. The conformance folder (numbers of PyTorch, ONNX and others,
// too large to commit) may lie beside it as ../shared/conformance, or where ATTN_CONFORMANCE_DIR points; a
// test that needs it calls ATTN_SKIP when has_conformance() is false.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attn::test {

// Path of tests/fixtures/<name>.
std::string fixture_path(std::string_view name);

// True when the conformance folder exists.
bool has_conformance();

// Path of <conformance folder>/<name>.
std::string conformance_path(std::string_view name);

// All bytes of a file. A file that cannot be read fails the running test.
std::vector<unsigned char> read_bytes(const std::string& path);

// The same as text.
std::string read_text(const std::string& path);

}  // namespace attn::test
