// The kinds of blocks that are no matrix. Each draws into the body of its place.
#pragma once

#include "ui/board_places.h"
#include "ui/context.h"

namespace attn::ui {

inline constexpr float kTableRow = 30.0f;
inline constexpr float kLargeTableRow = 40.0f;  // of tables with a sheet to themselves
inline constexpr float kTableWidth = 240.0f;    // at least
inline constexpr float kLeastCandidateRow = 26.0f;

void draw_plot(Context& context, const BlockModel& block, int index, const BlockPlace& place);
void draw_table(Context& context, const BlockModel& block, const BlockPlace& place);
void draw_vectors(Context& context, const BlockModel& block, int index, const BlockPlace& place);
void draw_falling(Context& context, const BoardModel& board, const BlockModel& block, int index,
                  const BlockPlace& place);
void draw_candidates(Context& context, const BlockModel& block, int index, const BlockPlace& place);
void draw_word_list(Context& context, const BlockModel& block, const BlockPlace& place);

/// The pill under a block that says what it comes to.
void draw_block_verdict(Context& context, const BlockModel& block, const BlockPlace& place);

/// The colour of a role in a block: what has none is ink.
Colour colour_of_role(lessons::Role role);

}  // namespace attn::ui
