// The narration in letters, as the native window needs it (ui/native); in a page it is HTML, and this draws
// nothing (ui/web). One of the two is built.
#pragma once

#include "ui/context.h"

namespace attn::ui {

/// In its place of the layout: the whole text, scrolling where it doesn't fit, or one sentence with a button
/// for the whole. Returns the place for the reader's sentence beside or under it, empty where there is none.
Rect draw_narration(Context& context, const lessons::Step& step);

/// Cards: the whole text, and what a term means.
void draw_narration_card(Context& context);
void draw_term_card(Context& context);

}  // namespace attn::ui
