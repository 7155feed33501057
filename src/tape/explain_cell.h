// What the explanations of single ops work with. Internal to src/tape: explain.cpp and explain_rows.cpp
// include it.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "tape/explain.h"

namespace attn::tape {

inline constexpr Element kAbsent{{}, {}, -1, 0.0f};

inline int offset_of(const core::Shape& shape, const std::array<int, 4>& index) {
  int offset = 0;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const int position = index[static_cast<std::size_t>(axis)];
    ATTN_CHECK(position >= 0 && position < shape[axis]);
    offset = offset * shape[axis] + position;
  }
  return offset;
}

/// The entry being explained and the element asked for. Indices count axes from the end, as shapes do:
/// at(-1) is the column, at(-2) the row, at(-3) the head.
struct Cell {
  const Tape& tape;
  const Entry& entry;
  std::array<int, 4> index;

  int rank() const { return entry.value.shape.rank(); }
  int at(int axis) const { return index[static_cast<std::size_t>(rank() + axis)]; }

  /// The index with other places on its last axes: with(row, column) or with(head, row, column).
  template <class... Places>
  std::array<int, 4> with(Places... places) const {
    std::array<int, 4> result = index;
    int axis = rank() - static_cast<int>(sizeof...(places));
    for (const int place : {places...}) result[static_cast<std::size_t>(axis++)] = place;
    return result;
  }

  Value input(int i) const { return entry.inputs[static_cast<std::size_t>(i)]; }
  core::TensorView operand(int i) const { return tape.tensor(input(i)); }

  /// Under its own name; an element of a copy nobody named under that of what was copied.
  Element element(int i, const std::array<int, 4>& place) const;

  /// As element; a looked-up row nobody named is called by its place in the table.
  Element named_element(int i, const std::array<int, 4>& place) const {
    const Entry& from = tape.entry(input(i));
    if (from.op != Op::lookup || from.label.site != Site::unnamed) return element(i, place);
    const Cell lookup{tape, from, place};
    return lookup.element(0, {lookup.token(), lookup.at(-1)});
  }

  /// Of a lookup: the row of the table.
  int token() const {
    const core::TensorView tokens = operand(1);
    return static_cast<int>(tokens.values[offset_of(tokens.shape, index)]);
  }
};

inline bool is_copy(Op op) { return op == Op::split_heads || op == Op::merge_heads || op == Op::transpose; }

/// Where an element of such a copy stands in what was copied.
inline std::array<int, 4> copied_from(const Cell& cell) {
  const core::Shape& from = cell.operand(0).shape;
  std::array<int, 4> place = cell.index;
  const auto axis = [&](int from_end) { return static_cast<std::size_t>(from.rank() + from_end); };
  if (cell.entry.op == Op::split_heads) {
    place[axis(-2)] = cell.at(-2);
    place[axis(-1)] = cell.at(-3) * cell.entry.value.shape[-1] + cell.at(-1);
    place[axis(0)] = 0;
  } else if (cell.entry.op == Op::merge_heads) {
    place[axis(-3)] = cell.at(-1) / from[-1];
    place[axis(-2)] = cell.at(-2);
    place[axis(-1)] = cell.at(-1) % from[-1];
  } else {
    place[axis(-2)] = cell.at(-1);
    place[axis(-1)] = cell.at(-2);
  }
  return place;
}

inline Element Cell::element(int i, const std::array<int, 4>& place) const {
  const Cell at{tape, tape.entry(input(i)), place};
  if (at.entry.label.site == Site::unnamed && is_copy(at.entry.op)) return at.element(0, copied_from(at));
  const core::TensorView& from = at.entry.value;
  return {at.entry.label, place, from.shape.rank(), from.values[offset_of(from.shape, place)]};
}

inline Term product(const Element& a, const Element& b) { return {a, b, a.value * b.value}; }

inline Term alone(const Element& a) { return {a, kAbsent, a.value}; }

inline float sum_of(const std::vector<Term>& terms) {
  float total = 0.0f;
  for (const Term& term : terms) total += term.contribution;
  return total;
}

/// An element that is another one, under that one's name.
inline void explain_copy(const Element& source, Explanation& explanation) {
  explanation.form = Form::copied;
  explanation.terms.push_back(alone(source));
}

// tape/explain_rows.cpp
void explain_rms_norm(const Cell& cell, Explanation& explanation);
void explain_scale(const Cell& cell, Explanation& explanation);
void explain_dropout(const Cell& cell, Explanation& explanation);
void explain_rope(const Cell& cell, Explanation& explanation);
void explain_log_softmax(const Cell& cell, Explanation& explanation);
void explain_cross_entropy(const Cell& cell, Explanation& explanation);

}  // namespace attn::tape
