#include "support/catch.h"
#include "support/reference_run.h"

TEST_CASE("the reference run has the recorded hash on every compiler and platform") {
  CHECK(attn::test::reference_hash() == attn::test::kReferenceHash);
}
