// From input events to intents: a function of what is on screen and of where pointer and keyboard were.
//
// Pointer   hover and click; a touch has no hover; a region that drags follows the pointer while it is held
//           up and down over a number that may be changed changes it; a finger has to choose it before, so
//           that it can scroll the page anywhere else; a tap on a chosen one writes over it
// Tab       to the next stop; at either end of the order it isn't used and so leaves the canvas
// Arrows    inside a matrix, a row of options, a number; elsewhere left and right are steps
// Digits    type into a number field, or into the chosen cell of a tensor the reader may change
// Space     activates what has the keyboard, else one step forward; Enter activates
// P Home End Esc ? Ctrl+Z Ctrl+Shift+Z R   play, first step, last step, clear, help, undo, redo, start over
#pragma once

#include <cstdint>
#include <vector>

#include "ui/scene.h"
#include "ui/view_state.h"

namespace attn::ui {

enum class Key : std::uint8_t {
  tab,
  left,
  right,
  up,
  down,
  enter,
  space,
  escape,
  home,
  end,
  backspace,
  p,
  r,
  y,
  z,
  question,
  minus,
  point,
  digit
};

struct KeyPress {
  Key key = Key::tab;
  bool shift = false;
  bool control = false;
  int digit = 0;
  bool repeated = false;  // by being held down
};

/// Keyboard focus that has just come in from outside.
enum class Entry : std::uint8_t { none, forward, backward };

/// What became of a number that the page let a finger type: applied, or given up.
enum class Typed : std::uint8_t { nothing, number, given_up };

struct Input {
  Point pointer = {-1.0f, -1.0f};
  bool pressed = false;   // in this frame
  bool released = false;  // in this frame
  bool held = false;
  bool touch = false;
  bool keyboard_focus = false;
  Entry entry = Entry::none;
  std::vector<KeyPress> keys = {};
  float wheel = 0.0f;  // notches, up
  Typed typed = Typed::nothing;
  float number = 0.0f;  // that was typed
};

enum class PointerShape : std::uint8_t { arrow, pointer, text };

struct Response {
  std::vector<Intent> intents;
  bool key_used = false;
  PointerShape pointer = PointerShape::arrow;
};

/// Updates hover, press, keyboard focus and number editing of `view`; everything else comes back as intents.
Response interact(const Scene& scene, const Input& input, ViewState& view);

/// Where a finger that moves up and down changes something, so that the page must not scroll: tips of
/// vectors, and the chosen number if it may be changed.
std::vector<Rect> holds(const Scene& scene);

/// Where the number that is being typed stands: its cell, or its field. Empty: nowhere on the screen.
Rect typing_place(const Scene& scene, const NumberEdit& edit);

/// The stops of the Tab key in order: indices into Scene::regions, one for each run of options of one group.
std::vector<std::size_t> keyboard_stops(const Scene& scene);

}  // namespace attn::ui
