#include "core/result.h"

#include <cstdarg>
#include <cstdio>

namespace attn::core {

Error error_at(const char* format, ...) {
  char buffer[1000];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  return Error{buffer};
}

}  // namespace attn::core
