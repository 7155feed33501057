#include <algorithm>
#include <cmath>

#include "ui/controls.h"
#include "ui/icons.h"
#include "ui/view_work.h"
#include "ui/views.h"

namespace attn::ui {
namespace {

constexpr float kSmallestChip = 26.0f;  // below, the tokens become a track

enum TransportPart : int { kBack, kPlay, kForward, kSpeed };  // kForward: forward_id()

RegionId part_id(int part) { return region_id(group_of(Group::transport), part); }

const char* speed_text(int speed) {
  constexpr const char* kTexts[kSpeedCount] = {"0.5×", "1×", "2×", "4×"};
  return kTexts[std::clamp(speed, 0, kSpeedCount - 1)];
}

/// A twin's target sequence with its prefix, or a board's words, of which one is the query.
struct Tokens {
  int count = 0;
  int written = 0;  // tokens of the inference prefix; of a board one past the chosen word, 0: none
  int poked = -1;
  bool all_written = false;
};

/// A sheet on which choosing a word chooses a row.
bool has_word_rows(const lessons::Sheet& sheet) {
  return std::any_of(sheet.blocks.begin(), sheet.blocks.end(), [](const lessons::Block& block) {
    const bool rows = block.kind == lessons::BlockKind::matrix || block.kind == lessons::BlockKind::falling;
    return rows && tape::row_axis(block.tensor) >= 0;
  });
}

const std::vector<std::string>& words_of(const Subject& subject) {
  return subject.run.words_of_rows(subject.focus.tensor);
}

Tokens tokens_of(const Subject& subject) {
  const lessons::Run& run = subject.run;
  const int count = static_cast<int>(words_of(subject).size());
  if (run.twin) return {count, run.twin->inference.target_length, run.twin->poked_position};
  const bool rows_are_words = tape::row_axis(subject.focus.tensor) >= 0;
  const lessons::Sheet& sheet = run.sheet_at(subject.step);
  if (!has_word_rows(sheet)) return {};
  const int written = rows_are_words ? subject.focus.row + 1 : 0;
  const bool grows = std::any_of(sheet.blocks.begin(), sheet.blocks.end(),
                                 [](const lessons::Block& block) { return block.written; });
  return {count, written, -1, !grows || written == 0};
}

Word sequence_name(const Context& context) { return context.subject.run.twin ? Word::target : Word::query; }

ChipState chip_state(const Context& context, const Tokens& tokens, int index) {
  if (context.view.poke_armed) return ChipState::written;  // any token can be poked
  if (tokens.all_written) return index + 1 == tokens.written ? ChipState::current : ChipState::written;
  return index + 1 < tokens.written    ? ChipState::written
         : index + 1 == tokens.written ? ChipState::current
                                       : ChipState::not_yet;
}

void draw_chips(Context& context, const Rect& area, const Tokens& tokens, float pitch) {
  const float height = std::min(area.height - 2.0f, 44.0f);
  for (int i = 0; i < tokens.count; ++i) {
    const RegionId id = region_id(group_of(Group::tokens), i);
    const Rect rect{area.x + static_cast<float>(i) * pitch, area.centre().y - height / 2.0f, pitch - 6.0f,
                    height};
    const bool hidden = context.subject.run.board && chip_state(context, tokens, i) == ChipState::not_yet;
    const std::string text = hidden ? "" : words_of(context.subject)[static_cast<std::size_t>(i)];
    if (is_hovered(context, id)) context.sketch.outline(grown(rect, 2.0f), Colour::ink3, 1.5f, 10.0f);
    token_chip(context, rect, text, chip_state(context, tokens, i), i == tokens.poked);
    context.sketch.region(
        {.id = id,
         .group = group_of(Group::tokens),
         .role = RegionRole::option,
         .rect = {rect.x - 3.0f, area.centre().y - std::max(22.0f, height / 2.0f), pitch,
                  std::max(44.0f, height)},
         .visual = rect,
         .radius = 8.0f,
         .label = std::string(context.say(sequence_name(context))) + " " + std::to_string(i) + ": " + text,
         .intent = {.kind = IntentKind::choose_token, .value = i},
         .selected = i + 1 == tokens.written});
  }
}

/// Many tokens: one bar a token, the current one named at the end. Click or drag.
void draw_track(Context& context, const Rect& area, const Tokens& tokens) {
  Sketch& sketch = context.sketch;
  const std::string text = std::to_string(tokens.written) + " / " + std::to_string(tokens.count);
  const TextStyle style{.font = Font::mono500, .size = 12.0f};
  const float label =
      sketch.width(std::to_string(tokens.count) + " / " + std::to_string(tokens.count), style) + 12.0f;
  const Rect track{area.x, area.centre().y - 12.0f, area.width - label, 24.0f};
  const float pitch = track.width / static_cast<float>(std::max(tokens.count, 1));
  const float gap = pitch >= 8.0f ? 2.0f : 1.0f;
  for (int i = 0; i < tokens.count; ++i) {
    const ChipState state = chip_state(context, tokens, i);
    const Rect bar{track.x + static_cast<float>(i) * pitch, track.y, pitch - gap, track.height};
    const bool current = state == ChipState::current;
    if (state == ChipState::not_yet)
      sketch.framed(bar, Colour::none, Colour::line2, 2.0f);
    else
      sketch.box(bar, current ? Colour::ink : Colour::line2, 2.0f);
    if (i == tokens.poked)
      sketch.add(TriangleItem{.a = {bar.x, bar.y - 7.0f},
                              .b = {bar.right(), bar.y - 7.0f},
                              .c = {bar.centre().x, bar.y - 2.0f},
                              .fill = Colour::different,
                              .tag = {.mark = Mark::changed_cell}});
  }
  sketch.text_right(area.right(), baseline_at(area.centre().y, 12.0f), text, style);
  sketch.region({.id = region_id(group_of(Group::tokens)),
                 .group = group_of(Group::tokens),
                 .role = RegionRole::grid,
                 .rect = {track.x, area.centre().y - 22.0f, track.width, 44.0f},
                 .visual = grown(track, 2.0f),
                 .label = context.say(sequence_name(context)),
                 .intent = {.kind = IntentKind::choose_token},
                 .drag = true,
                 .grid = {.rows = 1,
                          .columns = tokens.count,
                          .origin = {track.x, area.centre().y - 22.0f},
                          .cell_width = pitch,
                          .cell_height = 44.0f,
                          .selected_row = 0,
                          .selected_column = tokens.written - 1}});
}

void draw_tokens(Context& context, const Rect& area) {
  const Tokens tokens = tokens_of(context.subject);
  if (tokens.count == 0 || area.width < 60.0f) return;
  float widest = context.layout.size == Size::phone ? 62.0f : 50.0f;
  for (const std::string& word : words_of(context.subject))
    widest = std::max(widest, context.sketch.width(word, {.font = Font::mono500, .size = 14.0f}) + 18.0f);
  const float pitch = std::min(widest, std::floor((area.width + 6.0f) / static_cast<float>(tokens.count)));
  const bool finger = context.layout.touch || context.layout.size == Size::phone;
  if (pitch >= (finger ? 44.0f : kSmallestChip + 6.0f))
    draw_chips(context, area, tokens, pitch);
  else
    draw_track(context, area, tokens);
}

/// Returns where it begins.
float draw_poke(Context& context, float right, const Rect& bar, float left_limit) {
  const int parameter = lessons::find_parameter(context.subject.lesson, "poke");
  if (parameter < 0) return right;
  const bool poked = context.subject.run.twin->poked_position >= 0;
  const bool armed = context.view.poke_armed;
  const Word words = armed ? Word::poke_pick : poked ? Word::poke_undo : Word::poke;
  const Icon icon = poked && !armed ? Icon::undo : Icon::poke;
  const TextStyle style{.font = Font::ui500, .size = 13.0f};
  const std::string text = context.say(words);
  const float full = context.sketch.width(text, style) + 46.0f;
  const float width = std::max(std::min(full, right - left_limit), bar.height);
  const RegionId id = region_id(group_of(Group::poke));
  const Rect rect{right - width, bar.y, width, bar.height};
  const Intent intent{.kind = IntentKind::toggle_poke, .index = parameter};
  if (width < full)
    icon_button(context, {right - bar.height, bar.y, bar.height, bar.height}, icon, id, words, intent,
                {.selected = armed});
  else
    text_button(context, rect, text, &icon, id, intent, {.selected = armed});
  return width < full ? right - bar.height : rect.x;
}

/// One step on; on the last one a wider button that names the lesson after it. Returns where it ends.
float draw_forward(Context& context, const Rect& rect, float room) {
  const auto& lessons = context.subject.lessons;
  const auto now = std::find(lessons.begin(), lessons.end(), &context.subject.lesson);
  const bool last = context.subject.step + 1 >= static_cast<int>(context.subject.run.steps.size());
  if (!last || lessons.end() - now < 2) {
    icon_button(context, rect, Icon::forward, forward_id(), Word::forward,
                {.kind = IntentKind::step_by, .value = 1}, {.enabled = !last});
    return rect.right();
  }
  const lessons::Lesson& next = **(now + 1);
  const Intent intent{.kind = IntentKind::open_lesson, .value = static_cast<int>(now + 1 - lessons.begin())};
  const Icon icon = Icon::forward;
  const TextStyle style{.font = Font::ui500, .size = 13.0f};
  constexpr float kAround = 46.0f;  // icon and margins
  const std::string wordings[] = {
      phrase(context.say(Word::next_short), next.short_title.in(context.language())),
      context.say(Word::next_plain)};
  const std::string text = context.sketch.first_fitting(wordings, room - kAround, style);
  const float width = context.sketch.width(text, style) + kAround;
  text_button(context, {rect.x, rect.y, width, rect.height}, text, &icon, forward_id(), intent);
  context.sketch.scene.regions.back().label =
      phrase(context.say(Word::next_lesson), next.title.in(context.language()));
  return rect.x + width;
}

}  // namespace

bool has_tokens(const Subject& subject) {
  return subject.lesson.work != nullptr || tokens_of(subject).count > 0;
}

void view_transport(Context& context) {
  const Layout& layout = context.layout;
  Sketch& sketch = context.sketch;
  const Rect& bar = layout.transport;
  const bool phone = layout.size == Size::phone;
  const bool playing = context.view.playing;
  float x = bar.x;
  const auto button = [&](Icon icon, int part, Word label, const Intent& intent, const ButtonStyle& style) {
    icon_button(context, {x, bar.y, bar.height, bar.height}, icon, part_id(part), label, intent, style);
    x += bar.height + 8.0f;
  };
  const bool works = context.subject.lesson.work != nullptr;
  if (phone && works)
    view_progress(context, layout.tokens);
  else if (phone)
    draw_tokens(context, layout.tokens);
  button(Icon::back, kBack, Word::back, {.kind = IntentKind::step_by, .value = -1},
         {.enabled = context.subject.step > 0});
  const bool plays =
      works ? context.subject.work.done < context.subject.work.total : tokens_of(context.subject).count > 0;
  button(playing ? Icon::pause : Icon::play, kPlay,
         playing ? Word::pause
         : works ? Word::train
                 : Word::play,
         {.kind = IntentKind::toggle_play}, {.primary = plays, .enabled = plays});
  constexpr float kSpeedRoom = 66.0f;
  const float others = lessons::find_parameter(context.subject.lesson, "poke") < 0 ? 0.0f : bar.height + 8.0f;
  const float room = bar.right() - x - (works ? 2.0f * bar.height + 24.0f : kSpeedRoom) - others;
  x = draw_forward(context, {x, bar.y, bar.height, bar.height}, phone ? room : room / 2.0f) + 8.0f;
  if (works) return view_work(context, {x, bar.y, bar.right() - x, bar.height}, !phone);
  const float centre = bar.centre().y;
  const Rect speed{x - 2.0f, bar.y, 50.0f, bar.height};
  const bool lit = is_hovered(context, part_id(kSpeed));
  const float end =
      sketch.text(x + 2.0f, baseline_at(centre, 13.0f), speed_text(context.view.speed),
                  {.font = Font::mono400, .size = 13.0f, .colour = lit ? Colour::ink : Colour::ink2});
  if (end + 12.0f <= speed.right() + 4.0f)
    sketch.add(TriangleItem{.a = {end + 4.0f, centre - 2.0f},
                            .b = {end + 12.0f, centre - 2.0f},
                            .c = {end + 8.0f, centre + 3.0f},
                            .fill = Colour::ink3});
  sketch.region({.id = part_id(kSpeed),
                 .group = group_of(Group::transport),
                 .rect = speed,
                 .visual = grown(speed, -2.0f),
                 .radius = 8.0f,
                 .label = std::string(context.say(Word::speed)) + " " + speed_text(context.view.speed),
                 .intent = {.kind = IntentKind::next_speed, .value = 1}});
  x = speed.right() + 8.0f;
  const std::size_t regions_before = sketch.scene.regions.size();
  const float poke = draw_poke(context, bar.right(), bar, x);
  if (phone) return;
  // Tokens come before poke for the keyboard as they do for the eye.
  const std::vector<Region> after(sketch.scene.regions.begin() + static_cast<std::ptrdiff_t>(regions_before),
                                  sketch.scene.regions.end());
  sketch.scene.regions.resize(regions_before);
  if (plays || poke < bar.right()) sketch.line({x, bar.y + 4.0f}, {x, bar.bottom() - 4.0f}, Colour::line);
  x += 18.0f;
  const TextStyle label{.size = 12.0f, .colour = Colour::ink3};
  if (bar.width >= 640.0f && plays)
    x = sketch.text(x, baseline_at(centre, 12.0f), context.say(sequence_name(context)), label) + 12.0f;
  draw_tokens(context, {x, bar.y, poke - 16.0f - x, bar.height});
  sketch.scene.regions.insert(sketch.scene.regions.end(), after.begin(), after.end());
}

}  // namespace attn::ui
