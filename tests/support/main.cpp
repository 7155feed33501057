// Catch2's main, and a listener that ends the output with the line scripts/test reads:
//   result: 12 passed, 0 failed, 1 skipped
#ifndef ATTN_CATCH2_V3
#define CATCH_CONFIG_RUNNER
#endif
#include "support/catch.h"

#include <cstdio>

namespace attn::test {
namespace {

unsigned skipped_count = 0;

#ifdef ATTN_CATCH2_V3
using ListenerBase = Catch::EventListenerBase;
#else
using ListenerBase = Catch::TestEventListenerBase;
#endif

class SummaryLine : public ListenerBase {
 public:
  using ListenerBase::ListenerBase;

  void testRunEnded(const Catch::TestRunStats& stats) override {
    const Catch::Counts& cases = stats.totals.testCases;
    const unsigned passed = static_cast<unsigned>(cases.passed) - skipped_count;
    const unsigned failed = static_cast<unsigned>(cases.failed + cases.failedButOk);
    std::printf("result: %u passed, %u failed, %u skipped\n", passed, failed, skipped_count);
    std::fflush(stdout);
  }
};

}  // namespace

void note_skip(const char* reason) {
  ++skipped_count;
  std::printf("skipped: %s\n", reason);
}

}  // namespace attn::test

using attn::test::SummaryLine;  // the macro needs a name without ::
CATCH_REGISTER_LISTENER(SummaryLine)

int main(int argc, char* argv[]) {
  Catch::Session session;
#ifdef __EMSCRIPTEN__
  // isatty() is always true there, and escape sequences would land in log files.
#ifdef ATTN_CATCH2_V3
  session.configData().defaultColourMode = Catch::ColourMode::None;
#else
  session.configData().useColour = Catch::UseColour::No;
#endif
#endif
  return session.run(argc, argv);
}
