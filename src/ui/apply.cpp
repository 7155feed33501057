#include "ui/apply.h"
#include "ui/stage_kind.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "lessons/registry.h"

namespace attn::ui {
namespace {

using lessons::Session;

void report(const core::Status& status, ViewState& view) {
  view.error = status.ok() ? std::string() : status.error();
}

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
  if (session.run().board) {
    if (!(focus.tensor == intent.label)) focus.column = -1;
    focus.tensor = intent.label;
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
  report(session.focus_on(focus), view);
}

/// The number in a cell; nothing where there is no such cell.
std::optional<float> number_in(const Session& session, const lessons::Focus& cell) {
  const tape::Tape& tape = session.run().tape();
  const tape::Value entry = tape.find(cell.tensor);
  if (!entry.valid()) return {};
  const core::TensorView tensor = tape.tensor(entry);
  const lessons::Plane plane = lessons::plane_of(cell.tensor, tensor.shape);
  if (!plane.has_cell(cell.head, cell.row, cell.column)) return {};
  return tensor.values[plane.offset(cell.head, cell.row, cell.column)];
}

/// To the tenth above or below, so that the number stays short.
void nudge_cell(Session& session, ViewState& view, int tenths) {
  const lessons::Focus cell = session.focus();
  const std::optional<float> value = number_in(session, cell);
  if (!value) return;
  const float rounded = std::round(*value * 10.0f) + static_cast<float>(tenths);
  report(session.edit_cell(cell, std::clamp(rounded / 10.0f, -lessons::kLargestEdit, lessons::kLargestEdit)),
         view);
}

/// A cell of 0 or 1 becomes the other.
void toggle_cell(Session& session, ViewState& view, const Intent& intent) {
  const lessons::Focus cell{intent.label, 0, intent.row, intent.column};
  const std::optional<float> value = number_in(session, cell);
  if (value) report(session.edit_cell(cell, *value == 0.0f ? 1.0f : 0.0f), view);
}

/// The vector's tip goes to a cell of the square; what one drag does is undone at once.
void move_vector(Session& session, ViewState& view, const Intent& intent) {
  const int reach = intent.value;  // tenths
  const auto tenths = [](int count) { return static_cast<float>(count) / 10.0f; };
  const lessons::CellEdit edits[] = {{intent.label, 0, intent.index, 0, tenths(intent.column - reach)},
                                     {intent.label, 0, intent.index, 1, tenths(reach - intent.row)}};
  const bool dragging = view.pressed.region != 0;
  report(session.edit_cells(edits, dragging && view.drag_edited), view);
  view.drag_edited = dragging;
}

/// The word becomes the row of the focus tensor, where its rows are words.
void choose_row(Session& session, ViewState& view, int row) {
  lessons::Focus focus = session.focus();
  if (tape::row_axis(focus.tensor) < 0) return;
  focus.row = row;
  focus.column = std::max(focus.column, 0);
  report(session.focus_on(focus), view);
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

void toggle_play(Session& session, ViewState& view, double now_s) {
  view.playing = !view.playing;
  if (!view.playing) return;
  view.playing_step = session.step_index();
  if (session.run().board)
    choose_row(session, view, 0);
  else if (session.run().twin->inference.target_length >= session.run().twin->training.target_length)
    set_named(session, view, "prefix", 1);
  view.next_token_s = now_s + kTokenHold / static_cast<double>(kSpeeds[view.speed]);
}

/// Esc: the topmost thing that is open, else the selection.
void clear(Session& session, ViewState& view) {
  if (view.card != Card::none)
    view.card = Card::none;
  else if (!view.error.empty())
    view.error.clear();
  else if (view.poke_armed)
    view.poke_armed = false;
  else
    session.clear_cell();
}

void toggle_card(ViewState& view, Card card) { view.card = view.card == card ? Card::none : card; }

void toggle_tensors(ViewState& view, const Intent& intent) {
  view.card_layer = intent.value;
  view.card_decoder = intent.index == 1;
  toggle_card(view, Card::tensors);
}

void focus_tensor(Session& session, ViewState& view, const tape::Label& label) {
  lessons::Focus focus = session.focus();
  focus.tensor = label;
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
  const auto now = std::find(all.begin(), all.end(), &session.lesson());
  const auto place = index >= 0 ? index : static_cast<int>(now - all.begin()) - 1;
  if (place < 0 || static_cast<std::size_t>(place) >= all.size()) return;
  view.playing = view.poke_armed = false;
  view.wanted_lesson = all[static_cast<std::size_t>(place)]->slug;
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
  const int last = static_cast<int>(session.run().words_of_rows(session.focus().tensor).size()) - 1;
  if (row <= last) choose_row(session, view, row);
  return row < last && tape::row_axis(session.focus().tensor) >= 0;
}

void stop_after_step_change(const Session& session, ViewState& view) {
  if (session.step_index() != view.playing_step) view.playing = false;
}

void carry_out(const Intent& intent, Session& session, lessons::Preferences& preferences, ViewState& view,
               gfx::Theme shown_theme, double now_s) {
  switch (intent.kind) {
    case IntentKind::none:
    case IntentKind::edit_parameter:
    case IntentKind::edit_cell:
      return;
    case IntentKind::set_parameter:
      return set_parameter(session, view, intent.index, intent.value);
    case IntentKind::nudge_parameter:
      return set_parameter(session, view, intent.index,
                           session.values()[static_cast<std::size_t>(intent.index)] + intent.value);
    case IntentKind::focus_tensor:
      return focus_tensor(session, view, intent.label);
    case IntentKind::select_cell:
      return select_cell(session, view, intent);
    case IntentKind::nudge_cell:
      return nudge_cell(session, view, intent.value);
    case IntentKind::set_cell:
      return report(session.edit_cell(session.focus(), intent.number), view);
    case IntentKind::toggle_cell:
      return toggle_cell(session, view, intent);
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
    case IntentKind::toggle_tensors:
      return toggle_tensors(view, intent);
    case IntentKind::show_arcs:
      view.as_arcs = intent.value != 0;
      return;
    case IntentKind::move_lens: {
      view.lens_column = std::max(view.lens_column + intent.value, 0);
      return;
    }
    case IntentKind::undo:
      return session.undo();
    case IntentKind::redo:
      return session.redo();
    case IntentKind::reset:
      view.error.clear();
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
  const bool more = session.run().board ? play_next_row(session, view) : play_next_token(session, view);
  view.next_token_s = now_s + kTokenHold / static_cast<double>(kSpeeds[view.speed]);
  if (!more) view.playing = false;
}

void follow_session(const Session& session, ViewState& view, double now_s, bool reduced_motion) {
  if (session.revision() == view.motion.shown.revision) return;
  Shown now{.revision = session.revision(), .focus = session.focus()};
  kind_of(session.run()).note(session, now, view);
  view.motion.follow(std::move(now), now_s, reduced_motion);
}

}  // namespace attn::ui
