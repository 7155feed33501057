#include "ui/view_work.h"

#include <algorithm>
#include <cmath>

#include "ui/controls.h"
#include "ui/icons.h"

namespace attn::ui {
namespace {

enum WorkPart : int { kStep = 10, kRestart };  // after view_transport's own

RegionId part_id(int part) { return region_id(group_of(Group::transport), part); }

/// "340 / 2000 · 12 s left", and why it stands still.
std::string words_of(const Context& context) {
  const lessons::WorkProgress& work = context.subject.work;
  std::string text = std::to_string(work.done) + " / " + std::to_string(work.total);
  if (work.done >= work.total) return text + " · " + context.say(Word::work_done);
  if (context.now_s < context.view.was_hidden_until_s)
    return text + " · " + context.say(Word::work_was_hidden);
  if (!context.view.playing) return text;
  const int left = static_cast<int>(std::ceil(work.left_s));
  return left > 0 ? text + " · " + phrase(context.say(Word::work_left), left) : text;
}

}  // namespace

void view_progress(Context& context, const Rect& area) {
  Sketch& sketch = context.sketch;
  const lessons::WorkProgress& work = context.subject.work;
  const TextStyle style{.font = Font::mono400, .size = 12.0f, .colour = Colour::ink2};
  const std::string text = words_of(context);
  const float centre = area.centre().y;
  sketch.text(area.x, baseline_at(centre - 9.0f, 12.0f), sketch.fitted(text, area.width, style), style);
  const Rect track{area.x, centre + 5.0f, area.width, 6.0f};
  sketch.box(track, Colour::line2, 3.0f);
  const float share = work.total > 0 ? static_cast<float>(work.done) / static_cast<float>(work.total) : 0.0f;
  if (share > 0.0f)
    sketch.box({track.x, track.y, std::max(track.width * share, 6.0f), 6.0f}, Colour::ink, 3.0f);
}

void view_work(Context& context, const Rect& at, bool with_progress) {
  const lessons::WorkProgress& work = context.subject.work;
  const float side = at.height;
  const bool finished = work.done >= work.total;
  icon_button(context, {at.x, at.y, side, side}, Icon::one_step, part_id(kStep), Word::work_step,
              {.kind = IntentKind::work_step}, {.enabled = !finished});
  icon_button(context, {at.x + side + 8.0f, at.y, side, side}, Icon::restart, part_id(kRestart),
              Word::work_restart, {.kind = IntentKind::work_restart}, {.enabled = work.done > 0});
  const float x = at.x + 2.0f * side + 32.0f;
  if (!with_progress || at.right() - x < 80.0f) return;
  context.sketch.line({x - 12.0f, at.y + 4.0f}, {x - 12.0f, at.bottom() - 4.0f}, Colour::line);
  view_progress(context, {x + 6.0f, at.y, std::min(at.right() - x - 6.0f, 420.0f), side});
}

}  // namespace attn::ui
