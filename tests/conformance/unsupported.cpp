#include "conformance/unsupported.h"

#include <string>

#include "conformance/errors.h"

namespace attn::conformance {
namespace {

struct Row {
  std::string_view feature;
  std::string_view reason;
};

constexpr Row kUnsupported[] = {
    {"integer arithmetic", "the engine computes with float32; integers are indices, lengths and labels only"},
    {"superseded opset",
     "an older version of the operator with other semantics; the data is of the current one"},
};

}  // namespace

void unsupported(std::string_view feature) {
  for (const Row& row : kUnsupported)
    if (row.feature == feature) throw Unsupported(std::string(feature) + ": " + std::string(row.reason));
  throw Malformed(std::string(feature) + ": unsupported, and not in the table");
}

}  // namespace attn::conformance
