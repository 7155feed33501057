// Prints the reference hash, so that builds can be compared with each other.
#include "support/reference_run.h"

#include <cinttypes>
#include <cstdio>

int main() {
  std::printf("%016" PRIx64 "\n", attn::test::reference_hash());
  return 0;
}
