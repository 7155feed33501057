// What the UI remembers between frames that is no state of the lesson: where the pointer and the keyboard
// are, what is open, what moves.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lessons/lesson.h"
#include "ui/animation.h"
#include "ui/scene.h"

namespace attn::ui {

/// A place in the scene: a region, and a cell of it when it is a grid.
struct Spot {
  RegionId region = 0;
  int row = -1;
  int column = -1;
  bool operator==(const Spot&) const = default;
};

enum class Card : std::uint8_t { none, settings, help, tensors };

/// What is being typed: a whole number for a parameter, or a number for the chosen cell.
struct NumberEdit {
  static constexpr int kNothing = -1;
  static constexpr int kCell = -2;

  int parameter = kNothing;
  std::string digits = {};  // of a cell with sign and point: "-0.25"

  bool active() const { return parameter != kNothing; }
};

struct ViewState {
  Spot hover;
  lessons::Role word_role = lessons::Role::plain;  // of the word in the page that the pointer is over
  Spot pressed;
  bool drag_edited = false;    // this press has changed cells already
  int held_reach = 0;          // of the plane whose vector is held, in tenths: it stays as it is meanwhile
  Spot keyboard;               // region 0: nothing has the keyboard's focus
  bool show_keyboard = false;  // the ring shows after a key, not after a click
  Card card = Card::none;
  int card_layer = -1;  // of the tensors card on a phone
  bool card_decoder = true;
  NumberEdit edit;
  bool poke_armed = false;
  int lens_column = 0;
  bool as_arcs = false;  // a phone shows weights as arcs, not as a matrix
  bool playing = false;
  int playing_step = 0;                 // leaving this step stops it
  int speed = 1;                        // index into kSpeeds
  double next_token_s = 0.0;            // while playing
  std::string error;                    // of the last intent that failed
  const char* wanted_lesson = nullptr;  // the reader asks for it; whoever draws the frames opens it
  Motion motion;
};

inline constexpr float kSpeeds[] = {0.5f, 1.0f, 2.0f, 4.0f};
inline constexpr int kSpeedCount = 4;
inline constexpr double kTokenHold = 1.6;  // seconds a token at 1x

}  // namespace attn::ui
