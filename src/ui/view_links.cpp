#include <algorithm>
#include <cmath>

#include "ui/board_columns.h"
#include "ui/view_blocks.h"
#include "ui/view_board.h"

namespace attn::ui {
namespace {

constexpr float kThickest = 6.0f;  // arc of weight 1
constexpr float kThickestOfLarge = 10.0f;
constexpr float kThinnest = 0.6f;
constexpr float kLeastLink = 14.0f;  // a shorter one would be a mark without meaning
constexpr float kFlattest = 5.0f;    // of links between bands: across, to down
constexpr float kNoteRoom = 100.0f;  // behind a title
constexpr float kLeastArc = 0.004f;  // weights below it have no arc

/// A curve that leaves and arrives horizontally.
BezierItem curve(Point from, Point to, Colour colour, float width) {
  const float bend = std::max(std::fabs(to.x - from.x) * 0.5f, 14.0f);
  return {.a = from,
          .b = {from.x + bend, from.y},
          .c = {to.x - bend, to.y},
          .d = to,
          .colour = colour,
          .width = width};
}

float row_centre(const BlockPlace& place, float row) {
  return place.origin.y + (row + 0.5f) * place.cell_height - 1.0f;
}

/// The height at which the chosen cell's path passes a block; the middle of the block when it doesn't.
float path_height(const BoardModel& board, const BlockModel& block, const BlockPlace& place) {
  if (block.focused && board.focus.has_cell()) return row_centre(place, static_cast<float>(board.focus.row));
  if (block.lit.any()) {
    const int last = block.lit.gap ? block.lit.first_row : block.lit.last_row;
    return row_centre(place, static_cast<float>(block.lit.first_row + last) / 2.0f);
  }
  return place.body.centre().y;
}

/// The chosen cell is made with this link, itself or by way of its operands.
bool is_on_path(const BoardModel& board, const BoardLink& link) {
  const BlockModel& from = board.blocks[static_cast<std::size_t>(link.from)];
  const BlockModel& to = board.blocks[static_cast<std::size_t>(link.to)];
  if (tape::is_parameter(from.block->tensor.site)) return to.focused ? from.lit.any() : to.lit.any();
  if (!from.lit.any()) return false;
  return to.focused ? from.lit.step == 1 : to.lit.any() && to.lit.step + 1 == from.lit.step;
}

/// Weights that stand between a block and what is made of both: the link goes into them, and theirs goes on.
int weights_between(const BoardModel& board, const BoardLink& link) {
  const auto block = [&](int index) -> const BlockModel& {
    return board.blocks[static_cast<std::size_t>(index)];
  };
  for (const BoardLink& other : board.links)
    if (other.to == link.to && other.from != link.from &&
        tape::is_parameter(block(other.from).block->tensor.site) &&
        block(link.from).block->column < block(other.from).block->column &&
        block(other.from).block->column < block(link.to).block->column)
      return other.from;
  return -1;
}

/// Room left of a block's cells that words or the end of a link need.
float left_margin(const BlockPlace& place) { return place.row_words ? place.words + 2.0f : 6.0f; }

/// Blocks of the columns between that the link would cross: it stops before them and goes on behind.
std::vector<Rect> in_the_way(const BoardModel& board, const std::vector<BlockPlace>& places,
                             const BlockModel& from, const lessons::Block& to, Point start, Point end) {
  std::vector<Rect> found;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const lessons::Block& block = *board.blocks[i].block;
    const BlockPlace& place = places[i];
    const bool between =
        block.band == to.band && block.column > from.block->column && block.column < to.column;
    if (!place.shown || !between || place.body.y > start.y || place.body.bottom() < start.y) continue;
    const float left = place.body.x - left_margin(place);
    if (left > start.x && place.body.right() < end.x)
      found.push_back({left, place.body.y, place.body.right() + 5.0f - left, place.body.height});
  }
  std::sort(found.begin(), found.end(), [](const Rect& a, const Rect& b) { return a.x < b.x; });
  return found;
}

Point on_curve(const BezierItem& curve, float t) {
  const float u = 1.0f - t;
  const float weights[] = {u * u * u, 3.0f * u * u * t, 3.0f * u * t * t, t * t * t};
  return {weights[0] * curve.a.x + weights[1] * curve.b.x + weights[2] * curve.c.x + weights[3] * curve.d.x,
          weights[0] * curve.a.y + weights[1] * curve.b.y + weights[2] * curve.c.y + weights[3] * curve.d.y};
}

/// What a block covers: title, words and cells, numbers beside them.
std::vector<Rect> covered(const Context& context, const BlockModel& block, const BlockPlace& place) {
  const std::string title = block.block->name().in(context.language());
  const float figures = row_figures_width(block);
  const float left = place.row_words ? place.words : 0.0f;
  const float over = place.column_words ? 18.0f : 0.0f;
  return {{place.head.x, place.head.y + 2.0f,
           context.sketch.width(title, {.font = Font::ui600, .size = 14.0f}), place.head.height - 2.0f},
          {place.body.x - left, place.body.y - over, place.body.width + left + figures,
           place.body.height + over}};
}

/// A link that would run over or behind other blocks says less than it disturbs: it is left out. Its own ends
/// may lie on its blocks' words.
bool is_clear(const Context& context, const BoardModel& board, const std::vector<BlockPlace>& places,
              const BezierItem& curve, std::size_t from, std::size_t to) {
  constexpr int kParts = 24;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!places[i].shown || i == from || i == to) continue;
    for (const Rect& rect : covered(context, board.blocks[i], places[i]))
      for (int part = 1; part < kParts; ++part)
        if (rect.contains(on_curve(curve, static_cast<float>(part) / static_cast<float>(kParts))))
          return false;
  }
  return true;
}

