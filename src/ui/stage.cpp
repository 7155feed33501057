#include <algorithm>

#include "lessons/registry.h"
#include "ui/sentence_field.h"
#include "ui/stage_kind.h"

namespace attn::ui {

Subject subject_of(const lessons::Session& session) {
  return {session.lesson(),         session.run(),           session.values(),   session.focus(),
          session.step_index(),     session.can_undo(),      session.can_redo(), lessons::all_lessons(),
          !session.edits().empty(), session.work_progress(), session.can_reset()};
}

int parameter_at(const lessons::Lesson& lesson, lessons::ParameterPlace place, int nth) {
  for (std::size_t i = 0; i < lesson.parameters.size(); ++i)
    if (lesson.parameters[i].place == place && nth-- == 0) return static_cast<int>(i);
  return -1;
}

int parameters_at(const lessons::Lesson& lesson, lessons::ParameterPlace place) {
  int count = 0;
  for (const lessons::Parameter& parameter : lesson.parameters) count += parameter.place == place ? 1 : 0;
  return count;
}

namespace {

ShownTensor shown_tensor(const Subject& subject) {
  const tape::Tape& tape = subject.run.tape();
  const tape::Value entry = tape.find(subject.focus.tensor);
  if (!entry.valid()) return {};
  const core::Shape& shape = tape.tensor(entry).shape;
  const int heads = lessons::plane_of(subject.focus.tensor, shape).heads;
  ShownTensor shown{subject.focus, shape, heads};
  shown.focus.head = std::clamp(shown.focus.head, 0, heads - 1);
  return shown;
}

}  // namespace

LayoutRequest layout_request(const Subject& subject, lessons::Language language, const TextMeasure& measure,
                             float width, float height, bool touch) {
  LayoutRequest request{.width = width, .height = height, .touch = touch};
  request.settings = parameters_at(subject.lesson, lessons::ParameterPlace::model);
  request.lessons = static_cast<int>(subject.lessons.size());
  for (const lessons::Lesson* lesson : subject.lessons)
    request.most_settings =
        std::max(request.most_settings, parameters_at(*lesson, lessons::ParameterPlace::model));
  request.heads = std::max(shown_tensor(subject).heads, 1);
  request.board = subject.run.board.has_value();
  kind_of(subject.run).request(request, subject, language, measure);
  return request;
}

Scene build_scene(const Subject& subject, const ViewState& view, const lessons::Preferences& preferences,
                  gfx::Theme theme, bool page_narration, double now_s, const Layout& layout,
                  const TextMeasure& measure) {
  Scene scene;
  Sketch sketch{scene, measure};
  Context context{subject, view, preferences, theme, page_narration, now_s, layout, sketch};
  const ShownTensor shown = shown_tensor(subject);
  view_rail(context);
  view_head_bar(context);
  view_title(context, shown);
  view_heads(context, shown);
  kind_of(subject.run).view(context);
  const Rect sentence = view_narration(context);
  if (!sentence.empty()) view.sentence_field->view(context, sentence);  // after the stage for the keyboard
  view_card(context);
  view_hint(context);
  return scene;
}

}  // namespace attn::ui
