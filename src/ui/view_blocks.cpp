#include "ui/view_blocks.h"

#include <algorithm>

namespace attn::ui {

Colour colour_of_role(lessons::Role role) {
  switch (role) {
    case lessons::Role::plain:
    case lessons::Role::strong:
    case lessons::Role::code:
      return Colour::ink;
    case lessons::Role::query:
      return Colour::query;
    case lessons::Role::key:
      return Colour::key;
    case lessons::Role::value:
      return Colour::value;
    case lessons::Role::output:
      return Colour::output;
    case lessons::Role::memory:
      return Colour::memory;
    case lessons::Role::equal:
      return Colour::equal;
    case lessons::Role::different:
      return Colour::different;
  }
  return Colour::ink;
}

namespace {

constexpr float kPillMargin = 22.0f;  // both sides of the text together
constexpr float kSmallestVerdict = 10.5f;

}  // namespace

void draw_block_verdict(Context& context, const BlockModel& block, const BlockPlace& place) {
  const lessons::Verdict& verdict = block.block->verdict;
  const std::string text = verdict.text.in(context.language());
  if (text.empty()) return;
  const bool equal = verdict.role == lessons::Role::equal;
  const bool differs = verdict.role == lessons::Role::different;
  TextStyle style{.font = Font::ui600,
                  .size = 13.0f,
                  .colour = equal     ? Colour::equal
                            : differs ? Colour::on_different
                                      : Colour::ink2,
                  .tag = {.mark = Mark::block_verdict}};
  const float room =
      std::min(std::max(place.head.width, place.body.width), context.layout.content.right() - place.body.x);
  style.size = context.sketch.size_that_fits(text, room - kPillMargin, style, kSmallestVerdict);
  const float margin =
      context.sketch.width(text, style) > room - kPillMargin ? kPillMargin / 2.0f : kPillMargin;
  const std::string shown = context.sketch.fitted(text, room - margin, style);
  const Rect pill{place.body.x, place.body.bottom() + 8.0f, context.sketch.width(shown, style) + margin,
                  24.0f};
  context.sketch.box(pill, equal ? Colour::equal_tile : differs ? Colour::different : Colour::sunken, 12.0f);
  context.sketch.text_in(pill, shown, style);
}

}  // namespace attn::ui
