#include "ui/apply.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "lessons/registry.h"
#include "ui/cell_edits.h"
#include "ui/sentence_field.h"
#include "ui/stage_kind.h"

namespace attn::ui {
namespace {

using lessons::Session;

/// A cell selected in the newest row stays in the newest row when tokens come or go.
void follow_newest_row(Session& session, int newest_before) {
  if (!session.run().twin) return;
  lessons::Focus focus = session.focus();
  const int newest = session.run().twin->inference.target_length - 1;
  const lessons::PlaneAxes axes = lessons::plane_axes(focus.tensor);
  if (!focus.has_cell() || focus.row != newest_before || newest == newest_before) return;
  if (axes.rows != tape::Axis::target) return;
  focus.row = newest;
  if (axes.columns == tape::Axis::target) focus.column = std::min(focus.column, newest);
  // A tensor without such a row keeps its cell.
  static_cast<void>(session.focus_on(focus));
}

int heads_of(const Session& session, const tape::Label& label) {
  const tape::Value entry = session.run().tape().find(label);
  return entry.valid() ? lessons::plane_of(label, session.run().tape().tensor(entry).shape).heads : 0;
}

void set_parameter(Session& session, ViewState& view, int index, int value) {
  const lessons::Lesson& lesson = session.lesson();
  if (index < 0 || static_cast<std::size_t>(index) >= lesson.parameters.size()) return;
  const lessons::Parameter& parameter = lesson.parameters[static_cast<std::size_t>(index)];
  const int highest = lessons::maximum_now(lesson, session.values(), index);
  const int newest_before = session.run().twin ? session.run().twin->inference.target_length - 1 : -1;
  report(session.set_parameter(parameter.name, std::clamp(value, parameter.minimum, highest)), view);
  follow_newest_row(session, newest_before);
}

void set_named(Session& session, ViewState& view, const char* name, int value) {
  set_parameter(session, view, lessons::find_parameter(session.lesson(), name), value);
}

/// `label` names the block of a board; of a twin there is one tensor on stage.
void select_cell(Session& session, ViewState& view, const Intent& intent) {
  lessons::Focus focus = session.focus();
  const bool board = session.run().board.has_value();
  if (board) {
    if (!(focus.tensor == intent.label)) focus.column = -1;
    focus.tensor = intent.label;
    focus.unmasked = intent.value != 0;
  }
  const bool target_rows = lessons::plane_axes(focus.tensor).rows == tape::Axis::target;
  if (view.poke_armed && target_rows) {
    view.poke_armed = false;
    return set_named(session, view, "poke", intent.row);
  }
  focus.row = intent.row;
  focus.column = intent.column >= 0 ? intent.column : std::max(focus.column, 0);
  const int heads = heads_of(session, focus.tensor);
  focus.head = std::clamp(focus.head, 0, std::max(heads - 1, 0));
  if (board && focus == session.focus()) focus.open = !focus.open;
  report(session.focus_on(focus), view);
}

/// The candidates of the step's sheet that `tensor` is of; nullptr: none.
const lessons::Block* candidates_of(const Session& session, const tape::Label& tensor) {
  for (const lessons::Block& block : session.run().sheet_at(session.step_index()).blocks)
    if (block.kind == lessons::BlockKind::candidates && block.tensor == tensor) return &block;
  return nullptr;
}

/// The word becomes the row of the focus tensor, where its rows are words.
void choose_row(Session& session, ViewState& view, int row) {
  lessons::Focus focus = session.focus();
  if (tape::row_axis(focus.tensor) < 0) return;
  focus.row = row;
  focus.column = std::max(focus.column, 0);
  if (const lessons::Block* candidates = candidates_of(session, focus.tensor))  // what was written there
    focus.column = static_cast<int>(
        number_in(session, {candidates->choice, 0, row, 0}).value_or(static_cast<float>(focus.column)));
  report(session.focus_on(focus), view);
}

/// Writes a candidate in its row and looks at its probability.
void take_candidate(Session& session, ViewState& view, const Intent& intent) {
  const lessons::Block* candidates = candidates_of(session, intent.label);
  if (candidates == nullptr) return;
  const lessons::Focus written{candidates->choice, 0, intent.row, 0};
  const auto token = static_cast<float>(intent.value);
  view.playing = false;
  if (number_in(session, written) != token)
    if (const core::Status status = session.edit_cell(written, token); !status.ok())
      return report(status, view);
  report(session.focus_on({intent.label, 0, intent.row, intent.value}), view);
}

void choose_token(Session& session, ViewState& view, int token) {
  if (session.run().board) return choose_row(session, view, token);
  if (!view.poke_armed) return set_named(session, view, "prefix", token + 1);
  view.poke_armed = false;
  set_named(session, view, "poke", token);
}

void toggle_poke(Session& session, ViewState& view) {
  if (view.poke_armed)
    view.poke_armed = false;
  else if (session.run().twin && session.run().twin->poked_position >= 0)
    set_named(session, view, "poke", -1);
  else
    view.poke_armed = true;
}

bool has_work(const Session& session) { return session.lesson().work != nullptr; }

bool work_left(const Session& session) {
  return session.work_progress().done < session.work_progress().total;
}

void toggle_play(Session& session, ViewState& view, double now_s) {
  view.playing = !view.playing && (!has_work(session) || work_left(session));
  view.next_token_s = now_s;
  if (!view.playing || has_work(session)) return;
  view.playing_step = session.step_index();
  if (session.run().board)
    choose_row(session, view, 0);
  else if (session.run().twin->inference.target_length >= session.run().twin->training.target_length)
    set_named(session, view, "prefix", 1);
  view.next_token_s = now_s + kTokenHold / static_cast<double>(kSpeeds[view.speed]);
}

/// An opened block goes back to its place.
void show_all(Session& session, ViewState& view) {
  lessons::Focus focus = session.focus();
  focus.open = false;
  report(session.focus_on(focus), view);
}

/// Esc: the topmost thing that is open, else the selection.
void clear(Session& session, ViewState& view) {
  if (view.card != Card::none) {
    view.card = view.card == Card::term ? view.card_under : Card::none;
    view.card_word = 0;
  } else if (!view.error.message.empty())
    view.error = {};
  else if (view.poke_armed)
    view.poke_armed = false;
  else if (session.focus().open)
    show_all(session, view);
  else
    session.clear_cell();
}

void toggle_card(ViewState& view, Card card) { view.card = view.card == card ? Card::none : card; }

void toggle_tensors(ViewState& view, const Intent& intent) {
  view.card_layer = intent.value;
  view.card_decoder = intent.index == 1;
  toggle_card(view, Card::tensors);
}

void toggle_term(ViewState& view, const Intent& intent) {
  view.card_term = intent.value;
  view.card_word = static_cast<RegionId>(intent.index);
  view.card_under = view.card;
  view.card = Card::term;
}

void focus_tensor(Session& session, ViewState& view, const Intent& intent) {
  const tape::Label& label = intent.label;
  lessons::Focus focus = session.focus();
  if (intent.kind == IntentKind::open_block) focus.open = !focus.open || !(focus.tensor == label);
  focus.tensor = label;
  focus.unmasked = intent.value != 0;
  const tape::Value entry = session.run().tape().find(label);
  if (!entry.valid()) return;
  const lessons::Plane plane = lessons::plane_of(label, session.run().tape().tensor(entry).shape);
  focus.head = std::min(focus.head, plane.heads - 1);
  focus.row = std::min(focus.row, plane.rows - 1);
  focus.column = std::min(focus.column, plane.columns - 1);
  report(session.focus_on(focus), view);
  if (view.card == Card::tensors) view.card = Card::none;
}

void want_lesson(const Session& session, ViewState& view, int index) {
  const auto all = lessons::all_lessons();
  if (index < 0 || static_cast<std::size_t>(index) >= all.size()) return;
  const bool from_card = view.card != Card::none;
  view.card = Card::none;
  const lessons::Lesson* lesson = all[static_cast<std::size_t>(index)];
  if (from_card && lesson == &session.lesson()) return;
  view.playing = view.poke_armed = false;
  view.text_line = 0;
  view.wanted_lesson = lesson->slug;
}

/// Each of both goes on by one and says whether there is more.
bool play_next_token(Session& session, ViewState& view) {
  const int prefix = session.run().twin->inference.target_length;
  const int last = session.run().twin->training.target_length;
  if (prefix < last) set_named(session, view, "prefix", prefix + 1);
  return prefix + 1 < last;
}

bool play_next_row(Session& session, ViewState& view) {
  const int row = session.focus().row + 1;
  const tape::Label& tensor = session.focus().tensor;
  const int last = lessons::plane_of(tensor, session.run().tape().tensor(tensor).shape).rows - 1;
  if (row <= last) choose_row(session, view, row);
  return row < last && tape::row_axis(session.focus().tensor) >= 0;
}

void stop_after_step_change(const Session& session, ViewState& view) {
  if (session.step_index() != view.playing_step && !has_work(session)) view.playing = false;
}

void carry_out(const Intent& intent, Session& session, lessons::Preferences& preferences, ViewState& view,
               gfx::Theme shown_theme, double now_s) {
  switch (intent.kind) {
    case IntentKind::none:
    case IntentKind::edit_parameter:
    case IntentKind::edit_cell:
    case IntentKind::edit_sentence:
      return;
    case IntentKind::write_sentence:
    case IntentKind::take_suggestion:
      return view.sentence_field->carry_out(intent, session, view);
    case IntentKind::set_parameter:
      return set_parameter(session, view, intent.index, intent.value);
    case IntentKind::nudge_parameter:
      return set_parameter(session, view, intent.index,
                           session.values()[static_cast<std::size_t>(intent.index)] + intent.value);
    case IntentKind::focus_tensor:
    case IntentKind::open_block:
      return focus_tensor(session, view, intent);
    case IntentKind::select_cell:
      return select_cell(session, view, intent);
    case IntentKind::nudge_cell:
      return nudge_cell(session, view, intent.value);
    case IntentKind::drag_cell:
      return drag_cell(session, view, intent);
    case IntentKind::set_cell:
      return report(session.edit_cell(session.focus(), intent.number), view);
    case IntentKind::toggle_cell:
      return toggle_cell(session, view, intent);
    case IntentKind::take_candidate:
      return take_candidate(session, view, intent);
    case IntentKind::move_vector:
      return move_vector(session, view, intent);
    case IntentKind::clear_edits:
      return report(session.clear_edits(), view);
    case IntentKind::clear:
      return clear(session, view);
    case IntentKind::select_head: {
      lessons::Focus focus = session.focus();
      focus.head = intent.value;
      return report(session.focus_on(focus), view);
    }
    case IntentKind::step_by:
      return session.step_by(intent.value);
    case IntentKind::go_to_step:
      return report(session.go_to_step(intent.value < 0 ? session.step_count() - 1 : intent.value), view);
    case IntentKind::toggle_play:
      return toggle_play(session, view, now_s);
    case IntentKind::work_step:
      view.playing = false;
      return session.step_work();
    case IntentKind::work_restart:
      view.playing = false;
      return session.restart_work();
    case IntentKind::next_speed:
      view.speed = (view.speed + intent.value + kSpeedCount) % kSpeedCount;
      return;
    case IntentKind::choose_token:
      view.playing = false;
      return choose_token(session, view, intent.value);
    case IntentKind::toggle_poke:
      return toggle_poke(session, view);
    case IntentKind::set_language:
      preferences.language = intent.value == 0 ? lessons::Language::zh : lessons::Language::en;
      return;
    case IntentKind::toggle_theme:
      preferences.theme = shown_theme == gfx::Theme::light ? lessons::Theme::dark : lessons::Theme::light;
      return;
    case IntentKind::open_lesson:
      return want_lesson(session, view, intent.value);
    case IntentKind::toggle_settings:
      return toggle_card(view, Card::settings);
    case IntentKind::toggle_help:
      return toggle_card(view, Card::help);
    case IntentKind::toggle_lessons:
      return toggle_card(view, Card::lessons);
    case IntentKind::toggle_narration:
      return toggle_card(view, Card::narration);
    case IntentKind::toggle_term:
      return toggle_term(view, intent);
    case IntentKind::scroll_text:
      view.text_line = std::clamp(std::min(view.text_line, intent.index) + intent.value, 0, intent.index);
      return;
    case IntentKind::toggle_tensors:
      return toggle_tensors(view, intent);
    case IntentKind::show_arcs:
      view.as_arcs = intent.value != 0;
      return;
    case IntentKind::move_lens:
      view.lens_column = std::max(view.lens_column + intent.value, 0);
      return;
    case IntentKind::undo:
      return session.undo();
    case IntentKind::redo:
      return session.redo();
    case IntentKind::reset:
      view.error = {};
      return session.reset();
  }
}

}  // namespace

void open_lesson(Session& session, ViewState& view, std::string_view slug) {
  report(session.change_lesson(slug), view);
}

void apply(const Intent& intent, Session& session, lessons::Preferences& preferences, ViewState& view,
           gfx::Theme shown_theme, double now_s) {
  carry_out(intent, session, preferences, view, shown_theme, now_s);
  stop_after_step_change(session, view);
}

bool view_command(std::string_view verb, Session& session, ViewState& view) {
  if (verb != "play" && verb != "pause") return false;
  if (view.playing != (verb == "play")) toggle_play(session, view, 0.0);  // the first token comes at once
  return true;
}

void advance_playing(Session& session, ViewState& view, double now_s) {
  stop_after_step_change(session, view);  // the page can change it too
  if (!view.playing || now_s < view.next_token_s) return;
  if (has_work(session)) {
    constexpr double kBudgetMs = 8.0;  // half of a frame
    session.advance_work(kBudgetMs, now_s);
    view.playing = work_left(session);
    return;
  }
  const bool more = session.run().board ? play_next_row(session, view) : play_next_token(session, view);
  view.next_token_s = now_s + kTokenHold / static_cast<double>(kSpeeds[view.speed]);
  if (!more) view.playing = false;
}

void follow_session(const Session& session, ViewState& view, double now_s, bool reduced_motion) {
  if (session.revision() == view.motion.shown.revision) return;
  if (session.step_index() != view.text_step) view.text_line = 0;
  view.text_step = session.step_index();
  if (view.sentence_field != nullptr) view.sentence_field->follow(session, view);
  Shown now{.revision = session.revision(), .focus = session.focus()};
  now.lesson = &session.lesson();
  kind_of(session.run()).note(session, now, view);
  view.motion.follow(std::move(now), now_s, reduced_motion);
}

}  // namespace attn::ui
