// conformance [--dir DIR] [--list]: see runner.h.
#include "conformance/runner.h"

int main(int argc, char* argv[]) { return attn::conformance::run_command(argc, argv); }
