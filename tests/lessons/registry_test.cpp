// The list of lessons and their slugs.
#include <algorithm>
#include <set>
#include <string>

#include "lessons/lessons.h"
#include "lessons/registry.h"
#include "support/catch.h"

using namespace attn::lessons;

// The web build finds a lesson's code by its namespace and the page asks for it by its slug.
TEST_CASE("a lesson's slug is its namespace with hyphens") {
  const auto check = [](std::string name, const Lesson& lesson) {
    std::replace(name.begin(), name.end(), '_', '-');
    CHECK(lesson.slug == name);
  };
#define ATTN_CHECK_SLUG(name) check(#name, name::kLesson);
  ATTN_LESSONS(ATTN_CHECK_SLUG)
#undef ATTN_CHECK_SLUG
}

TEST_CASE("slugs are unique and lead to their lesson") {
  std::set<std::string> slugs;
  for (const Lesson* lesson : all_lessons()) {
    CHECK(slugs.insert(lesson->slug).second);
    CHECK(find_lesson(lesson->slug) == lesson);
  }
  CHECK(find_lesson("") == nullptr);
  CHECK(find_lesson("no-such-lesson") == nullptr);
}
