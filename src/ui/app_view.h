// One frame of the whole UI, inside one full-screen ImGui window without decorations:
//
//     ui::FrameInput input = …;             // copied from platform::FrameInput
//     ui::FrameResult result = ui::draw_frame(session, preferences, view, input);
//
// Nothing is drawn while nothing changes: `next_frame_s` asks for frames only while something moves or plays.
#pragma once

#include <cstdint>
#include <vector>

#include "gfx/heatmap.h"
#include "lessons/preferences.h"
#include "lessons/session.h"
#include "ui/interaction.h"
#include "ui/layout.h"
#include "ui/paint.h"
#include "ui/view_state.h"

namespace attn::ui {

struct FrameInput {
  float width = 0.0f;  // UI pixels
  float height = 0.0f;
  double now_s = 0.0;
  bool keyboard_focus = false;
  Entry focus_entry = Entry::none;
  bool touch = false;
  bool reduced_motion = false;  // the system's setting; the reader's own is in the preferences
  bool dark = false;            // the system's or the page's theme, for Theme::automatic
  bool page_narration = false;
  bool was_hidden = false;       // the first frame after a time out of sight
  Typed typed = Typed::nothing;  // into the page's own field over `field` of the last frame
  float typed_number = 0.0f;
  lessons::Topic word = {};  // of the word in the page's narration under the pointer
  FontSet fonts = {};
  gfx::Renderer* renderer = nullptr;
};

/// A number that is being typed. A finger's keyboard needs a field of the page's, which goes here.
struct NumberField {
  enum class Kind : std::uint8_t { none, whole, decimal };

  Kind kind = Kind::none;
  Rect rect = {};
  float number = 0.0f;  // what stands there now
};

struct FrameResult {
  double next_frame_s = -1.0;                           // 0: at once; negative: not needed
  NarrationLayout narration = NarrationLayout::hidden;  // hidden also where a card lies over it
  bool narration_veiled = false;                        // a card is open: not to be read or used
  Rect narration_rect = {};
  float minimum_height = 0.0f;  // below it parts of the screen have to go
  bool key_used = false;
  PointerShape pointer = PointerShape::arrow;
  gfx::Theme theme = gfx::Theme::light;
  const char* wanted_lesson = nullptr;  // the reader asks for this lesson: ui::open_lesson, once it's there
  bool played = false;                  // what this frame changed is playing's doing, not the reader's
  NumberField field = {};
  std::vector<Rect> holds = {};   // where a finger changes something: the page must not scroll there
  lessons::Topic lit_words = {};  // the page tints the words that cover this
};

/// The theme in force.
gfx::Theme theme_of(const lessons::Preferences& preferences, bool dark);

/// Colour behind everything, 0xRRGGBB.
std::uint32_t background_of(gfx::Theme theme);

FrameResult draw_frame(lessons::Session& session, lessons::Preferences& preferences, ViewState& view,
                       const FrameInput& input);

}  // namespace attn::ui
