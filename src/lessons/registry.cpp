#include "lessons/registry.h"

#include "lessons/lessons.h"

namespace attn::lessons {

std::span<const Lesson* const> all_lessons() {
#define ATTN_ADDRESS_OF_LESSON(name) &name::kLesson,
  static constexpr const Lesson* kLessons[] = {ATTN_LESSONS(ATTN_ADDRESS_OF_LESSON)};
#undef ATTN_ADDRESS_OF_LESSON
  return kLessons;
}

const Lesson* find_lesson(std::string_view slug) {
  for (const Lesson* lesson : all_lessons())
    if (lesson->slug == slug) return lesson;
  return nullptr;
}

}  // namespace attn::lessons
