// The few pictures of the interface, drawn from lines and triangles.
#pragma once

#include "ui/sketch.h"

namespace attn::ui {

enum class Icon : std::uint8_t {
  back,
  play,
  pause,
  forward,
  poke,
  left,
  right,
  settings,
  theme,
  close,
  undo,
  redo,
  restart,
  list,
  keys,
  more,
  less,
  one_step
};

/// Centred on `centre`; `size` is about its width.
void draw_icon(Sketch& sketch, Icon icon, Point centre, float size, Colour colour);

/// Two bars; struck through when different.
void draw_equal_mark(Sketch& sketch, Point centre, float size, Colour colour);
void draw_different_mark(Sketch& sketch, Point centre, float size, Colour colour);

/// Three arcs from one point, of falling weight: the product's mark. `origin` is the left end of the base.
void draw_brand(Sketch& sketch, Point origin);

}  // namespace attn::ui
