#include <algorithm>

#include "lessons/registry.h"
#include "ui/board_controls.h"
#include "ui/board_places.h"
#include "ui/views.h"

namespace attn::ui {

Subject subject_of(const lessons::Session& session) {
  return {session.lesson(),   session.run(),          session.values(),
          session.focus(),    session.step_index(),   session.can_undo(),
          session.can_redo(), lessons::all_lessons(), !session.edits().empty()};
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

Rect error_area(const Layout& layout) {
  constexpr float kHeight = 136.0f;
  const float y = layout.inspector.empty() ? layout.board.bottom() - kHeight : layout.inspector.y;
  return {layout.content.x, y, layout.content.width, kHeight};
}

/// Something of the step's sheet can be chosen cell by cell.
bool has_cells(const Subject& subject) {
  const lessons::Sheet& sheet = subject.run.sheet_at(subject.step);
  return std::any_of(sheet.blocks.begin(), sheet.blocks.end(), [](const lessons::Block& block) {
    return block.kind == lessons::BlockKind::matrix || block.kind == lessons::BlockKind::vectors;
  });
}

void view_twin_stage(Context& context) {
  const Layout& layout = context.layout;
  const StageModel stage = stage_model(context.subject.run, context.subject.focus);
  const MapModel map = map_model(context.subject.run);
  if (stage.valid()) {
    view_pane(context, stage, stage.training, layout.training);
    view_pane(context, stage, stage.inference, layout.inference);
    view_row_verdicts(context, stage);
    view_big_verdict(context, stage);
  }
  if (!context.view.error.empty())
    view_error(context, error_area(layout), context.view.error);
  else if (layout.inspector_form == InspectorForm::lens)
    view_lens(context, stage);
  else
    view_inspector(context, stage);
  view_map(context, map);
  view_transport(context);
  view_cards(context, map);
}

void view_board_stage(Context& context) {
  const BoardModel board =
      board_model(context.subject.lesson, context.subject.run, context.subject.step, context.subject.focus);
  view_board_controls(context);
  view_board(context, board);
  if (!context.view.error.empty())
    view_error(context, error_area(context.layout), context.view.error);
  else
    view_board_inspector(context, board);
  view_transport(context);
  view_cards(context, {});
}

}  // namespace

namespace {

constexpr float kShrink = 10.0f;  // what an option's margins can give up

void request_board(LayoutRequest& request, const Subject& subject, lessons::Language language,
                   const TextMeasure& measure) {
  request.cells = has_cells(subject);
  request.words = has_tokens(subject);
  const Layout layout = layout_of(request);
  const float width = layout.content.width;
  const bool phone = layout.size == Size::phone;
  request.control_rows = plan_controls(subject, language, measure, width, request.touch || phone).rows;
  if (!phone) return;
  const BoardModel board = board_model(subject.lesson, subject.run, subject.step, subject.focus);
  const std::vector<Option> options = block_options(subject, board, language);
  if (options.empty() || stacks_all(board, layout_of(request))) return;
  request.chip_rows =
      segmented_width(measure, options) - kShrink * static_cast<float>(options.size()) > width ? 2 : 1;
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
  if (request.board) {
    request_board(request, subject, language, measure);
    return request;
  }
  const StageModel stage = stage_model(subject.run, subject.focus);
  const MapModel map = map_model(subject.run);
  request.rows = stage.training.rows;
  request.columns = stage.training.columns;
  request.square = stage.square;
  if (!map.tiles.empty()) {
    request.attention_rows = static_cast<int>(map.attention_rows.size());
    request.feed_forward_rows = static_cast<int>(map.feed_forward_rows.size());
  }
  return request;
}

Scene build_scene(const Subject& subject, const ViewState& view, const lessons::Preferences& preferences,
                  gfx::Theme theme, bool page_narration, double now_s, const Layout& layout,
                  const TextMeasure& measure) {
  Scene scene;
  Sketch sketch{scene, measure};
  Context context{subject, view, preferences, theme, page_narration, now_s, layout, sketch};
  const ShownTensor shown = shown_tensor(subject);
  view_narration(context);
  view_rail(context);
  view_head_bar(context);
  view_title(context, shown);
  view_heads(context, shown);
  if (subject.run.board)
    view_board_stage(context);
  else
    view_twin_stage(context);
  return scene;
}

}  // namespace attn::ui
