// The lessons there are, one declaration each; lessons/registry.cpp puts them in order.
#pragma once

#include "lessons/lesson.h"

namespace attn::lessons {

extern const Lesson kWhyAttention;
extern const Lesson kSelfAttention;
extern const Lesson kLoopsToMatrices;
extern const Lesson kScaleBySqrtDk;
extern const Lesson kMaskLab;
extern const Lesson kMultiHead;
extern const Lesson kPositions;
extern const Lesson kMaskEquivalence;
extern const Lesson kTeacherForcing;
extern const Lesson kKvCache;

}  // namespace attn::lessons
