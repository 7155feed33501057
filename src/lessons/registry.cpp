#include "lessons/registry.h"

#include "lessons/lessons.h"

namespace attn::lessons {

std::span<const Lesson* const> all_lessons() {
  // clang-format off
  static constexpr const Lesson* kLessons[] = {
      &kWhyAttention,
      &kSelfAttention,
      &kLoopsToMatrices,
      &kScaleBySqrtDk,
      &kMultiHead,
      &kPositions,
      &kMaskLab,
      &kMaskEquivalence,
      &kTeacherForcing,
      &kKvCache,
  };
  // clang-format on
  return kLessons;
}

const Lesson* find_lesson(std::string_view slug) {
  for (const Lesson* lesson : all_lessons())
    if (lesson->slug == slug) return lesson;
  return nullptr;
}

}  // namespace attn::lessons
