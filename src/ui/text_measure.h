// How scene building asks for the width of a text, so that scenes are built without ImGui (tests, layout).
#pragma once

#include <cstdint>
#include <string_view>

namespace attn::ui {

/// Two faces, three weights each. All numbers, indices and tensor names are mono.
enum class Font : std::uint8_t { ui400, ui500, ui600, mono400, mono500, mono600 };
inline constexpr int kFontCount = 6;

struct TextMeasure {
  const void* user = nullptr;
  /// Advance of a line of UTF-8 in UI pixels.
  float (*width_of)(const void* user, std::string_view text, Font font, float size) = nullptr;

  float width(std::string_view text, Font font, float size) const {
    return text.empty() ? 0.0f : width_of(user, text, font, size);
  }
};

}  // namespace attn::ui
