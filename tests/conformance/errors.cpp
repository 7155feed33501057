#include "conformance/errors.h"

#include <cstdarg>
#include <cstdio>

namespace attn::conformance {

void malformed(const char* format, ...) {
  char text[1000];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  throw Malformed(text);
}

}  // namespace attn::conformance
