#include "lessons/registry.h"
#include "ui/controls.h"
#include "ui/views.h"

namespace attn::ui {

Subject subject_of(const lessons::Session& session) {
  return {session.lesson(),     session.run(),      session.values(),   session.focus(),
          session.step_index(), session.can_undo(), session.can_redo(), lessons::all_lessons()};
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

LayoutRequest layout_request(const Subject& subject, float width, float height, bool touch) {
  LayoutRequest request{.width = width, .height = height, .touch = touch};
  const StageModel stage = stage_model(subject.run, subject.focus);
  const MapModel map = map_model(subject.run);
  request.rows = stage.training.rows;
  request.columns = stage.training.columns;
  request.square = stage.square;
  request.heads = stage.heads;
  if (!map.tiles.empty()) {
    request.attention_rows = static_cast<int>(map.attention_rows.size());
    request.feed_forward_rows = static_cast<int>(map.feed_forward_rows.size());
  }
  request.settings = parameters_at(subject.lesson, lessons::ParameterPlace::model);
  request.lessons = static_cast<int>(subject.lessons.size());
  return request;
}

Scene build_scene(const Subject& subject, const ViewState& view, const lessons::Preferences& preferences,
                  gfx::Theme theme, bool page_narration, double now_s, const Layout& layout,
                  const TextMeasure& measure) {
  Scene scene;
  Sketch sketch{scene, measure};
  Context context{subject, view, preferences, theme, page_narration, now_s, layout, sketch};
  const StageModel stage = stage_model(subject.run, subject.focus);
  const MapModel map = map_model(subject.run);

  view_narration(context);
  view_rail(context);
  view_head_bar(context);
  view_title(context, stage);
  view_heads(context, stage);
  if (stage.valid()) {
    view_pane(context, stage, stage.training, layout.training);
    view_pane(context, stage, stage.inference, layout.inference);
    view_row_verdicts(context, stage);
    view_big_verdict(context, stage);
  }
  if (!view.error.empty())
    view_error(context, {layout.inspector.x, layout.inspector.y, layout.inspector.width, 136.0f}, view.error);
  else if (layout.inspector_form == InspectorForm::lens)
    view_lens(context, stage);
  else
    view_inspector(context, stage);
  view_map(context, map);
  view_transport(context);
  view_cards(context, map);
  return scene;
}

}  // namespace attn::ui
