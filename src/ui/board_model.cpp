#include "ui/board_model.h"

#include <algorithm>
#include <cmath>

#include "tape/compare.h"
#include "tape/explain.h"

namespace attn::ui {
namespace {

using lessons::BlockKind;
using lessons::Focus;

constexpr float kMostWhole = 1e5f;
constexpr float kMaskRange = 4.0f;  // a visible cell of a mask is tinted, no more
constexpr int kMostSteps = 4;       // how far back a cell's operands are followed

bool is_masked_site(tape::Site site) { return site == tape::Site::scores || site == tape::Site::weights; }

bool is_mask(const lessons::Block& block) {
  return block.tensor.site == tape::Site::mask && !block.as_numbers;
}

/// By the mask the block names, else by the one its own softmax used.
bool is_masked(const tape::Tape& tape, const lessons::Block& block, int row, int column) {
  if (block.unmasked) return false;
  if (is_mask(block) && block.mask.site == tape::Site::unnamed) {
    const core::TensorView own = tape.tensor(block.tensor);
    return own.values[lessons::plane_of(block.tensor, own.shape).offset(0, row, column)] == 0.0f;
  }
  if (block.mask.site != tape::Site::unnamed) {
    const core::TensorView mask = tape.tensor(block.mask);
    const lessons::Plane plane = lessons::plane_of(block.mask, mask.shape);
    return plane.has_cell(0, row, column) && mask.values[plane.offset(0, row, column)] == 0.0f;
  }
  return is_masked_site(block.tensor.site) && !tape::is_visible(tape, block.tensor, row, column);
}

BlockModel block_model(const lessons::Lesson& lesson, const lessons::Block& block, const tape::Tape& tape,
                       const Focus& focus) {
  BlockModel model;
  model.block = &block;
  model.entry = tape.find(block.tensor);
  const core::TensorView tensor = tape.tensor(model.entry);
  model.plane = lessons::plane_of(block.tensor, tensor.shape);
  model.axes = lessons::plane_axes(block.tensor);
  model.head = std::min(focus.head, model.plane.heads - 1);
  model.editable = lessons::is_editable(lesson, block.tensor);
  model.toggled = lessons::is_toggled(lesson, block.tensor);
  if (block.row_figures.site != tape::Site::unnamed) model.figures = tape.find(block.row_figures);
  model.focused = block.kind == BlockKind::matrix && block.tensor == focus.tensor;
  if (block.tensor.site == tape::Site::weights || block.tensor.site == tape::Site::probabilities ||
      is_mask(block))
    model.ramp = gfx::Ramp::weights;
  const int newest = target_row(focus);
  float largest = 0.0f;
  model.whole = true;
  for (int row = 0; row < model.plane.rows; ++row)
    for (int column = 0; column < model.plane.columns; ++column) {
      const float value = tensor.values[model.plane.offset(model.head, row, column)];
      const bool masked = is_masked(tape, block, row, column);
      const bool leaks = masked && value != 0.0f && block.mask.site != tape::Site::unnamed &&
                         block.tensor.site != tape::Site::scores;
      model.values.push_back(value);
      model.whole = model.whole && value == std::round(value) && std::fabs(value) < kMostWhole;
      model.states.push_back(block.written && newest >= 0 && row > newest ? gfx::CellState::not_yet
                             : std::isnan(value)                          ? gfx::CellState::nan
                             : leaks                                      ? gfx::CellState::leak
                             : masked                                     ? gfx::CellState::masked
                                                                          : gfx::CellState::value);
      if ((!masked || leaks) && std::isfinite(value)) largest = std::max(largest, std::fabs(value));
    }
  model.range = is_mask(block)                     ? kMaskRange
                : model.ramp == gfx::Ramp::weights ? 1.0f
                                                   : std::max(largest, 1e-6f);
  return model;
}

/// Tensors of one site are of a kind, but figures may be anything: those alone that have the same shape.
bool are_of_a_kind(const BlockModel& a, const BlockModel& b) {
  const auto part = [](const BlockModel& block) {  // in the computation; a judgement is none
    const lessons::Role role = block.block->role;
    return role == lessons::Role::equal || role == lessons::Role::different ? lessons::Role::plain : role;
  };
  if (a.block->tensor.site != b.block->tensor.site || a.ramp != b.ramp || part(a) != part(b)) return false;
  const bool same_shape = a.plane.rows == b.plane.rows && a.plane.columns == b.plane.columns;
  return a.block->tensor.site != tape::Site::figures || (same_shape && a.whole == b.whole);
}

/// One colour is one value in all tensors of a kind, else colours would say nothing about which is larger.
void share_ranges(std::vector<BlockModel>& blocks) {
  for (BlockModel& block : blocks)
    for (const BlockModel& other : blocks)
      if (block.is_matrix() && other.is_matrix() && block.ramp == gfx::Ramp::signed_values &&
          are_of_a_kind(block, other))
        block.range = std::max(block.range, other.range);
}

/// Of the longest word at the size of axis labels, within limits; a view measures and shortens.
float width_of_words(const lessons::Run& run) {
  constexpr float kLatin = 7.6f;
  constexpr float kChinese = 13.0f;
  constexpr std::size_t kChineseBytes = 3;
  float longest = 0.0f;
  for (const auto* words : {&run.source_words, &run.target_words})
    for (const std::string& word : *words) {
      const bool chinese = !word.empty() && static_cast<unsigned char>(word[0]) >= 0x80;
      const auto bytes = static_cast<float>(word.size());
      longest =
          std::max(longest, chinese ? bytes / static_cast<float>(kChineseBytes) * kChinese : bytes * kLatin);
    }
  return std::clamp(longest + 10.0f, 36.0f, 72.0f);
}

int block_of(const BoardModel& board, const tape::Label& label) {
  for (std::size_t i = 0; i < board.blocks.size(); ++i)
    if (board.blocks[i].is_matrix() && board.blocks[i].block->tensor == label) return static_cast<int>(i);
  return -1;
}

void include(Lit& lit, const lessons::Cell& cell, int step) {
  if (!lit.any()) {
    lit = {cell.row, cell.row, cell.column, cell.column, step};
    return;
  }
  if (lit.step != step) return;  // it is an operand of something nearer already
  const bool apart = cell.row < lit.first_row - 1 || cell.row > lit.last_row + 1;
  const bool between = lit.first_row < cell.row && cell.row < lit.last_row;
  // Further back only the first and the last of several rows are followed: there a gap means nothing.
  lit.gap = step == 1 && !between && (lit.gap || apart);
  lit.first_row = std::min(lit.first_row, cell.row);
  lit.last_row = std::max(lit.last_row, cell.row);
  lit.first_column = std::min(lit.first_column, cell.column);
  lit.last_column = std::max(lit.last_column, cell.column);
}

/// A block shows it by turns with another that shows now.
bool takes_turns(const BoardModel& board, const tape::Label& label) {
  for (const BlockModel& block : board.blocks)
    for (const lessons::Block& other : block.in_place)
      if (other.tensor == label && block.in_place.size() > 1) return true;
  return false;
}

/// The terms of a cell; of a function of a number that no block shows, that number's.
std::vector<tape::Term> terms_shown(const BoardModel& board, const tape::Tape& tape,
                                    const tape::Explanation& explanation) {
  if (explanation.form != tape::Form::function) return explanation.terms;
  const tape::Element& taken = explanation.terms[0].a;
  const tape::Value entry = tape.find(taken.label);
  if (block_of(board, taken.label) >= 0 || takes_turns(board, taken.label) || !entry.valid())
    return explanation.terms;
  return tape::explain(tape, entry, taken.index).terms;
}

/// Lights the operands of cell (row, column) of a tensor, and theirs, as far as blocks show them; through
/// those that take turns with a block that shows.
void light(BoardModel& board, const tape::Tape& tape, const tape::Label& of, lessons::Cell cell, int step) {
  const tape::Value entry = tape.find(of);
  const tape::Explanation explanation =
      tape::explain(tape, entry, lessons::index_of(of, tape.tensor(entry).shape, cell));
  std::vector<int> touched;
  Lit behind;
  tape::Label turn;
  for (const tape::Term& term : terms_shown(board, tape, explanation))
    for (const tape::Element& element : {term.a, term.b}) {
      const int block = element.rank < 0 ? -1 : block_of(board, element.label);
      if (block < 0) {
        if (element.rank < 0 || !takes_turns(board, element.label)) continue;
        turn = element.label;
        include(behind, lessons::cell_of(element.label, element.rank, element.index), step);
        continue;
      }
      BlockModel& operand = board.blocks[static_cast<std::size_t>(block)];
      // Beyond the first step only what belongs to a position is followed: of a weight, every row takes part.
      if (step > 1 && tape::is_parameter(element.label.site)) continue;
      include(operand.lit, lessons::cell_of(element.label, element.rank, element.index), step);
      if (std::find(touched.begin(), touched.end(), block) == touched.end()) touched.push_back(block);
    }
  for (int column = behind.first_column; behind.any() && column <= behind.last_column; ++column)
    light(board, tape, turn, {cell.head, behind.first_row, column}, step);
  if (step == kMostSteps) return;
  for (const int block : touched) {
    const BlockModel& operand = board.blocks[static_cast<std::size_t>(block)];
    if (operand.lit.step != step || tape::is_parameter(operand.block->tensor.site)) continue;
    const Lit lit = operand.lit;
    for (int r = lit.first_row; r <= lit.last_row; r += std::max(lit.last_row - lit.first_row, 1))
      light(board, tape, operand.block->tensor, {operand.head, r, lit.first_column}, step + 1);
  }
}

/// Read off the last row's first cell, whose row and column differ wherever there is more than one row; a
/// cell the reader replaced tells nothing, so then off the next one whose do.
Operand operand_of(const BoardModel& board, const tape::Tape& tape, int from, const BlockModel& to) {
  const tape::Site site = board.blocks[static_cast<std::size_t>(from)].block->tensor.site;
  for (int row = to.plane.rows - 1; row >= 0; --row)
    for (int column = 0; column < to.plane.columns; ++column) {
      if (column == row && to.plane.rows > 1) continue;
      const auto index =
          lessons::index_of(to.block->tensor, tape.tensor(to.entry).shape, {to.head, row, column});
      const tape::Explanation cell = tape::explain(tape, to.entry, index);
      if (cell.op == tape::Op::replace) continue;
      Lit used;
      for (const tape::Term& term : terms_shown(board, tape, cell))
        for (const tape::Element& element : {term.a, term.b})
          if (element.rank >= 0 && block_of(board, element.label) == from)
            include(used, lessons::cell_of(element.label, element.rank, element.index), 1);
      // A mask is no term, but its row decides about the row.
      if (!used.any()) return site == tape::Site::mask ? Operand::row : Operand::apart;
      if (used.first_row == row && used.last_row == row) return Operand::row;
      return used.first_row == used.last_row ? Operand::transposed_column : Operand::column;
    }
  return Operand::row;
}

/// Blocks whose tensors an entry is computed from, looking through what no block shows.
void find_sources(const BoardModel& board, const tape::Tape& tape, tape::Value value, std::vector<bool>& seen,
                  std::vector<int>& sources) {
  for (const tape::Value input : tape.entry(value).inputs) {
    if (!input.valid() || seen[static_cast<std::size_t>(input.index)]) continue;
    seen[static_cast<std::size_t>(input.index)] = true;
    const int block = block_of(board, tape.entry(input).label);
    if (block >= 0 && board.blocks[static_cast<std::size_t>(block)].entry == input)
      sources.push_back(block);
    else
      find_sources(board, tape, input, seen, sources);
  }
}

}  // namespace

bool adds_up_rows(const BlockModel& block) {
  return block.block->row_figures.site == tape::Site::row_sums && is_masked_site(block.block->tensor.site);
}

bool counts_positions(tape::Axis axis) { return axis == tape::Axis::target || axis == tape::Axis::source; }

bool pairs_positions(const BlockModel& block) {
  return counts_positions(block.axes.rows) && counts_positions(block.axes.columns);
}

bool has_both_views(const BoardModel& board) {
  return board.focused >= 0 &&
         std::any_of(board.blocks.begin(), board.blocks.end(), [&](const BlockModel& block) {
           return block.block->kind == BlockKind::arcs && block.block->tensor == board.focus.tensor;
         });
}

int target_row(const Focus& focus) {
  return lessons::plane_axes(focus.tensor).rows == tape::Axis::target ? focus.row : -1;
}

BlockModel transposed(const BlockModel& block) {
  BlockModel turned = block;
  turned.plane.rows = block.plane.columns;
  turned.plane.columns = block.plane.rows;
  turned.axes = {block.axes.columns, block.axes.rows};
  turned.lit = {block.lit.first_column, block.lit.last_column, block.lit.first_row, block.lit.last_row,
                block.lit.step};
  for (int row = 0; row < turned.plane.rows; ++row)
    for (int column = 0; column < turned.plane.columns; ++column) {
      turned.values[turned.at(row, column)] = block.values[block.at(column, row)];
      turned.states[turned.at(row, column)] = block.states[block.at(column, row)];
    }
  return turned;
}

BoardModel board_model(const lessons::Lesson& lesson, const lessons::Run& run, int step, const Focus& focus) {
  BoardModel board;
  if (!run.board) return board;
  const tape::Tape& tape = run.board->tape;
  board.focus = focus;
  board.target_row = target_row(focus);
  const lessons::Sheet& sheet = run.sheet_at(step);
  for (const lessons::Block* block : run.shown_at(step, focus)) {
    board.blocks.push_back(block_model(lesson, *block, tape, focus));
    board.blocks.back().in_place =
        lessons::blocks_in_place(sheet, static_cast<std::size_t>(block - sheet.blocks.data()));
  }
  share_ranges(board.blocks);
  const bool tables = std::all_of(board.blocks.begin(), board.blocks.end(), [](const BlockModel& block) {
    return block.block->kind == BlockKind::table;
  });
  for (BlockModel& block : board.blocks) block.alone = tables;
  for (BlockModel& block : board.blocks)
    block.names_columns = counts_positions(block.axes.rows) && !run.word_at(block.axes.columns, 0).empty();
  board.row_words = width_of_words(run);
  board.focused = block_of(board, focus.tensor);
  for (std::size_t i = 0; i < board.blocks.size(); ++i) {
    if (!board.blocks[i].is_matrix()) continue;
    std::vector<int> sources;
    std::vector<bool> seen(tape.entries().size(), false);
    find_sources(board, tape, board.blocks[i].entry, seen, sources);
    for (const int source : sources)
      board.links.push_back({source, static_cast<int>(i), operand_of(board, tape, source, board.blocks[i])});
  }
  if (board.focused < 0) return board;
  const BlockModel& chosen = board.blocks[static_cast<std::size_t>(board.focused)];
  board.heads = chosen.plane.heads;
  if (focus.has_cell() && chosen.plane.has_cell(chosen.head, focus.row, focus.column))
    light(board, tape, chosen.block->tensor, {chosen.head, focus.row, focus.column}, 1);
  return board;
}

}  // namespace attn::ui
