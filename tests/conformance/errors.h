// What can end a case early. Both name what and where; the runner turns them into a line of its report.
#pragma once

#include <stdexcept>

namespace attn::conformance {

/// The file is not what its format promises, or asks for something no adapter knows: the case fails.
struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The case needs what the table in unsupported.h declares left out; the message is the table's reason.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws Malformed with a `printf`-style message.
[[noreturn, gnu::format(printf, 1, 2)]] void malformed(const char* format, ...);

/// Throws Malformed unless the condition holds.
#define CONFORMANCE_REQUIRE(condition, ...) \
  ((condition) ? static_cast<void>(0) : ::attn::conformance::malformed(__VA_ARGS__))

}  // namespace attn::conformance
