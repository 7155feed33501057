// The field for the reader's own sentence in the window: drawn under the narration, typed into through Dear
// ImGui. A page has a field of its own (web/sentence.js) that behaves the same, so the field is entered
// through its pointers alone, which the page's program leaves null and all this code with them.
//
// What is typed is a draft until Enter or leaving the field applies it; Escape gives it up, a second one
// leaves the field. A refused draft stays, with the reason in the hint's place, until it is changed, given
// up, or overtaken: by another lesson, or by another sentence while the field isn't in use.
#pragma once

#include "ui/context.h"
#include "ui/interaction.h"
#include "ui/paint.h"

namespace attn::ui {

struct SentenceField {
  /// Height it takes at this width; in one line (of a strip) there is no name, and the reason is the strip's.
  float (*height)(const Context& context, float width);
  /// Draws it into `area`: with its name, hint and suggestions, or the box alone in an area of one line.
  void (*view)(Context& context, const Rect& area);
  /// Keys while it is typed into; false passes the key on.
  bool (*key)(const KeyPress& press, ViewState& view, Response& response);
  /// The pointer or the keyboard goes elsewhere.
  void (*leave)(ViewState& view, Response& response);
  /// write_sentence and take_suggestion.
  void (*carry_out)(const Intent& intent, lessons::Session& session, ViewState& view);
  /// After the session has changed.
  void (*follow)(const lessons::Session& session, ViewState& view);
  /// Inside the frame's ImGui window, over what is painted: takes what is typed while it is typed into.
  void (*edit)(const Scene& scene, const lessons::Session& session, const FontSet& fonts, gfx::Theme theme,
               ViewState& view);
};

extern const SentenceField kSentenceField;

/// The field of a lesson that has a sentence, where the window draws one; else nullptr.
inline const SentenceField* sentence_field_of(const Context& context) {
  const bool wanted = context.subject.lesson.sentence.most > 0 && !context.page_narration;
  return wanted ? context.view.sentence_field : nullptr;
}

inline constexpr float kSentenceBox = 36.0f;  // its height

}  // namespace attn::ui
