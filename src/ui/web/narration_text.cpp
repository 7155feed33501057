#include "ui/narration_text.h"

namespace attn::ui {

Rect draw_narration(Context&, const lessons::Step&) { return {}; }
void draw_narration_card(Context&) {}
void draw_term_card(Context&) {}

}  // namespace attn::ui
