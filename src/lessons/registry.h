// The list of all lessons, in the order a reader meets them.
#pragma once

#include <span>
#include <string_view>

#include "lessons/lesson.h"

namespace attn::lessons {

std::span<const Lesson* const> all_lessons();

/// nullptr when there is no lesson of that slug.
const Lesson* find_lesson(std::string_view slug);

}  // namespace attn::lessons
