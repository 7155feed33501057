// What the UI remembers between frames that is no state of the lesson: where the pointer and the keyboard
// are, what is open, what moves.
#pragma once

#include <cstdint>
#include <optional>
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

enum class Card : std::uint8_t { none, settings, help, tensors, lessons, narration, term };

/// What is being typed: a whole number for a parameter, or a number for the chosen cell.
struct NumberEdit {
  static constexpr int kNothing = -1;
  static constexpr int kCell = -2;

  int parameter = kNothing;
  std::string digits = {};  // of a cell with sign and point: "-0.25"

  bool active() const { return parameter != kNothing; }
};

/// The reader's sentence while it is written in the window.
struct SentenceDraft {
  bool typing = false;                      // the field has the keyboard
  std::optional<std::string> text = {};     // what is typed and not applied
  core::Error refusal = {};                 // of it; without a message: none
  const lessons::Lesson* lesson = nullptr;  // when the session was followed last
  std::string sentence = {};                // … the one it had
};

struct SentenceField;

struct ViewState {
  Spot hover;
  lessons::Topic word;  // of the word in the page that the pointer is over
  Spot pressed;
  Point press_point;
  bool drag_edited = false;    // this press has changed cells already
  float drag_from = 0.0f;      // the number of the dragged cell before
  int held_reach = 0;          // of the plane whose vector is held, in tenths: it stays as it is meanwhile
  Spot keyboard;               // region 0: nothing has the keyboard's focus
  bool show_keyboard = false;  // the ring shows after a key, not after a click
  Card card = Card::none;
  int card_layer = -1;  // of the tensors card on a phone
  bool card_decoder = true;
  int card_term = -1;  // of the term card: which, and the region of its word
  RegionId card_word = 0;
  Card card_under = Card::none;  // comes back when the term card closes
  int text_line = 0;             // the first one shown of a narration that doesn't fit
  int text_step = 0;             // … of this step
  NumberEdit edit;
  SentenceDraft sentence;
  const SentenceField* sentence_field = nullptr;  // null: the page has one (ui/sentence_field.h)
  bool poke_armed = false;
  int lens_column = 0;
  bool as_arcs = false;  // a phone shows weights as arcs, not as a matrix
  bool playing = false;
  int playing_step = 0;                 // leaving this step stops it
  int speed = 1;                        // index into kSpeeds
  double next_token_s = 0.0;            // while playing
  double was_hidden_until_s = 0.0;      // says until then that work stood still while nothing was shown
  core::Error error;                    // of the last intent that failed
  const char* wanted_lesson = nullptr;  // the reader asks for it; whoever draws the frames opens it
  Motion motion;
};

inline constexpr float kSpeeds[] = {0.5f, 1.0f, 2.0f, 4.0f};
inline constexpr int kSpeedCount = 4;
inline constexpr double kTokenHold = 1.6;  // seconds a token at 1x

}  // namespace attn::ui
