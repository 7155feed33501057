#include <algorithm>
#include <utility>

#include "ui/stage_kind.h"
#include "ui/topic_light.h"

namespace attn::ui::twin_stage {
namespace {

void request(LayoutRequest& request, const Subject& subject, lessons::Language, const TextMeasure&) {
  const StageModel stage = stage_model(subject.run, subject.focus);
  const MapModel map = map_model(subject.run);
  request.rows = stage.training.rows;
  request.columns = stage.training.columns;
  request.square = stage.square;
  if (!map.tiles.empty()) {
    request.attention_rows = static_cast<int>(map.attention_rows.size());
    request.feed_forward_rows = static_cast<int>(map.feed_forward_rows.size());
  }
}

void view(Context& context) {
  const Layout& layout = context.layout;
  const StageModel stage = stage_model(context.subject.run, context.subject.focus);
  const MapModel map = map_model(context.subject.run);
  if (stage.valid()) {
    view_pane(context, stage, stage.training, layout.training);
    view_pane(context, stage, stage.inference, layout.inference);
    view_row_verdicts(context, stage);
    view_big_verdict(context, stage);
  }
  if (!context.view.error.message.empty())
    view_error(context, lessons::said_in(context.view.error, context.language()));
  else if (layout.inspector_form == InspectorForm::lens)
    view_lens(context, stage);
  else
    view_inspector(context, stage);
  view_map(context, map);
  view_transport(context);
  view_tensors_card(context, map);
}

void note(const lessons::Session& session, Shown& shown, ViewState& view) {
  const lessons::Run& run = session.run();
  StageModel stage = stage_model(run, session.focus());
  shown.training = {stage.training.rows, stage.training.columns, std::move(stage.training.values),
                    std::move(stage.training.states)};
  shown.inference = {stage.inference.rows, stage.inference.columns, std::move(stage.inference.values),
                     std::move(stage.inference.states)};
  const MapModel map = map_model(run);
  for (const MapTile& tile : map.tiles) shown.equal.push_back(tile.equal);
  shown.prefix = run.twin->inference.target_length;
  shown.training_mask = run.twin->training.causal_mask;
  shown.inference_mask = run.twin->inference.causal_mask;
  view.motion.layers = map.layers;
  const Shown& before = view.motion.shown;
  const bool moved = shown.focus.column != before.focus.column || before.revision == 0;
  if (moved && shown.focus.column >= 0) view.lens_column = std::max(shown.focus.column - 1, 0);
}

lessons::Topic topic(const Subject& subject, int group, int index) {
  const auto is = [&](Group one) { return group == static_cast<int>(one); };
  const auto& tensors = subject.run.twin->differences;
  if (is(Group::training_cells) || is(Group::inference_cells)) return topic_of(subject.focus.tensor);
  if (is(Group::map) && static_cast<std::size_t>(index) < tensors.size())
    return topic_of(tensors[static_cast<std::size_t>(index)].label);
  return {};
}

}  // namespace

const StageKind kKind{request, view, note, topic};

}  // namespace attn::ui::twin_stage
