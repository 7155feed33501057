// What every view gets: what there is to show, how it is looked at, where it goes.
#pragma once

#include <span>

#include "lessons/lesson.h"
#include "lessons/preferences.h"
#include "lessons/session.h"
#include "ui/layout.h"
#include "ui/sketch.h"
#include "ui/strings.h"
#include "ui/view_state.h"

namespace attn::ui {

/// The session as views read it; tests fill it by hand.
struct Subject {
  const lessons::Lesson& lesson;
  const lessons::Run& run;
  const lessons::ParameterValues& values;
  lessons::Focus focus = {};
  int step = 0;
  bool can_undo = false;
  bool can_redo = false;
  std::span<const lessons::Lesson* const> lessons = {};
  bool edited = false;              // the reader changed a cell
  lessons::WorkProgress work = {};  // of a lesson that has some
  bool changed = false;  // something else than the lesson's beginning: starting over would change it

  const lessons::Step* step_now() const {
    const auto index = static_cast<std::size_t>(step);
    return step >= 0 && index < run.steps.size() ? &run.steps[index] : nullptr;
  }
};

Subject subject_of(const lessons::Session& session);

struct Context {
  const Subject& subject;
  const ViewState& view;
  const lessons::Preferences& preferences;
  gfx::Theme theme;
  bool page_narration;  // the page sets the narration: leave its rectangle empty
  double now_s;
  const Layout& layout;
  Sketch& sketch;

  lessons::Language language() const { return preferences.language; }
  const char* say(Word which) const { return word(which, preferences.language); }
};

/// Tab stops, in no particular order; controls that stand alone get a stop of their own.
enum class Group : GroupId {
  rail = 1,
  head_bar,
  heads,
  training_switch,
  inference_switch,
  training_cells,
  inference_cells,
  inspector,
  map_head,
  map,
  transport,
  tokens,
  poke,
  card,
  narration,  // words with a role: for the pointer alone
  sentence,   // the field for the reader's own
  view_switch,
  settings = 32,    // + index of the parameter
  parameters = 96,  // + index, controls outside the settings
  blocks = 160,     // + index, the matrices of a board
  turns = 512,      // + index, the switches over blocks that take turns
  openers = 768,    // + index, the titles of a board's matrices
};

constexpr GroupId group_of(Group group, int index = 0) {
  return static_cast<GroupId>(static_cast<int>(group) + index);
}

/// Stable across frames: one number a group and position in it.
constexpr RegionId region_id(GroupId group, int index = 0) {
  return (static_cast<RegionId>(group) << 16) | static_cast<RegionId>(index);
}

/// The button one step on, which the keys for it press: from the last step it leads to the next lesson.
inline RegionId forward_id() { return region_id(group_of(Group::transport), 2); }

}  // namespace attn::ui
