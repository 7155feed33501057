// A line of text being typed, by Dear ImGui's InputText: caret, selection, clipboard and input method are its
// own; frame and everything around the text are drawn by who uses it.
#pragma once

#include <string>

#include "ui/geometry.h"
#include "ui/paint.h"

namespace attn::ui {

struct TextBox {
  Rect rect = {};
  float margin = 10.0f;  // left and right of the text
  float size = 15.0f;
};

/// Shows `text` in the current ImGui window and keeps the keyboard as long as it is called in every frame.
/// Returns whether it was changed.
bool edit_text(const TextBox& box, const FontSet& fonts, gfx::Theme theme, std::string& text);

}  // namespace attn::ui
