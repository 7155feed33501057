#include <algorithm>

#include "ui/board_controls.h"
#include "ui/board_places.h"
#include "ui/stage_kind.h"
#include "ui/topic_light.h"

namespace attn::ui::board_stage {
namespace {

/// Something of the step's sheet can be chosen cell by cell.
bool has_cells(const Subject& subject) {
  const lessons::Sheet& sheet = subject.run.sheet_at(subject.step);
  return std::any_of(sheet.blocks.begin(), sheet.blocks.end(), [](const lessons::Block& block) {
    return block.kind == lessons::BlockKind::matrix || block.kind == lessons::BlockKind::vectors ||
           block.kind == lessons::BlockKind::candidates;
  });
}

/// A phone has its tokens at the feet of falling arcs, and no room for a sum under them.
bool has_falling_arcs(const Subject& subject) {
  const lessons::Sheet& sheet = subject.run.sheet_at(subject.step);
  return std::any_of(sheet.blocks.begin(), sheet.blocks.end(),
                     [](const lessons::Block& block) { return block.kind == lessons::BlockKind::falling; });
}

constexpr float kShrink = 10.0f;  // what an option's margins can give up

void request(LayoutRequest& request, const Subject& subject, lessons::Language language,
             const TextMeasure& measure) {
  request.cells = has_cells(subject);
  request.words = has_tokens(subject);
  Layout layout = layout_of(request);
  if (layout.size == Size::phone && has_falling_arcs(subject)) {
    request.cells = request.words = false;
    layout = layout_of(request);
  }
  const float width = layout.content.width;
  const bool phone = layout.size == Size::phone;
  request.control_rows = plan_controls(subject, language, measure, width, request.touch || phone).rows;
  if (!phone && !subject.focus.open) return;
  const BoardModel board = board_model(subject.lesson, subject.run, subject.step, subject.focus);
  const std::vector<Option> options = block_options(subject, board, language);
  if (!phone && board.focused < 0) return;
  if (options.empty() || (phone && stacks_all(board, layout_of(request)))) return;
  request.chip_rows =
      segmented_width(measure, options) - kShrink * static_cast<float>(options.size()) > width ? 2 : 1;
}

void view(Context& context) {
  BoardModel board =
      board_model(context.subject.lesson, context.subject.run, context.subject.step, context.subject.focus);
  board.as_arcs = context.view.as_arcs && context.layout.size == Size::phone;
  view_board_controls(context);
  view_board(context, board);
  if (!context.view.error.message.empty())
    view_error(context, lessons::said_in(context.view.error, context.language()));
  else
    view_board_inspector(context, board);
  view_transport(context);
}

void note(const lessons::Session& session, Shown& shown, ViewState& view) {
  shown.sheet = session.step().sheet;
  BoardModel board = board_model(session.lesson(), session.run(), session.step_index(), session.focus());
  std::vector<PaneBefore> blocks;
  for (BlockModel& block : board.blocks)
    blocks.push_back({block.plane.rows, block.plane.columns, std::move(block.values), std::move(block.states),
                      block.ramp, block.range});
  const BlocksShown& before = view.motion.shown.blocks;
  shown.blocks = before != nullptr && *before == blocks
                     ? before
                     : std::make_shared<const std::vector<PaneBefore>>(std::move(blocks));
}

lessons::Topic topic(const Subject& subject, int group, int) {
  const Group first = group >= static_cast<int>(Group::openers) ? Group::openers : Group::blocks;
  const auto block = static_cast<std::size_t>(group - static_cast<int>(first));
  if (group < static_cast<int>(first) || subject.step_now() == nullptr) return {};
  const std::vector<const lessons::Block*> blocks = subject.run.shown_at(subject.step, subject.focus);
  return block < blocks.size() ? topic_of(*blocks[block]) : lessons::Topic{};
}

}  // namespace

const StageKind kKind{request, view, note, topic};

}  // namespace attn::ui::board_stage
