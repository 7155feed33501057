// The most probable tokens of one position, as bars; a click writes one of them there.
#include <algorithm>

#include "lessons/numbers.h"
#include "ui/controls.h"
#include "ui/view_blocks.h"

namespace attn::ui {
namespace {

constexpr float kNumber = 56.0f;  // width of the probability
constexpr float kGap = 10.0f;
constexpr float kRow = 34.0f;
constexpr float kLeastRow = 20.0f;
constexpr float kLeastFingerRow = 36.0f;
constexpr float kBar = 14.0f;  // height
constexpr float kLeastBar = 3.0f;

struct Candidate {
  int token;
  float probability;
};

/// The largest of a row, the first of equals first; `written` takes the last place where it isn't among them.
std::vector<Candidate> candidates_of(const BlockModel& block, int row, int written, std::ptrdiff_t most) {
  std::vector<Candidate> all;
  for (int token = 0; token < block.plane.columns; ++token)
    all.push_back({token, block.values[block.at(row, token)]});
  std::stable_sort(all.begin(), all.end(),
                   [](const Candidate& a, const Candidate& b) { return a.probability > b.probability; });
  const auto top = all.begin() + std::min(most, std::ssize(all));
  const auto place = std::find_if(top, all.end(), [&](const Candidate& one) { return one.token == written; });
  if (place != all.end()) *(top - 1) = *place;
  all.erase(top, all.end());
  return all;
}

}  // namespace

void draw_candidates(Context& context, const BlockModel& block, int index, const BlockPlace& place) {
  Sketch& sketch = context.sketch;
  const lessons::Run& run = context.subject.run;
  const int chosen = target_row(context.subject.focus);
  const int row = chosen >= 0 && chosen < block.plane.rows ? chosen : block.plane.rows - 1;
  const int written =
      static_cast<int>(run.tape().tensor(block.block->choice).values[static_cast<std::size_t>(row)]);
  const Rect& body = place.body;
  const bool finger = context.layout.touch || context.layout.size == Size::phone;
  const auto fit = static_cast<std::ptrdiff_t>(body.height / (finger ? kLeastFingerRow : kLeastRow));
  const std::vector<Candidate> candidates =
      candidates_of(block, row, written, std::clamp<std::ptrdiff_t>(fit, 2, lessons::kCandidates));
  const float pitch = std::min(finger ? 44.0f : kRow, body.height / static_cast<float>(candidates.size()));
  float names = 0.0f;
  for (const Candidate& one : candidates)
    names = std::max(names, sketch.width(run.word_at(tape::Axis::vocabulary, one.token),
                                         {.font = Font::ui600, .size = 16.0f}));
  const float left = body.x + names + kGap;
  const float room = std::max(body.right() - kNumber - kGap - left, kLeastBar);
  const float largest = std::max(candidates.front().probability, 1e-9f);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Candidate& one = candidates[i];
    const bool taken = one.token == written;
    const RegionId id = region_id(group_of(Group::blocks, index), static_cast<int>(i));
    const Rect line{body.x - 6.0f, body.y + pitch * static_cast<float>(i), body.width + 12.0f, pitch};
    const float middle = line.centre().y;
    const Tag tag{Mark::candidate, Pane::none, static_cast<int>(i), one.token};
    if (is_hovered(context, id)) sketch.box(line, Colour::band, 6.0f);
    const std::string word = run.word_at(tape::Axis::vocabulary, one.token);
    sketch.text(body.x, baseline_at(middle, 16.0f), word,
                {.font = taken ? Font::ui600 : Font::ui400,
                 .size = 16.0f,
                 .colour = taken ? Colour::ink : Colour::ink2});
    const float height = std::min(kBar, pitch - 6.0f);
    sketch.add(BoxItem{
        .rect = {left, middle - height / 2.0f, std::max(room * one.probability / largest, kLeastBar), height},
        .radius = std::min(4.0f, height / 2.0f),
        .fill = taken ? Colour::ink : Colour::line2,
        .tag = tag});
    const std::string number = lessons::fixed(one.probability, 3);
    sketch.text_right(body.right(), baseline_at(middle, 13.0f), number,
                      {.font = taken ? Font::mono600 : Font::mono400,
                       .size = 13.0f,
                       .colour = taken ? Colour::ink : Colour::ink2,
                       .tag = tag});
    sketch.region({.id = id,
                   .group = group_of(Group::blocks, index),
                   .role = RegionRole::option,
                   .rect = line,
                   .visual = line,
                   .radius = 6.0f,
                   .label = word + " " + number,
                   .intent = {.kind = IntentKind::take_candidate,
                              .value = one.token,
                              .row = row,
                              .label = block.block->tensor},
                   .selected = taken});
  }
}

}  // namespace attn::ui
