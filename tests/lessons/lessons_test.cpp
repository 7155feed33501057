#include "lessons/lessons.h"

#include <algorithm>
#include <string>

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
