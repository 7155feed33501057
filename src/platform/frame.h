// What the platform hands to the application for each frame, and what a frame hands back.
//
// The platform draws nothing by itself and calls nobody while nothing happens. A frame is drawn when an event
// came in (pointer, key, size, pixel ratio, theme, a command from the page) or when the last frame asked for
// another. The UI library doesn't include this header: app/main.cpp copies the fields into the UI's own
// structs.
#pragma once

#include <cstdint>
#include <vector>

struct ImFont;

namespace attn::platform {

/// Fonts for ImGui::PushFont(font, size). Sizes are free: glyphs are made on demand at the size and pixel
/// ratio in use. Each has Latin, Chinese and the mathematical signs (√ ᵀ ₖ α ′ − ∞ ≠ ·), on the web from the
/// reader's own system fonts, natively from the installed ones. Size s means an em of s UI pixels as in CSS;
/// the baseline lies 0.86 s below the top of the line box, so text centred by ImGui::CalcTextSize looks
/// centred.
struct Fonts {
  ImFont* ui400 = nullptr;
  ImFont* ui500 = nullptr;
  ImFont* ui600 = nullptr;
  ImFont* mono400 = nullptr;
  ImFont* mono500 = nullptr;
  ImFont* mono600 = nullptr;
};

/// How keyboard focus came in, so that the UI can put its own focus on its first or last group.
enum class FocusEntry : std::uint8_t { none, forward, backward };

struct FrameInput {
  float width = 0.0f;  // UI pixels
  float height = 0.0f;
  float pixel_ratio = 1.0f;  // device pixels per UI pixel
  double now_s = 0.0;        // monotonic, stands still while the page is hidden
  float delta_s = 0.0f;      // since the last frame, > 0 and at most 0.1
  bool keyboard_focus = false;
  FocusEntry focus_entry = FocusEntry::none;  // set for one frame
  bool touch = false;                         // the last pointer was a finger: targets are 44 px, no hover
  bool reduced_motion = false;                // the reader's system setting: durations are 0
  bool prefers_dark = false;    // the scheme of the system or the page, for the theme "automatic"
  bool page_narration = false;  // narration is HTML beside the canvas: leave its rectangle empty
  bool was_hidden = false;      // the first frame after a time in which none was drawn because none was seen
  int typed = 0;                // what became of FrameOutput::field: 1 a number, 2 given up
  float typed_number = 0.0f;
  int word = 0;  // lessons::code_of the word in the page's narration under the pointer; 0: none
};

struct Rect {
  float x = 0.0f, y = 0.0f, width = 0.0f, height = 0.0f;
  bool operator==(const Rect&) const = default;
};

/// How the page's narration is set in its rectangle.
enum class NarrationLayout : std::uint8_t {
  hidden,
  panel,  // the full text, 304 px at the right of a desktop
  strip,  // one sentence over the transport of an embed
  brief,  // one sentence in two lines at the top of a phone
};

enum class Cursor : std::uint8_t { arrow, pointer, text, grab };

/// Returned by a frame.
struct FrameOutput {
  /// Draw the next frame this many seconds from now: 0 while something moves, the time to the next step while
  /// playing, negative when nothing is due.
  double next_frame_s = -1.0;
  NarrationLayout narration = NarrationLayout::hidden;
  bool narration_veiled = false;  // something else is open: it is not to be read or used
  Rect narration_rect;
  /// A key pressed in this frame was used. Only then is it kept from the page: Tab at the end of the UI's own
  /// order and Esc with nothing to clear return false and so leave the canvas.
  bool key_used = false;
  /// The wheel was used (the pointer was over something that scrolls or zooms).
  bool wheel_used = false;
  Cursor cursor = Cursor::arrow;
  /// Height in UI pixels below which parts of the screen have to go; a page may give the canvas more.
  float minimum_height = 0.0f;
  /// Changes whenever the session's state does; the page reads the state again when it differs.
  std::uint32_t state_revision = 0;
  /// What this frame changed of the state, it changed by itself (playing went on), not for the reader.
  bool by_itself = false;
  /// A number that is being typed, of which a finger's keyboard needs a field of the page's: 0 none, 1 whole,
  /// 2 with sign and point.
  int field = 0;
  Rect field_rect;
  float field_number = 0.0f;
  /// Where a finger changes something by moving up and down: the page must not scroll there.
  std::vector<Rect> holds;
  /// Words that cover this topic (lessons::code_of) are lit in the page's narration; 0: none.
  int lit_words = 0;
};

}  // namespace attn::platform
