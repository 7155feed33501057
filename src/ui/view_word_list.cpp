// Words one after the other, as many lines as it takes; those of the sentence stand out.
#include <algorithm>

#include "ui/view_blocks.h"

namespace attn::ui {
namespace {

constexpr float kLargest = 15.0f;
constexpr float kSmallest = 8.0f;
constexpr float kLeading = 1.5f;  // of a line, in sizes

bool is_said(const lessons::Run& run, std::string_view word) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::any_of(run.source_words.begin(), run.source_words.end(), [&](const std::string& said) {
    return std::equal(said.begin(), said.end(), word.begin(), word.end(),
                      [&](char a, char b) { return lower(a) == lower(b); });
  });
}

/// Goes through the words line by line, draws them if asked; returns the height they take.
float flow(Context& context, const std::vector<std::string>& words, const Rect& area, float size, bool draw) {
  float x = area.x;
  float y = area.y;
  for (const std::string& word : words) {
    const bool said = draw && is_said(context.subject.run, word);
    const TextStyle style{.font = said ? Font::ui600 : Font::ui400,
                          .size = size,
                          .colour = said ? Colour::memory : Colour::ink2,
                          .tag = {.mark = Mark::axis_label}};
    const float width = context.sketch.width(word, style);
    if (x > area.x && x + width > area.right()) {
      x = area.x;
      y += kLeading * size;
    }
    if (draw) context.sketch.text(x, baseline_at(y + kLeading * size / 2.0f, size), word, style);
    x += width + 0.8f * size;
  }
  return y + kLeading * size - area.y;
}

}  // namespace

void draw_word_list(Context& context, const BlockModel& block, const BlockPlace& place) {
  float size = kLargest;
  while (size > kSmallest &&
         flow(context, block.block->row_names, place.body, size, false) > place.body.height)
    size -= 0.5f;
  flow(context, block.block->row_names, place.body, size, true);
}

}  // namespace attn::ui
