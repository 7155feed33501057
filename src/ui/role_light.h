// Words of the narration and blocks of a board that speak of the same thing light each other: while the
// pointer is over a word, the blocks of its role have an outline; while it is over a block, the words of its
// role have a line under them.
#pragma once

#include "ui/context.h"

namespace attn::ui {

struct RoleLight {
  lessons::Role blocks = lessons::Role::plain;  // plain: none
  lessons::Role words = lessons::Role::plain;
};

/// A role that words and blocks can share: query, key, value, output or memory.
bool lights(lessons::Role role);

/// What is lit by the pointer, on the canvas or on a word of the page.
RoleLight role_light(const Subject& subject, const ViewState& view);

/// A word that lights blocks, as something the pointer can be over but not press; `index` tells it from
/// others of its role.
Region word_region(const Piece& word, int index, const Rect& rect);

}  // namespace attn::ui
