#include "ui/keyboard.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "ui/context.h"
#include "ui/sentence_field.h"

namespace attn::ui {
namespace {

constexpr std::size_t kMostDigits = 9;

bool is_stop(const Region& region, int top) {
  return region.layer == top && region.enabled && !region.pointer_only && region.role != RegionRole::backdrop;
}

Spot first_spot(const Region& region) {
  if (region.role != RegionRole::grid) return {.region = region.id};
  return {region.id, std::max(region.grid.selected_row, 0), std::max(region.grid.selected_column, 0)};
}

/// Options of one group are one stop; it begins at the chosen one.
const Region& entry_of(const Scene& scene, const Region& stop) {
  if (stop.role != RegionRole::option) return stop;
  for (const Region& region : scene.regions)
    if (region.group == stop.group && region.layer == stop.layer && region.selected &&
        region.role == stop.role)
      return region;
  return stop;
}

void focus_region(const Scene& scene, const Region& stop, ViewState& view) {
  view.keyboard = first_spot(entry_of(scene, stop));
  view.show_keyboard = true;
  if (stop.role == RegionRole::text) view.sentence.typing = true;
}

int stop_of(const Scene& scene, const std::vector<std::size_t>& stops, RegionId id) {
  const Region* focused = scene.find(id);
  if (focused == nullptr) return -1;
  for (std::size_t i = 0; i < stops.size(); ++i) {
    const Region& stop = scene.regions[stops[i]];
    const bool same_options = stop.role == RegionRole::option && focused->role == RegionRole::option &&
                              stop.group == focused->group && stop.layer == focused->layer;
    if (stop.id == id || same_options) return static_cast<int>(i);
  }
  return -1;
}

/// True when another stop took the focus; false when Tab leaves the canvas.
bool tab(const Scene& scene, bool backwards, ViewState& view) {
  const std::vector<std::size_t> stops = keyboard_stops(scene);
  if (stops.empty()) return false;
  const int count = static_cast<int>(stops.size());
  const int now = stop_of(scene, stops, view.keyboard.region);
  int next = now < 0 ? (backwards ? count - 1 : 0) : now + (backwards ? -1 : 1);
  const bool card_open = scene.top_layer() > 0;
  if (card_open) next = (next + count) % count;  // a card keeps the focus until it is closed
  if (next < 0 || next >= count) {
    view.keyboard = {};
    view.show_keyboard = false;
    return false;
  }
  focus_region(scene, scene.regions[stops[static_cast<std::size_t>(next)]], view);
  return true;
}

struct Direction {
  int x = 0;
  int y = 0;
};

Direction direction_of(Key key) {
  switch (key) {
    case Key::left:
      return {-1, 0};
    case Key::right:
      return {1, 0};
    case Key::up:
      return {0, -1};
    case Key::down:
      return {0, 1};
    default:
      return {};
  }
}

/// The nearest enabled option of the group in a direction; nullptr at the edge.
const Region* neighbour(const Scene& scene, const Region& from, Direction way) {
  const Region* best = nullptr;
  float best_cost = 0.0f;
  const Point a = from.visual.centre();
  for (const Region& region : scene.regions) {
    if (region.group != from.group || region.layer != from.layer || region.role != RegionRole::option ||
        !region.enabled || region.id == from.id)
      continue;
    const Point b = region.visual.centre();
    const float along = (b.x - a.x) * static_cast<float>(way.x) + (b.y - a.y) * static_cast<float>(way.y);
    const float across =
        std::fabs((b.x - a.x) * static_cast<float>(way.y) + (b.y - a.y) * static_cast<float>(way.x));
    if (along < 1.0f) continue;
    const float cost = along + 3.0f * across;
    if (best == nullptr || cost < best_cost) {
      best = &region;
      best_cost = cost;
    }
  }
  return best;
}

/// One step on is the button's business: on the last step it opens the next lesson. A key held down stops
/// there.
bool step(const Scene& scene, int by, bool held, Response& response) {
  const Region* forward = by > 0 ? scene.find(forward_id()) : nullptr;
  const bool opens = forward != nullptr && forward->intent.kind == IntentKind::open_lesson;
  if (opens && held) return true;
  response.intents.push_back(opens ? forward->intent : Intent{.kind = IntentKind::step_by, .value = by});
  return true;
}

bool arrow(const Scene& scene, const KeyPress& press, ViewState& view, Response& response) {
  const Direction way = direction_of(press.key);
  const Region* focused = scene.find(view.keyboard.region);
  if (focused != nullptr && focused->role == RegionRole::grid) {
    const int row = std::clamp(view.keyboard.row + way.y, 0, std::max(focused->grid.rows - 1, 0));
    const int column = std::clamp(view.keyboard.column + way.x, 0, std::max(focused->grid.columns - 1, 0));
    const bool moved = row != view.keyboard.row || column != view.keyboard.column;
    view.keyboard = {focused->id, row, column};
    view.show_keyboard = true;
    if (!moved) return true;                              // a cell chosen again would open its block
    if (focused->intent.kind == IntentKind::toggle_cell)  // arrows look, Space toggles
      response.intents.push_back(
          {.kind = IntentKind::select_cell, .row = row, .column = column, .label = focused->intent.label});
    else
      activate(*focused, view.keyboard, false, view, response);
    return true;
  }
  if (focused != nullptr && focused->role == RegionRole::number) {
    const int by = way.x + way.y == 0 ? 0 : (way.x > 0 || way.y < 0) ? 1 : -1;
    commit_edit(view, response);
    const bool cell = focused->intent.kind == IntentKind::edit_cell;
    response.intents.push_back({.kind = cell ? IntentKind::nudge_cell : IntentKind::nudge_parameter,
                                .index = focused->intent.index,
                                .value = by});
    view.show_keyboard = true;
    return true;
  }
  if (focused != nullptr && focused->role == RegionRole::option) {
    const Region* next = neighbour(scene, *focused, way);
    const bool row_ends = neighbour(scene, *focused, {-way.x, -way.y}) != nullptr;
    if (next != nullptr || row_ends || way.x == 0) {
      view.show_keyboard = true;
      if (next != nullptr) view.keyboard = first_spot(*next);
      return true;
    }  // one option, or a column of them: left and right are free for the steps
  }
  if (way.x == 0 || scene.top_layer() > 0) return false;
  return step(scene, way.x, press.repeated, response);
}

bool anything_to_clear(const Scene& scene, const ViewState& view) {
  if (view.card != Card::none || view.poke_armed || !view.error.message.empty()) return true;
  for (const Region& region : scene.regions) {
    if (region.intent.kind == IntentKind::open_block && region.selected) return true;
    if (region.intent.kind == IntentKind::select_cell && region.role == RegionRole::grid &&
        region.grid.selected_row >= 0 && region.grid.selected_column >= 0)
      return true;
  }
  return false;
}

bool escape(const Scene& scene, ViewState& view, Response& response) {
  if (!anything_to_clear(scene, view)) return false;
  response.intents.push_back({.kind = IntentKind::clear});
  return true;
}

/// A character that can stand there: a sign at the start, one point, both only in a cell's number.
void type(const KeyPress& press, NumberEdit& edit) {
  const bool cell = edit.parameter == NumberEdit::kCell;
  if (edit.digits.size() >= kMostDigits) return;
  if (press.key == Key::digit) edit.digits += static_cast<char>('0' + press.digit);
  if (press.key == Key::minus && cell && edit.digits.empty()) edit.digits = "-";
  if (press.key == Key::point && cell && edit.digits.find('.') == std::string::npos) edit.digits += '.';
}

/// A cell's number as it was typed: at most kMostDigits characters, so whole and scale are exact and their
/// quotient is the nearest double. (The C library's strtof would bring 11 kB into the page's program.)
float number_of(const std::string& digits) {
  double whole = 0.0;
  double scale = 1.0;
  bool fraction = false;
  for (const char character : digits) {
    if (character == '.') fraction = true;
    if (character < '0' || character > '9') continue;
    whole = 10.0 * whole + (character - '0');
    if (fraction) scale *= 10.0;
  }
  return static_cast<float>((digits[0] == '-' ? -whole : whole) / scale);
}

/// Keys while a number is being typed; false passes the key on.
bool edit_key(const KeyPress& press, ViewState& view, Response& response) {
  if (!view.edit.active()) return false;
  switch (press.key) {
    case Key::digit:
    case Key::minus:
    case Key::point:
      type(press, view.edit);
      return true;
    case Key::backspace:
      if (!view.edit.digits.empty()) view.edit.digits.pop_back();
      return true;
    case Key::enter:
      commit_edit(view, response);
      return true;
    case Key::escape:
      view.edit = {};
      return true;
    case Key::tab:
      commit_edit(view, response);
      return false;
    default:
      return false;
  }
}

bool command(IntentKind kind, Response& response, int value = 0) {
  response.intents.push_back({.kind = kind, .value = value});
  return true;
}

/// Typing begins in a number field, and in a matrix whose chosen cell may be changed.
bool begin_typing(const Region* focused, const KeyPress& press, ViewState& view) {
  if (focused == nullptr) return false;
  const bool cell = focused->typing || focused->intent.kind == IntentKind::edit_cell;
  if (!cell && (focused->role != RegionRole::number || press.key != Key::digit)) return false;
  view.edit = {cell ? NumberEdit::kCell : focused->intent.index, {}};
  type(press, view.edit);
  return true;
}

bool use_key(const Scene& scene, const KeyPress& press, ViewState& view, Response& response) {
  if (edit_key(press, view, response)) return true;
  if (view.sentence.typing && view.sentence_field->key(press, view, response)) return true;
  const Region* focused = scene.find(view.keyboard.region);
  switch (press.key) {
    case Key::tab:
      return tab(scene, press.shift, view);
    case Key::left:
    case Key::right:
    case Key::up:
    case Key::down:
      return arrow(scene, press, view, response);
    case Key::enter:
    case Key::space:
      if (focused == nullptr || !focused->enabled) {
        if (press.key == Key::enter || scene.top_layer() > 0) return false;
        return step(scene, 1, press.repeated, response);
      }
      view.show_keyboard = true;
      activate(*focused, view.keyboard, false, view, response);
      return true;
    case Key::escape:
      return escape(scene, view, response);
    case Key::home:
      return command(IntentKind::go_to_step, response, 0);
    case Key::end:
      return command(IntentKind::go_to_step, response, -1);
    case Key::p:
      return command(IntentKind::toggle_play, response);
    case Key::question:
      return command(IntentKind::toggle_help, response);
    case Key::r:
      return !view.edit.active() && command(IntentKind::reset, response);
    case Key::z:
      return press.control && command(press.shift ? IntentKind::redo : IntentKind::undo, response);
    case Key::y:
      return press.control && command(IntentKind::redo, response);
    case Key::digit:
    case Key::minus:
    case Key::point:
      return begin_typing(focused, press, view);
    case Key::backspace:
      return false;
  }
  return false;
}

}  // namespace

std::vector<std::size_t> keyboard_stops(const Scene& scene) {
  const int top = scene.top_layer();
  std::vector<std::size_t> stops;
  std::vector<GroupId> groups;  // of options that have a stop already
  for (std::size_t i = 0; i < scene.regions.size(); ++i) {
    const Region& region = scene.regions[i];
    if (!is_stop(region, top)) continue;
    if (region.role == RegionRole::option) {
      if (std::find(groups.begin(), groups.end(), region.group) != groups.end()) continue;
      groups.push_back(region.group);
    }
    stops.push_back(i);
  }
  return stops;
}

void activate(const Region& region, const Spot& spot, bool touch, ViewState& view, Response& response) {
  Intent intent = region.intent;
  if (intent.kind == IntentKind::none) return;
  if (intent.kind == IntentKind::edit_parameter) {
    view.edit = {intent.index, {}};
    return;
  }
  if (intent.kind == IntentKind::edit_cell) {
    view.edit = {NumberEdit::kCell, {}};
    return;
  }
  if (intent.kind == IntentKind::edit_sentence) {
    view.sentence.typing = true;
    return;
  }
  if (region.role == RegionRole::grid) {
    if (spot.row < 0 || spot.column < 0) return;
    intent.row = spot.row;
    intent.column = touch && region.rows_only ? -1 : spot.column;
    if (intent.kind == IntentKind::choose_token) intent.value = region.rows_only ? spot.row : spot.column;
  }
  response.intents.push_back(intent);
}

void commit_edit(ViewState& view, Response& response) {
  const NumberEdit edit = view.edit;
  view.edit = {};
  if (edit.digits.find_first_of("0123456789") == std::string::npos) return;
  if (edit.parameter == NumberEdit::kCell) {
    response.intents.push_back({.kind = IntentKind::set_cell, .number = number_of(edit.digits)});
    return;
  }
  response.intents.push_back({.kind = IntentKind::set_parameter,
                              .index = edit.parameter,
                              .value = static_cast<int>(std::strtol(edit.digits.c_str(), nullptr, 10))});
}

void use_keyboard(const Scene& scene, const Input& input, ViewState& view, Response& response) {
  if (!input.keyboard_focus) {
    view.show_keyboard = false;
    if (!view.edit.digits.empty()) commit_edit(view, response);  // what was typed counts, as in any form
    return;
  }
  if (input.entry != Entry::none) {
    view.keyboard = {};
    const std::vector<std::size_t> stops = keyboard_stops(scene);
    if (!stops.empty())
      focus_region(scene, scene.regions[input.entry == Entry::forward ? stops.front() : stops.back()], view);
  }
  for (const KeyPress& press : input.keys)
    if (use_key(scene, press, view, response)) response.key_used = true;
}

}  // namespace attn::ui
