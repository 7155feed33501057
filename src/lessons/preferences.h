// What a reader prefers, whatever the lesson: one object, owned by the application's root, that the UI and
// the interface for JavaScript both read and write.
#pragma once

#include <cstdint>

#include "lessons/text.h"

namespace attn::lessons {

enum class Theme : std::uint8_t {
  automatic,  // as the system or the page has it
  light,
  dark,
};

struct Preferences {
  Language language = Language::en;
  Theme theme = Theme::automatic;
  bool reduced_motion = false;
  bool one_lesson = false;  // of a page that is about the open one: nothing leads to another

  bool operator==(const Preferences&) const = default;
};

}  // namespace attn::lessons
