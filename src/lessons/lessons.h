// The lessons there are, in the order in which readers meet them. A lesson is the `kLesson` of its own
// namespace, which holds all of its code: the web build makes a file of its own of each, fetched when the
// lesson is opened.
#pragma once

#include "lessons/lesson.h"

#define ATTN_LESSONS(lesson)                                                                           \
  lesson(why_attention) lesson(self_attention) lesson(loops_to_matrices) lesson(scale_by_sqrt_dk)      \
      lesson(multi_head) lesson(positions) lesson(mask_lab) lesson(translate) lesson(mask_equivalence) \
          lesson(teacher_forcing) lesson(train_it) lesson(kv_cache)

#define ATTN_DECLARE_LESSON(name) \
  namespace attn::lessons::name { \
  extern const Lesson kLesson;    \
  }
ATTN_LESSONS(ATTN_DECLARE_LESSON)
#undef ATTN_DECLARE_LESSON