void draw_link(Context& context, const BoardModel& board, const std::vector<BlockPlace>& places,
               const BoardLink& link) {
  const int between = weights_between(board, link);
  const auto from_index = static_cast<std::size_t>(link.from);
  const auto to_index = static_cast<std::size_t>(link.to);
  const auto end_index = between < 0 ? to_index : static_cast<std::size_t>(between);
  const BlockModel& from = board.blocks[from_index];
  const BlockModel& to = board.blocks[to_index];
  const BlockPlace& a = places[from_index];
  const BlockPlace& b = places[end_index];
  if (!a.shown || !b.shown) return;
  const bool on_path = is_on_path(board, link);
  const Colour own = colour_of_role(from.block->role);
  const Colour colour = !on_path ? Colour::line2 : own == Colour::ink ? colour_of_role(to.block->role) : own;
  const float width = on_path ? 2.0f : 1.5f;
  if (from.block->band != to.block->band) {  // many results of one block: only the chosen path
    const float below = has_verdict(from) ? kVerdictHeight : 4.0f;
    const Point start{a.body.centre().x, a.body.bottom() + below};
    const float title =
        b.head.x + kNoteRoom +
        context.sketch.width(to.block->title.in(context.language()), {.font = Font::ui600, .size = 14.0f});
    const bool beside_title = title < b.body.centre().x && !b.column_words;
    const Point end{b.body.centre().x, (beside_title ? b.body.y : b.head.y) - 4.0f};
    const float down = end.y - start.y;
    if (!on_path || down < kLeastLink || std::fabs(end.x - start.x) > kFlattest * down) return;
    const float bend = std::max((end.y - start.y) * 0.5f, 8.0f);
    const BezierItem item{.a = start,
                          .b = {start.x, start.y + bend},
                          .c = {end.x, end.y - bend},
                          .d = end,
                          .colour = colour,
                          .width = width,
                          .tag = {Mark::link, Pane::none, link.from, link.to}};
    if (is_clear(context, board, places, item, from_index, end_index)) context.sketch.add(item);
    return;
  }
  if (from.block->column == to.block->column) {
    const float x = a.body.centre().x;
    if (b.head.y > a.body.bottom())
      context.sketch.line({x, a.body.bottom() + 4.0f}, {x, b.head.y - 1.0f}, colour, width);
    return;
  }
  const float figures = row_figures_width(from);
  Point start{a.body.right() + 5.0f + figures, path_height(board, from, a)};
  const Point end{b.body.x - left_margin(b), path_height(board, board.blocks[end_index], b)};
  std::vector<BezierItem> parts;
  for (const Rect& block : in_the_way(board, places, from, *board.blocks[end_index].block, start, end)) {
    parts.push_back(curve(start, {block.x, start.y}, colour, width));
    start = {block.right(), start.y};
  }
  parts.push_back(curve(start, end, colour, width));
  for (BezierItem& part : parts) {
    if (part.d.x - part.a.x < kLeastLink) return;
    if (!is_clear(context, board, places, part, from_index, end_index)) return;
    part.tag = {Mark::link, Pane::none, link.from, link.to};
  }
  for (const BezierItem& part : parts) context.sketch.add(part);
}

}  // namespace

void draw_links(Context& context, const BoardModel& board, const std::vector<BlockPlace>& places) {
  // Quiet ones first, so that the path lies on top.
  for (const bool lit : {false, true})
    for (const BoardLink& link : board.links)
      if (is_on_path(board, link) == lit) draw_link(context, board, places, link);
}

