// Catch2 for the tests, version 2.13 or 3, and what both lack in common.
//
// Include this and nothing of Catch2 itself. It gives TEST_CASE, SECTION, REQUIRE, CHECK, INFO, CAPTURE,
// GENERATE, Approx, and ATTN_SKIP for a test whose input is not there.
#pragma once

#ifdef ATTN_CATCH2_V3
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch_amalgamated.hpp>
#endif
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif

namespace attn::test {

// Prints `skipped: <reason>` and counts it for the summary line. The count leaves out what was passed
// already: a test case calls this once, before anything else, and returns.
void note_skip(const char* reason);

}  // namespace attn::test

// Ends the test case and counts it as skipped, not as passed. `reason` names what is missing.
#define ATTN_SKIP(reason)            \
  do {                               \
    ::attn::test::note_skip(reason); \
    return;                          \
  } while (false)
