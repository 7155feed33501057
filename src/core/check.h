// Checks for our own mistakes: a broken precondition prints file and line and stops the program.
// A mistake of a caller outside (file, URL, JavaScript) is never a check; it is a core::Result.
#pragma once

namespace attn::core {

[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace attn::core

/// Stops with "file:line: check failed: condition" when the condition is false, in every build type.
#define ATTN_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::attn::core::check_failed(#condition, __FILE__, __LINE__))
