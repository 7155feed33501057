// A small lesson for tests of Session and of the interface for JavaScript, which must not depend on what a
// real lesson says. Its arithmetic is done by hand, so it needs no kernels.
//
//   length 1..6 · prefix 1..6, at most length · poke -1..5, at most length - 1 · layers 1, 2 or 4 ·
//   mask on/off · trouble 0..3, and the run refuses 2 and 3
//
// The second step asks how they can agree: answered by the mask, missed by a shorter prefix.
//
// With the mask on, the two passes agree to the bit; off, weights differ and so does everything after them.
#pragma once

#include "lessons/lesson.h"

namespace attn::test {

const lessons::Lesson& sample_lesson();

/// How many times the lesson was run since the program began.
int sample_lesson_runs();

/// decoder.<layer>.self_attention.<site>
tape::Label sample_label(tape::Site site, int layer = 0);

}  // namespace attn::test
