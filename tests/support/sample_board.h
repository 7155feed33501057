// A lesson on a board for tests of the UI: every kind of block once, with numbers a test can foresee.
#pragma once

#include "lessons/lesson.h"

namespace attn::test {

/// Sheet 0: two vectors and a table. Sheet 1: a mask to toggle, scores, weights in four versions with row
/// sums and verdicts. Sheet 2: a large matrix, a histogram and curves.
const lessons::Lesson& sample_board();

inline constexpr tape::Label kSampleVectors{tape::Stack::encoder, -1, tape::Block::none,
                                            tape::Site::embedding};
inline constexpr tape::Label kSampleMask{tape::Stack::encoder, 0, tape::Block::self_attention,
                                         tape::Site::mask};
inline constexpr tape::Label kSampleLarge{tape::Stack::model, 7, tape::Block::none, tape::Site::figures};
inline constexpr tape::Label kSampleCurve{tape::Stack::model, 8, tape::Block::none, tape::Site::figures};
tape::Label sample_weights(int version);
tape::Label sample_sums(int version);

}  // namespace attn::test
