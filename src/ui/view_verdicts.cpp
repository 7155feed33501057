#include <algorithm>

#include "lessons/numbers.h"
#include "ui/icons.h"
#include "ui/views.h"

namespace attn::ui {
namespace {

struct RowPlace {
  float begin, end, centre_y;
  float height;  // of the row's cells
  int row;
  bool emphasised;
};

void dashes(Context& context, float from, float to, float y, Colour colour, float width, float dash,
            float gap) {
  if (to > from)
    context.sketch.add(LineItem{
        .a = {from, y}, .b = {to, y}, .colour = colour, .width = width, .dash = dash, .dash_gap = gap});
}

/// A row that has no counterpart: a dotted line and, where there is room, why.
void draw_quiet_row(Context& context, const RowPlace& place, Word why) {
  const float middle = (place.begin + place.end) / 2.0f;
  const TextStyle style{
      .size = 12.0f, .colour = Colour::ink3, .tag = {Mark::row_verdict, Pane::none, place.row, -1}};
  const std::string text = context.say(why);
  const float width = context.sketch.width(text, style);
  const bool words = place.height >= 18.0f && width + 24.0f <= place.end - place.begin;
  const float half = words ? width / 2.0f + 6.0f : 6.0f;
  if (place.height >= 7.0f) {
    dashes(context, place.begin, middle - half, place.centre_y, Colour::line2, 1.0f, 2.0f, 4.0f);
    dashes(context, middle + half, place.end, place.centre_y, Colour::line2, 1.0f, 2.0f, 4.0f);
  }
  if (words)
    context.sketch.text_centred(middle, place.centre_y + 4.0f, text, style);
  else
    context.sketch.add(CircleItem{.centre = {middle, place.centre_y},
                                  .radius = std::min(2.0f, place.height / 3.0f),
                                  .fill = Colour::line2});
}

/// Rows too small for words share them: in the middle of a block that was not generated yet.
void draw_quiet_block(Context& context, float begin, float end, float top, float bottom, Word why) {
  const TextStyle style{.size = 12.0f, .colour = Colour::ink3, .tag = {.mark = Mark::row_verdict}};
  const Point middle{(begin + end) / 2.0f, (top + bottom) / 2.0f};
  const bool words = bottom - top >= 20.0f && context.sketch.width(context.say(why), style) <= end - begin;
  const float half = words ? 12.0f : 0.0f;
  for (const auto& [from, to] :
       {std::pair{top + 2.0f, middle.y - half}, std::pair{middle.y + half, bottom - 2.0f}})
    if (to - from > 4.0f)
      context.sketch.add(LineItem{.a = {middle.x, from},
                                  .b = {middle.x, to},
                                  .colour = Colour::line2,
                                  .dash = 2.0f,
                                  .dash_gap = 4.0f});
  if (words) context.sketch.text_centred(middle.x, middle.y + 4.0f, context.say(why), style);
}

void draw_connector(Context& context, const RowPlace& place, bool equal, float half) {
  const float middle = (place.begin + place.end) / 2.0f;
  const float width = place.emphasised ? 2.0f : 1.5f;
  const bool grows = place.row == context.view.motion.row_grown;
  const float t =
      grows ? progress(context.view.motion.step_s, context.now_s, kStepForward, Curve::in_out) : 1.0f;
  const float reach = place.begin + (place.end - place.begin) * t;
  const float spans[2][2] = {{place.begin, middle - half}, {middle + half, place.end}};
  for (const auto& span : spans) {
    const float to = std::min(span[1], reach);
    if (to <= span[0]) continue;
    context.sketch.add(LineItem{.a = {span[0], place.centre_y},
                                .b = {to, place.centre_y},
                                .colour = equal ? Colour::equal : Colour::different,
                                .width = width,
                                .dash = equal ? 0.0f : 5.0f,
                                .dash_gap = equal ? 0.0f : 4.0f,
                                .opacity = place.emphasised ? 1.0f : 0.75f});
  }
}

void draw_pill(Context& context, const RowPlace& place, const RowVerdict& verdict) {
  Sketch& sketch = context.sketch;
  const bool equal = verdict.difference.equal();
  const TextStyle style{.font = Font::mono600,
                        .size = 13.0f,
                        .colour = equal ? Colour::equal : Colour::on_different,
                        .tag = {Mark::row_verdict, Pane::none, place.row, -1}};
  const std::string text =
      equal ? context.say(Word::equal_ulp) : lessons::exponent(verdict.difference.largest_difference);
  const float height = std::min(context.layout.size == Size::desktop ? 28.0f : 24.0f, place.height - 2.0f);
  const float width = sketch.width(text, style) + 44.0f;
  const float x = (place.begin + place.end - width) / 2.0f;
  draw_connector(context, place, equal, width / 2.0f);
  sketch.box({x, place.centre_y - height / 2.0f, width, height},
             equal ? Colour::equal_tile : Colour::different, height / 2.0f);
  const Point mark{x + 18.0f, place.centre_y};
  if (equal)
    draw_equal_mark(sketch, mark, 10.0f, Colour::equal);
  else
    draw_different_mark(sketch, mark, 10.0f, Colour::on_different);
  sketch.text(x + 30.0f, baseline_at(place.centre_y, 13.0f), text, style);
}

void draw_tile(Context& context, const RowPlace& place, bool equal, float width, float height, float mark) {
  Sketch& sketch = context.sketch;
  const float middle = (place.begin + place.end) / 2.0f;
  draw_connector(context, place, equal, width / 2.0f);
  sketch.add(BoxItem{.rect = {middle - width / 2.0f, place.centre_y - height / 2.0f, width, height},
                     .radius = std::min(6.0f, height * 0.3f),
                     .fill = equal ? Colour::equal_tile : Colour::different,
                     .tag = {Mark::row_verdict, Pane::none, place.row, equal ? 0 : 1}});
  const Point centre{middle, place.centre_y};
  if (equal)
    draw_equal_mark(sketch, centre, mark, Colour::equal);
  else if (height >= 14.0f)
    draw_different_mark(sketch, centre, mark, Colour::on_different);
}

void draw_compared_row(Context& context, const RowPlace& place, const RowVerdict& verdict) {
  const bool equal = verdict.difference.equal();
  switch (context.layout.verdict_form) {
    case VerdictForm::pill:
      return draw_pill(context, place, verdict);
    case VerdictForm::tile:
      return draw_tile(context, place, equal, 26.0f, std::min(20.0f, place.height - 2.0f), 9.0f);
    case VerdictForm::mini:
      return draw_tile(context, place, equal, 14.0f, place.height - 1.0f,
                       std::min(7.0f, place.height - 3.0f));
    case VerdictForm::dot: {
      const float middle = (place.begin + place.end) / 2.0f;
      const float height = std::max(place.height - 1.0f, 1.5f);
      context.sketch.add(BoxItem{.rect = {middle - 6.0f, place.centre_y - height / 2.0f, 12.0f, height},
                                 .fill = equal ? Colour::equal_tile : Colour::different,
                                 .tag = {Mark::row_verdict, Pane::none, place.row, equal ? 0 : 1}});
      if (equal)
        context.sketch.line({middle - 3.0f, place.centre_y}, {middle + 3.0f, place.centre_y}, Colour::equal,
                            std::min(1.5f, height * 0.4f));
      return;
    }
  }
}

}  // namespace

void view_row_verdicts(Context& context, const StageModel& stage) {
  const Layout& layout = context.layout;
  const float gap = gfx::cell_shape(layout.cell_width, layout.cell_height).gap;
  if (layout.cell_height < 18.0f) {
    std::size_t first = stage.rows.size();
    while (first > 0 && stage.rows[first - 1].state == RowState::not_generated) --first;
    const float top = layout.verdicts.y + static_cast<float>(first) * layout.cell_height;
    if (first < stage.rows.size())
      draw_quiet_block(context, layout.verdicts.x, layout.verdicts.right(), top,
                       layout.verdicts.y + static_cast<float>(stage.rows.size()) * layout.cell_height,
                       Word::not_generated);
  }
  for (std::size_t i = 0; i < stage.rows.size(); ++i) {
    const int row = static_cast<int>(i);
    const float top = layout.verdicts.y + static_cast<float>(row) * layout.cell_height;
    const RowPlace place{layout.verdicts.x,
                         layout.verdicts.right(),
                         top + (layout.cell_height - gap) / 2.0f,
                         layout.cell_height,
                         row,
                         row == stage.focus.row};
    switch (stage.rows[i].state) {
      case RowState::compared:
        draw_compared_row(context, place, stage.rows[i]);
        break;
      case RowState::not_generated:
        if (layout.cell_height >= 18.0f) draw_quiet_row(context, place, Word::not_generated);
        break;
      case RowState::not_compared:
        draw_quiet_row(context, place, Word::not_compared);
        break;
      case RowState::no_visible_key:
        draw_quiet_row(context, place, Word::no_visible_key);
        break;
    }
  }
}

void view_big_verdict(Context& context, const StageModel& stage) {
  Sketch& sketch = context.sketch;
  const Rect& area = context.layout.big_verdict;
  const bool phone = context.layout.size == Size::phone;
  const tape::TensorDifference& worst = stage.worst;
  const bool equal = worst.equal();
  const bool nothing = worst.compared == 0;
  float size = context.layout.verdict_size;
  TextStyle style{.font = Font::ui600,
                  .size = size,
                  .colour = nothing ? Colour::ink3
                            : equal ? Colour::equal
                                    : Colour::different,
                  .tag = {.mark = Mark::big_verdict}};
  std::vector<std::string> wordings;
  if (nothing) {
    style.size = size = 15.0f;
    wordings = {context.say(Word::nothing_compared)};
  } else if (equal) {
    wordings = {context.say(Word::equal_ulp)};
  } else {
    const std::string amount = lessons::exponent(worst.largest_difference);
    wordings = {phrase(context.say(Word::differs_by), amount.c_str()), amount};
  }
  const float mark_room = nothing ? 0.0f : size * 1.05f;
  TextStyle ulps{.font = Font::mono400,
                 .size = context.layout.size == Size::desktop ? 13.0f : 12.0f,
                 .colour = Colour::different,
                 .tag = {.mark = Mark::big_verdict}};
  const std::string distance = equal || nothing ? std::string()
                                                : phrase(context.say(Word::ulp_distance),
                                                         lessons::thousands(worst.ulp_at_largest).c_str());
  // On a phone the distance stands beside the verdict: height is what a phone lacks.
  const float beside = phone && !distance.empty() ? sketch.width(distance, ulps) + 14.0f : 0.0f;
  const float room = area.width - mark_room - beside - (phone ? 0.0f : 12.0f);
  style.size = sketch.size_that_fits(wordings.back(), room, style, 13.0f);  // the one answer is never cut
  const std::string text = sketch.first_fitting(wordings, room, style);
  const float width = sketch.width(text, style) + mark_room + beside;
  const float baseline = phone ? area.y + 25.0f : area.y + 30.0f;
  const float x = area.centre().x - width / 2.0f;
  const Point mark{x + size * 0.35f, baseline - size * 0.34f};
  if (!nothing && equal) draw_equal_mark(sketch, mark, size * 0.6f, style.colour);
  if (!nothing && !equal) draw_different_mark(sketch, mark, size * 0.6f, style.colour);
  const float end = sketch.text(x + mark_room, baseline, text, style);
  if (distance.empty()) return;
  if (phone)
    sketch.text(end + 14.0f, baseline, distance, ulps);
  else {  // lower than the panes' heads, so it may reach to the matrices
    ulps.size = sketch.size_that_fits(distance, context.layout.verdicts.width + 28.0f, ulps, 9.0f);
    sketch.text_centred(area.centre().x, baseline + 20.0f, distance, ulps);
  }
}

}  // namespace attn::ui
