// The sscanf of Dear ImGui in the page's program (platform/imgui_config.h): it reads the number in "#version
// 300 es", and whole numbers are all it ever reads. The C library's would bring 11 kB of code for fractions.
#include <cstdarg>

/// Reads `text` by a format of %d and characters that must be there as they are; returns how many numbers it
/// has read.
extern "C" int attn_scan_integers(const char* text, const char* format, ...) {
  std::va_list numbers;
  va_start(numbers, format);
  int count = 0;
  for (; *format != '\0'; ++format) {
    if (*format != '%') {
      if (*text++ != *format) break;
      continue;
    }
    ++format;  // the d
    const bool negative = *text == '-';
    if (negative) ++text;
    if (*text < '0' || *text > '9') break;
    int number = 0;
    for (; *text >= '0' && *text <= '9'; ++text) number = number * 10 + (*text - '0');
    *va_arg(numbers, int*) = negative ? -number : number;
    ++count;
  }
  va_end(numbers);
  return count;
}
