#include <algorithm>

#include "ui/controls.h"
#include "ui/view_blocks.h"
#include "ui/view_board.h"

namespace attn::ui {
namespace {

constexpr float kSmallestTitle = 11.0f;
constexpr float kIcon = 9.0f;
constexpr float kIconRoom = 22.0f;

std::string note_of(const BlockModel& block) {
  if (!block.block->note.empty() || !block.is_matrix()) return block.block->note;
  return std::to_string(block.plane.rows) + "×" + std::to_string(block.plane.columns);
}

/// Corners that point away from each other, or at each other where the block is open.
void draw_grow_icon(Sketch& sketch, Point at, bool open, Colour colour) {
  constexpr float kLeg = 4.0f;
  for (const float side : {-1.0f, 1.0f}) {
    const float reach = open ? 1.5f : kIcon / 2.0f;
    const Point tip{at.x + side * reach, at.y - side * reach};
    const float leg = side * (open ? kLeg : -kLeg);
    sketch.stroke(tip, {tip.x + leg, tip.y}, colour, 1.5f);
    sketch.stroke(tip, {tip.x, tip.y - leg}, colour, 1.5f);
  }
}

/// Over all that stands in the head, and an icon behind it where there is room: a click opens the block,
/// another one puts it back. The keyboard does so with the chosen cell.
void add_opener(Context& context, const BoardModel& board, const BlockModel& block, int index, Rect head,
                float right) {
  const bool open = board.focus.open && block.focused;
  const GroupId group = group_of(Group::openers, index);
  const bool pointed = is_hovered(context, region_id(group)) ||
                       context.view.hover.region == region_id(group_of(Group::blocks, index));
  const bool room = head.right() + kIconRoom <= right;
  if (room) head.width += kIconRoom;
  if (room && (pointed || block.focused))
    draw_grow_icon(context.sketch, {head.right() - kIconRoom / 2.0f, head.centre().y}, open,
                   pointed ? Colour::ink : Colour::ink3);
  const float side = context.layout.touch ? 44.0f : 28.0f;
  context.sketch.region({.id = region_id(group),
                         .group = group,
                         .rect = at_least(head, side, side),
                         .visual = head,
                         .label = std::string(context.say(open ? Word::close_block : Word::open_block)) +
                                  ": " + block.block->title.in(context.language()),
                         .intent = {.kind = IntentKind::open_block,
                                    .value = block.block->unmasked ? 1 : 0,
                                    .label = block.block->tensor},
                         .selected = open,
                         .pointer_only = true});
}

/// The switch stands where the title would; returns its right end.
float draw_switch(Context& context, const BlockModel& block, int index, const BlockPlace& place, float room) {
  const std::vector<Option> options = turn_options(block, context.language());
  const float width = std::min(room, segmented_width(context.sketch.measure, options));
  segmented_by_text(context, {place.head.x, place.head.y, width, place.head.height}, options,
                    group_of(Group::turns, index), block.block->title.in(context.language()));
  return place.head.x + width;
}

}  // namespace

std::vector<Option> turn_options(const BlockModel& block, lessons::Language language) {
  std::vector<Option> options;
  for (const lessons::Block& one : block.in_place)
    options.push_back({one.name().in(language),
                       {.kind = IntentKind::focus_tensor, .value = one.unmasked ? 1 : 0, .label = one.tensor},
                       &one == block.block});
  return options;
}

void draw_block_head(Context& context, const BoardModel& board, const BlockModel& block, int index,
                     const BlockPlace& place) {
  if (place.head.empty()) return;
  Sketch& sketch = context.sketch;
  const float baseline = place.head.y + 15.0f;
  TextStyle title{.font = Font::ui600,
                  .size = 14.0f,
                  .colour = colour_of_role(block.block->role),
                  .tag = {.mark = Mark::block_title}};
  const std::string name = block.block->name().in(context.language());
  if (place.operand) {
    const std::string text =
        place.transposed ? block.block->title.in(context.language()) + std::string("ᵀ") : name;
    // It ends with the cells under it, unless it needs more.
    const float end = std::min(place.body.right(), place.head.right());
    const std::string shown = sketch.fitted(text, place.head.width, title);
    sketch.text(std::max(end - sketch.width(shown, title), place.head.x), baseline, shown, title);
    return;
  }
  const bool opens = block.is_matrix() && context.layout.size != Size::phone;
  const bool turns = block.in_place.size() > 1 && !shows_one(board, context.layout);
  const std::string wordings[] = {block.block->title.in(context.language()), name};
  const float room = block.figures.valid() && !turns
                         ? place.body.width
                         : place.head.width;  // what the rows add up to stands beside
  const float right = place.head.x + room;
  float end = place.head.x;
  if (turns) {
    end = draw_switch(context, block, index, place, room - kIconRoom);
  } else {
    title.size = sketch.size_that_fits(name, room, title, kSmallestTitle);
    end = sketch.text(place.head.x, baseline, sketch.first_fitting(wordings, room, title), title);
  }
  const float left = turns ? end : place.head.x;  // of what can be clicked
  const TextStyle quiet{.font = Font::mono400, .size = 12.0f, .colour = Colour::ink3};
  if (end + 8.0f + sketch.width(note_of(block), quiet) <= right - (turns ? kIconRoom : 0.0f))
    end = sketch.text(end + 8.0f, turns ? place.head.centre().y + 5.0f : baseline, note_of(block), quiet);
  if (opens)
    add_opener(context, board, block, index, {left, place.head.y, end - left, place.head.height}, right);
}

}  // namespace attn::ui