void draw_arcs(Context& context, const BoardModel& board, const BlockModel& block, int index,
               const BlockPlace& place) {
  Sketch& sketch = context.sketch;
  const lessons::Run& run = context.subject.run;
  const int chosen = board.focus.row;
  const float size = place.cell_height >= 30.0f ? 15.0f : 13.0f;
  const float thickest = place.cell_height >= 30.0f ? kThickestOfLarge : kThickest;
  const auto word_style = [&](bool strong, Colour colour) {
    return TextStyle{.font = strong ? Font::ui600 : Font::ui400,
                     .size = size,
                     .colour = strong ? colour : Colour::ink2,
                     .tag = {.mark = Mark::axis_label}};
  };
  const float left = place.body.x + place.words;
  const float right = place.body.right() - place.words;
  const auto height = [&](int position) { return row_centre(place, static_cast<float>(position)); };
  const core::TensorView weights = run.tape().tensor(block.entry);
  const bool all = block.block->all_heads;
  const int heads = all ? block.plane.heads : 1;
  const float pitch = thickest / static_cast<float>(heads);  // of the strands
  const PaneBefore* before = all ? nullptr : block_before(context, index);
  if (before != nullptr && (before->rows != block.plane.rows || before->columns != block.plane.columns))
    before = nullptr;
  const float t = progress(context.view.motion.values_s, context.now_s, kValueChange, Curve::linear);
  const auto shown = [&](const std::vector<gfx::CellState>& states, float weight, int row, int column) {
    return states[block.at(row, column)] == gfx::CellState::value ? weight : 0.0f;
  };
  const auto arc = [&](int row, int column) {
    for (int strand = 0; strand < heads; ++strand) {
      const int head = all ? strand : block.head;
      float weight = shown(block.states, weights.values[block.plane.offset(head, row, column)], row, column);
      if (before != nullptr) {
        const float from = shown(before->states, before->values[block.at(row, column)], row, column);
        weight = from + (weight - from) * t;
      }
      if (!(weight > kLeastArc)) continue;
      const float shift = pitch * (static_cast<float>(strand) - static_cast<float>(heads - 1) / 2.0f);
      const bool strong = row == chosen && head == block.head;
      const Colour colour = strong ? Colour::query : row == chosen ? Colour::ink3 : Colour::line2;
      BezierItem item = curve({left, height(column) + shift}, {right, height(row) + shift}, colour,
                              std::max(weight * pitch, kThinnest));
      item.tag = {Mark::arc, Pane::none, row, column};
      sketch.add(std::move(item));
    }
  };
  for (int row = 0; row < block.plane.rows; ++row)
    for (int column = 0; column < block.plane.columns && row != chosen; ++column) arc(row, column);
  if (chosen >= 0 && chosen < block.plane.rows)
    for (int column = 0; column < block.plane.columns; ++column) arc(chosen, column);
  TextStyle side{
      .font = Font::ui500, .size = 12.0f, .colour = Colour::key, .tag = {.mark = Mark::axis_label}};
  sketch.text_right(left - 6.0f, place.origin.y - 5.0f, context.say(Word::key), side);
  side.colour = Colour::query;
  const std::string query = context.say(Word::query);
  sketch.text(std::min(right + 6.0f, context.layout.content.right() - sketch.width(query, side)),
              place.origin.y - 5.0f, query, side);
  for (int i = 0; i < block.plane.columns; ++i) {
    // One key when a pair of words is chosen, else every key its query sees.
    const bool pair = counts_positions(lessons::plane_axes(board.focus.tensor).columns);
    const bool seen = (!pair || i == board.focus.column) && chosen >= 0 && chosen < block.plane.rows &&
                      block.states[block.at(chosen, i)] == gfx::CellState::value;
    TextStyle style = word_style(seen, Colour::key);
    style.size = sketch.size_that_fits(run.word_at(block.axes.columns, i), place.words - 6.0f, style, 10.5f);
    sketch.text_right(left - 6.0f, baseline_at(height(i), size),
                      sketch.fitted(run.word_at(block.axes.columns, i), place.words - 6.0f, style), style);
  }
  for (int i = 0; i < block.plane.rows; ++i) {
    TextStyle style = word_style(i == chosen, Colour::query);
    style.size = sketch.size_that_fits(run.word_at(block.axes.rows, i), place.words - 6.0f, style, 10.5f);
    sketch.text(right + 6.0f, baseline_at(height(i), size),
                sketch.fitted(run.word_at(block.axes.rows, i), place.words - 6.0f, style), style);
  }
  const Rect queries{left, place.origin.y, place.body.right() - left,
                     place.cell_height * static_cast<float>(block.plane.rows)};
  sketch.region({.id = region_id(group_of(Group::blocks, index)),
                 .group = group_of(Group::blocks, index),
                 .role = RegionRole::grid,
                 .rect = queries,
                 .visual = queries,
                 .label = block.block->title.in(context.language()),
                 .intent = {.kind = IntentKind::choose_token},
                 .rows_only = true,
                 .pointer_only = true,
                 .grid = {.rows = block.plane.rows,
                          .columns = 1,
                          .origin = {queries.x, queries.y},
                          .cell_width = queries.width,
                          .cell_height = place.cell_height,
                          .selected_row = board.focus.row}});
}

}  // namespace attn::ui
