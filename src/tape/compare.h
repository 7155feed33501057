// Comparing two runs: entries are aligned by Label, and every cell both runs have *and may see* is compared
// by its bits. The headline lesson, "poke a token" and half the tests are this one function.
//
// Which cells: on each axis the positions both tensors have; of scores and weights only cells visible in both
// runs (a masked cell of one run has no counterpart). With `target_row` set, tensors whose rows are target
// positions are compared in that row alone; tensors whose rows are source positions (encoder, cross-attention
// key/value) in full.
//
// A batched run has one more axis in front. Two batched runs are compared sequence by sequence; one sequence
// of a batch with a run of its own by saying where it lies (`Sequence`).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "tape/tape.h"

namespace attn::tape {

/// What a comparison of one tensor found.
struct TensorDifference {
  Label label;
  Value first;                         // entry of the first tape
  Value second;                        // entry of the second tape
  int compared = 0;                    // cells compared
  int different = 0;                   // cells whose bits differ
  float largest_difference = 0.0f;     // max |a - b| over the compared cells; +inf where one side is NaN
  std::array<int, 4> largest_index{};  // where that is
  std::uint32_t ulp_at_largest = 0;    // ULP distance at that same cell
  std::uint32_t largest_ulp = 0;       // max ULP distance over all compared cells

  bool equal() const { return different == 0; }
};

/// Where the sequence to compare lies in a run.
struct Sequence {
  int index = -1;         // which of the batch; -1: the run has no batch axis, or all of it is compared
  int target_offset = 0;  // its target position 0 is at this index: padding on the left
  int source_offset = 0;
};

/// All labelled, computed tensors both tapes have, in the order of the first tape. Positions (`target_row`,
/// `largest_index`) are those of the sequence, without batch axis when one sequence was named.
std::vector<TensorDifference> compare(const Tape& first, const Tape& second,
                                      std::optional<int> target_row = std::nullopt,
                                      const Sequence& in_first = {}, const Sequence& in_second = {});

/// One tensor: all common cells, or row `row` of its row axis alone, or head `head` alone, where these are
/// not negative. Nothing is compared when a tape lacks the tensor.
TensorDifference compare_tensor(const Tape& first, const Tape& second, const Label& label, int row = -1,
                                int head = -1);

/// Index of the first tensor that differs, in tape order; -1 when all are equal.
int first_different(const std::vector<TensorDifference>& differences);

/// Whether query `row` of a head of a sequence may see key `column` in this tensor; true for tensors that no
/// mask applies to.
bool is_visible(const Tape& tape, const Label& label, int row, int column, int head = 0, int sequence = 0);

}  // namespace attn::tape
