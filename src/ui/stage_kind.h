// What a screen does in its own way, depending on whether its lesson shows a twin or a board. Each kind is
// entered through its StageKind alone: the web build gives each a file of its own (cmake/split_lessons.mjs)
// by the names of the namespaces below, and a page fetches the one that its lesson shows.
#pragma once

#include "ui/views.h"

namespace attn::ui {

struct StageKind {
  /// Adds to a request what the layout must know of the stage.
  void (*request)(LayoutRequest& request, const Subject& subject, lessons::Language language,
                  const TextMeasure& measure);
  void (*view)(Context& context);
  /// Notes what the stage shows, so that the next frame finds out what has changed.
  void (*note)(const lessons::Session& session, Shown& shown, ViewState& view);
  /// What a word must speak of to light what the pointer is over: place `index` of a group.
  lessons::Topic (*topic)(const Subject& subject, int group, int index);
};

namespace twin_stage {
extern const StageKind kKind;
}
namespace board_stage {
extern const StageKind kKind;
}

inline const StageKind& kind_of(const lessons::Run& run) {
  return run.board ? board_stage::kKind : twin_stage::kKind;
}

}  // namespace attn::ui
