#include <algorithm>
#include <cmath>

#include "lessons/numbers.h"
#include "ui/board_columns.h"
#include "ui/cell_grid.h"
#include "ui/controls.h"
#include "ui/topic_light.h"
#include "ui/view_blocks.h"
#include "ui/view_board.h"
#include "ui/views.h"

namespace attn::ui {
namespace {

constexpr float kSmallestWord = 10.5f;
constexpr float kSmallestColumnWord = 9.0f;  // below, it stands in two lines
constexpr float kTwoLines = 42.0f;           // from the top of the title to the cells, for that

/// Regions of blocks: one stop of the Tab key each.
GroupId block_group(int index) { return group_of(Group::blocks, index); }

CellGrid grid_of(const BlockModel& block, const BlockPlace& place, const lessons::Focus& focus) {
  return {.origin = place.origin,
          .cell_width = place.cell_width,
          .cell_height = place.cell_height,
          .rows = block.plane.rows,
          .columns = block.plane.columns,
          .values = block.values,
          .states = block.states,
          .ramp = block.ramp,
          .range = block.range,
          .whole = block.whole,
          .compact = place.compact_size > 0.0f,
          .selected_row = block.focused ? focus.row : -1,
          .selected_column = block.focused ? focus.column : -1};
}

bool row_is_lit(const BlockModel& block, const lessons::Focus& focus, int row) {
  if (block.focused && focus.row == row) return true;
  return block.lit.has_row(row);
}

/// Where a word breaks in two: at a whole character, the first half the longer one.
std::size_t middle_of(std::string_view word) {
  std::size_t at = 0;
  while (at < (word.size() + 1) / 2) at += sequence_length(word, at);
  return at;
}

void draw_words(Context& context, const BoardModel& board, const BlockModel& block, const BlockPlace& place) {
  Sketch& sketch = context.sketch;
  const lessons::Run& run = context.subject.run;
  const CellGrid grid = grid_of(block, place, board.focus);
  const auto style = [&](bool strong) {
    return TextStyle{.font = strong ? Font::ui600 : Font::ui400,
                     .size = 13.0f,
                     .colour = strong ? Colour::ink : Colour::ink2,
                     .tag = {.mark = Mark::axis_label}};
  };
  if (place.row_words && place.cell_height >= 13.0f)
    for (int row = 0; row < block.plane.rows; ++row) {
      if (block.states[block.at(row, 0)] == gfx::CellState::not_yet) break;  // it would give the word away
      const std::string word = run.word_at(block.axes.rows, row);
      TextStyle look = style(row_is_lit(block, board.focus, row));
      look.size = sketch.size_that_fits(word, place.words - 6.0f, look, kSmallestWord);
      sketch.text_right(place.origin.x - 8.0f, baseline_at(grid.cell(row, 0).centre().y, 13.0f),
                        sketch.fitted(word, place.words - 6.0f, look), look);
    }
  if (!place.column_words || place.cell_width < 30.0f) return;
  float size = 13.0f;  // one for all of them
  for (int column = 0; column < block.plane.columns; ++column)
    size = std::min(size, sketch.size_that_fits(run.word_at(block.axes.columns, column),
                                                place.cell_width - 2.0f, style(true), kSmallestColumnWord));
  for (int column = 0; column < block.plane.columns; ++column) {
    const std::string word = run.word_at(block.axes.columns, column);
    const bool chosen = block.focused && board.focus.column == column;
    const bool lit = block.lit.any() && block.lit.first_column <= column && column <= block.lit.last_column;
    TextStyle look = style(chosen || (lit && block.lit.step == 1));
    look.size = size;
    const float centre = grid.cell(0, column).centre().x;
    const bool one_line = sketch.width(word, look) <= place.cell_width - 2.0f;
    if (one_line || place.origin.y - place.head.y < kTwoLines) {
      sketch.text_centred(centre, place.origin.y - 6.0f, sketch.fitted(word, place.cell_width - 2.0f, look),
                          look);
      continue;
    }
    const std::size_t half = middle_of(word);
    const std::string first = word.substr(0, half) + "-";
    sketch.text_centred(centre, place.origin.y - 5.0f - kSmallestColumnWord,
                        sketch.fitted(first, place.cell_width - 1.0f, look), look);
    sketch.text_centred(centre, place.origin.y - 5.0f,
                        sketch.fitted(word.substr(half), place.cell_width - 1.0f, look), look);
  }
}

void draw_marks(Context& context, const BoardModel& board, const BlockModel& block, int index,
                const BlockPlace& place) {
  const CellGrid grid = grid_of(block, place, board.focus);
  const float seen = progress(context.view.motion.select_s, context.now_s, kSelect, Curve::out);
  const float radius = gfx::cell_shape(place.cell_width, place.cell_height).corner_radius + 3.0f;
  if (block.lit.any() && !block.focused) {
    const Lit& lit = block.lit;
    const auto outline = [&](int from, int to) {
      const Rect first = grid.cell(from, lit.first_column);
      const Rect last = grid.cell(to, lit.last_column);
      const bool near = lit.step == 1;
      context.sketch.add(
          BoxItem{.rect = grown({first.x, first.y, last.right() - first.x, last.bottom() - first.y}, 3.0f),
                  .radius = radius,
                  .stroke = near ? colour_of_role(block.block->role) : Colour::line2,
                  .stroke_width = near ? 2.0f : 1.5f,
                  .opacity = seen,
                  .tag = {Mark::lit_cells, Pane::none, from, lit.first_column}});
    };
    outline(lit.first_row, lit.gap ? lit.first_row : lit.last_row);
    if (lit.gap) outline(lit.last_row, lit.last_row);
  }
  const Spot& hover = context.view.hover;
  if (hover.region == region_id(block_group(index)) && !context.layout.touch && hover.row >= 0)
    context.sketch.outline(grown(outlined_cell(grid, hover.row, hover.column), 1.0f), Colour::ink3, 1.5f,
                           radius - 2.0f, {Mark::hovered_cell, Pane::none, hover.row, hover.column});
  if (!block.focused || !board.focus.has_cell()) return;
  const Rect cell = selected_cell(context, grid, board.focus);
  context.sketch.outline(grown(cell, 2.0f), Colour::ink, 2.0f, radius - 1.0f,
                         {Mark::selected_cell, Pane::none, board.focus.row, board.focus.column});
}

void add_block_region(Context& context, const BoardModel& board, const BlockModel& block, int index,
                      const BlockPlace& place, int heatmap) {
  if (place.operand) {
    context.sketch.region({.id = region_id(block_group(index)),
                           .group = block_group(index),
                           .rect = place.body,
                           .visual = place.body,
                           .label = block.block->title.in(context.language()),
                           .intent = {.kind = IntentKind::focus_tensor, .label = block.block->tensor}});
    return;
  }
  const bool finger = context.layout.touch || context.layout.size == Size::phone;
  const gfx::Merge merge = merge_of(grid_of(block, place, board.focus), context.layout);
  const IntentKind kind = block.toggled ? IntentKind::toggle_cell : IntentKind::select_cell;
  const int value = block.block->unmasked ? 1 : 0;
  context.sketch.region(
      {.id = region_id(block_group(index)),
       .group = block_group(index),
       .role = RegionRole::grid,
       .rect = place.body,
       .visual = place.body,
       .label = block.block->title.in(context.language()),
       .intent = {.kind = kind, .value = value, .label = block.block->tensor},
       .rows_only = finger && !merge.any() && std::min(place.cell_width, place.cell_height) < 28.0f,
       .typing = block.editable && !block.toggled,
       .grid = {.rows = block.plane.rows,
                .columns = block.plane.columns,
                .origin = place.origin,
                .cell_width = place.cell_width,
                .cell_height = place.cell_height,
                .selected_row = block.focused ? board.focus.row : -1,
                .selected_column = block.focused ? board.focus.column : -1,
                .merge = merge,
                .heatmap = heatmap}});
}

/// Under cells that share pixels: what those show.
void draw_merge_note(Context& context, const BlockModel& block, const CellGrid& grid,
                     const BlockPlace& place) {
  const float below = has_verdict(block) ? kVerdictHeight : 0.0f;
  const std::vector<std::string> notes = merge_notes(context, grid);
  const TextStyle quiet{.size = 12.0f, .colour = Colour::ink3, .tag = {.mark = Mark::merge_note}};
  if (notes.empty()) return;
  const Rect& board = context.layout.board;
  const float room = std::max(place.head.right(), place.body.right()) - std::min(place.head.x, place.body.x);
  const std::string note = context.sketch.first_fitting(notes, room, quiet);
  const float x = std::min(place.body.x, board.right() - context.sketch.width(note, quiet));
  context.sketch.text(x, place.body.bottom() + below + 15.0f, note, quiet);
}

/// A veil over the rows that nothing uses.
void draw_unused_rows(Context& context, const BlockModel& block, const CellGrid& grid) {
  constexpr float kPale = 0.65f;
  for (int row = 0; row < block.plane.rows && row < 32; ++row) {
    if ((block.block->unused_rows >> row & 1u) == 0) continue;
    const Rect first = grid.cell(row, 0);
    const Rect last = grid.cell(row, block.plane.columns - 1);
    context.sketch.add(BoxItem{.rect = {first.x, first.y, last.right() - first.x, first.height},
                               .fill = Colour::surface,
                               .opacity = kPale,
                               .tag = {Mark::unused_row, Pane::none, row, -1}});
  }
}

void draw_matrix(Context& context, const BoardModel& board, const BlockModel& block, int index,
                 const BlockPlace& place, float size) {
  const CellGrid grid = grid_of(block, place, board.focus);
  HeatmapItem item = heatmap_of(grid, context.theme);
  item.label = block.block->tensor;
  item.head = block.head;
  cross_over(context, block, index, place, item);
  context.sketch.add(std::move(item));
  const int heatmap = static_cast<int>(context.sketch.scene.items.size()) - 1;
  draw_merge_note(context, block, grid, place);
  draw_cell_numbers(context, grid, grid.compact ? place.compact_size : size);
  draw_unused_rows(context, block, grid);
  draw_words(context, board, block, place);
  draw_marks(context, board, block, index, place);
  add_block_region(context, board, block, index, place, heatmap);
}

/// One number beside each row, and what it is.
void draw_row_figures(Context& context, const BlockModel& block, const BlockPlace& place) {
  if (!block.figures.valid() || place.operand || place.cell_height < 13.0f) return;
  const core::TensorView figures = context.subject.run.tape().tensor(block.figures);
  const std::span<const float> values = figures.flat();
  const bool counts = !adds_up_rows(block);
  const bool whole = counts && std::all_of(values.begin(), values.end(),
                                           [](float value) { return value == std::round(value); });
  const float x = place.body.right() + 8.0f;
  const std::string title = block.block->row_figures_title.in(context.language());
  const float room = row_figures_width(block) - 4.0f;
  TextStyle heading{.size = 12.0f, .colour = Colour::ink3};
  heading.size = context.sketch.size_that_fits(title, room, heading, 10.0f);
  context.sketch.text(x, place.origin.y - 6.0f, context.sketch.fitted(title, room, heading), heading);
  for (int row = 0; row < block.plane.rows; ++row) {
    const float value = figures.values[static_cast<std::size_t>(row)];
    const std::string text = lessons::fixed(value, whole ? 0 : 2);
    const bool one = text == "1.00" || counts;
    const bool strong = row_is_lit(block, context.subject.focus, row);
    context.sketch.text(
        x, baseline_at(place.origin.y + (static_cast<float>(row) + 0.5f) * place.cell_height, 12.0f), text,
        {.font = strong ? Font::mono600 : Font::mono400,
         .size = 12.0f,
         .colour = one ? Colour::ink2 : Colour::different,
         .tag = {Mark::row_figure, Pane::none, row, -1}});
  }
}

/// What a small screen can show one at a time, in one row or two.
void draw_block_chips(Context& context, const BoardModel& board) {
  const Rect& area = context.layout.block_chips;
  if (area.empty()) return;
  const std::vector<Option> options = block_options(context.subject, board, context.language());
  const std::size_t rows = area.height > 60.0f ? 2 : 1;
  const std::size_t each = (options.size() + rows - 1) / rows;
  for (std::size_t first = 0; first < options.size(); first += each)
    segmented_by_text(context,
                      {area.x, area.y + 4.0f + 38.0f * static_cast<float>(first / each), area.width, 36.0f},
                      std::span<const Option>(options).subspan(first, std::min(each, options.size() - first)),
                      group_of(Group::map_head), context.say(Word::tensors), static_cast<int>(first));
}

/// On a phone: matrix or arcs of the same weights.
void draw_view_switch(Context& context, const BoardModel& board) {
  const Rect place = view_switch_place(board, context.layout);
  if (place.empty()) return;
  const Option options[] = {
      {context.say(Word::as_matrix), {.kind = IntentKind::show_arcs, .value = 0}, !board.as_arcs},
      {context.say(Word::as_arcs), {.kind = IntentKind::show_arcs, .value = 1}, board.as_arcs}};
  segmented(context, place, options, group_of(Group::view_switch), context.say(Word::view));
}

/// Around the body and the words over it, while the pointer is over a word that speaks of it.
void draw_topic_outline(Context& context, const BlockModel& block, int index, const BlockPlace& place) {
  const lessons::Topic lit = topic_light(context.subject, context.view).blocks;
  if (std::none_of(block.in_place.begin(), block.in_place.end(),
                   [&](const lessons::Block& one) { return lit.covers(topic_of(one)); }))
    return;
  const Rect& body = place.body;
  const float top = place.column_words ? place.head.y : body.y;
  const float left = std::min(body.x, place.column_words ? place.head.x : body.x);
  context.sketch.outline(grown({left, top, body.right() - left, body.bottom() - top}, 6.0f),
                         colour_of_role(block.block->role), 2.0f, 8.0f,
                         {Mark::lit_block, Pane::none, index, -1});
}

void draw_block(Context& context, const BoardModel& board, const BlockModel& block, int index,
                const BlockPlace& place, float size) {
  switch (block.block->kind) {
    case lessons::BlockKind::matrix:
      draw_matrix(context, board, block, index, place, size);
      draw_row_figures(context, block, place);
      break;
    case lessons::BlockKind::arcs:
      draw_arcs(context, board, block, index, place);
      break;
    case lessons::BlockKind::plot:
      draw_plot(context, block, index, place);
      break;
    case lessons::BlockKind::table:
      draw_table(context, block, place);
      break;
    case lessons::BlockKind::vectors:
      draw_vectors(context, block, index, place);
      break;
    case lessons::BlockKind::falling:
      draw_falling(context, board, block, index, place);
      break;
    case lessons::BlockKind::candidates:
      draw_candidates(context, block, index, place);
      break;
    case lessons::BlockKind::words:
      draw_word_list(context, block, place);
      break;
  }
  const bool operand = board.focus.open && !block.focused;  // close beside the block that is opened
  if (!operand) draw_block_verdict(context, block, place);
  draw_topic_outline(context, block, index, place);
}

}  // namespace

std::vector<Option> block_options(const Subject& subject, const BoardModel& board,
                                  lessons::Language language) {
  std::vector<Option> options;
  std::vector<tape::Label> seen;
  for (std::size_t i = 0; i < board.blocks.size(); ++i) {
    const BlockModel& block = board.blocks[i];
    const tape::Label& tensor = block.block->tensor;
    const bool beside = std::any_of(board.links.begin(), board.links.end(), [&](const BoardLink& link) {
      return link.from == static_cast<int>(i) && tape::is_parameter(tensor.site);
    });
    const bool as_matrix =
        std::any_of(board.blocks.begin(), board.blocks.end(), [&](const BlockModel& other) {
          return other.is_matrix() &&
                 std::any_of(other.in_place.begin(), other.in_place.end(),
                             [&](const lessons::Block& one) { return one.tensor == tensor; });
        });
    const lessons::BlockKind kind = block.block->kind;
    const bool shown_there =
        (kind == lessons::BlockKind::arcs && as_matrix) || kind == lessons::BlockKind::falling;
    if (block.in_place.size() > 1) {
      for (Option& option : turn_options(block, language)) {
        option.selected = option.selected && block.focused;
        options.push_back(std::move(option));
      }
      continue;
    }
    if (beside || shown_there || std::find(seen.begin(), seen.end(), tensor) != seen.end()) continue;
    seen.push_back(tensor);
    options.push_back({block.block->name().in(language),
                       {.kind = IntentKind::focus_tensor, .label = tensor},
                       tensor == subject.focus.tensor});
  }
  if (options.size() < 2) options.clear();
  return options;
}

void view_board(Context& context, const BoardModel& board) {
  draw_block_chips(context, board);
  draw_view_switch(context, board);
  std::vector<BlockPlace> places = board_places(board, context.layout);
  const bool phone = context.layout.size == Size::phone;  // where a block is alone whether opened or not
  const float grown_by =
      phone ? 1.0f : progress(context.view.motion.open_s, context.now_s, kSheetChange, Curve::out);
  if (grown_by < 1.0f) grow(context, board, grown_by, places);
  std::vector<BlockModel> blocks;
  for (std::size_t i = 0; i < places.size(); ++i)
    blocks.push_back(places[i].transposed ? transposed(board.blocks[i]) : board.blocks[i]);
  std::vector<CellGrid> grids;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (places[i].shown && blocks[i].is_matrix() && !places[i].operand) {
      places[i].compact_size = compact_size(context.sketch, grid_of(blocks[i], places[i], board.focus));
      if (places[i].compact_size > 0.0f) continue;
      if (const CellGrid grid = grid_of(blocks[i], places[i], board.focus); grid.has_numbers())
        grids.push_back(grid);
    }
  const float size = number_size(context.sketch, grids);
  if (!shows_one(board, context.layout)) draw_links(context, board, places);
  const auto draw = [&](std::size_t i) {
    if (!places[i].shown) return;
    draw_block_head(context, board, blocks[i], static_cast<int>(i), places[i]);
    draw_block(context, board, blocks[i], static_cast<int>(i), places[i], size);
  };
  for (std::size_t i = 0; i < places.size(); ++i)
    if (static_cast<int>(i) != board.focused) draw(i);
  // What is new appears from under the colour of the stage: what stands around a block that grows, a sheet.
  veil(context, grown_by);
  if (board.focused >= 0) draw(static_cast<std::size_t>(board.focused));
  veil(context, progress(context.view.motion.sheet_s, context.now_s, kSheetChange, Curve::out));
}

}  // namespace attn::ui
