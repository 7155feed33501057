#include "support/catch.h"
#include "support/reference_run.h"

using namespace attn::test;

TEST_CASE("the reference run has the recorded hashes on every compiler and platform") {
  CHECK(forward_hash() == kForwardHash);
  CHECK(training_hash() == kTrainingHash);
  CHECK(generation_hash() == kGenerationHash);
}
