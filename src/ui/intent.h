// What a reader asks for. Interaction produces intents, ui/apply carries them out on the Session and on the
// view's own state.
#pragma once

#include <cstdint>

#include "tape/label.h"

namespace attn::ui {

enum class IntentKind : std::uint8_t {
  none,
  set_parameter,    // parameter `index` of the lesson becomes `value`
  nudge_parameter,  // … changes by `value`, clamped
  edit_parameter,   // typing into the number field of parameter `index`
  focus_tensor,     // the stage shows `label`, before its mask where `value` isn't 0
  open_block,       // … and that alone, as large as it gets; where it is so already, everything again
  select_cell,      // cell (row, column) of the shown tensor; column -1 keeps the column. On a board of
                    // `label`, before its mask where `value` isn't 0; the chosen cell again opens its block
  nudge_cell,       // the chosen cell, one the reader may change, by `value` tenths
  drag_cell,        // cell (row, column) of `label`: its number when the drag began, and `value` tenths
  edit_cell,        // typing into the chosen cell
  set_cell,         // the chosen cell, one the reader may change, becomes `number`
  toggle_cell,      // cell (row, column) of `label`, which holds 0 or 1, becomes the other
  take_candidate,   // token `value` is written at row `row` of `label`, a block of candidates
  move_vector,    // row `index` of `label` points at cell (row, column) of a square of tenths, 2·`value` + 1
                  // wide
  edit_sentence,  // typing into the field for the reader's sentence
  write_sentence,   // what was typed there becomes the sentence
  take_suggestion,  // so does suggestion `value` of what was refused
  clear_edits,      // every changed cell gets its own number back
  clear,            // Esc: closes what is open, else clears the selection
  select_head,      // head `value`
  step_by,          // narration steps, by `value`
  go_to_step,       // narration step `value`; -1 is the last
  toggle_play,
  work_step,     // one step of the lesson's work
  work_restart,  // … from the beginning
  next_speed,    // 0.5x 1x 2x 4x, by `value`
  choose_token,  // token `value`: the prefix ends there, or it is poked while poking is armed
  toggle_poke,   // arms poking, disarms it, or takes a poke back
  set_language,  // `value`: lessons::Language
  toggle_theme,
  open_lesson,  // lesson `value` of the registry
  toggle_settings,
  toggle_help,
  toggle_lessons,
  toggle_narration,  // the card with the whole text of the step
  toggle_term,       // the card of term `value` of the glossary; `index` is the word's region
  scroll_text,       // of the narration, by `value` lines
  toggle_tensors,    // the card with the tensor map; on a phone the tensors of layer `value`
  show_arcs,         // `value`: a phone shows arcs in place of the matrix of the same weights
  move_lens,         // the row lens moves by `value` columns
  undo,
  redo,
  reset,
};

struct Intent {
  IntentKind kind = IntentKind::none;
  int index = -1;
  int value = 0;
  int row = -1;
  int column = -1;
  tape::Label label = {};
  float number = 0.0f;

  bool operator==(const Intent&) const = default;
};

}  // namespace attn::ui
