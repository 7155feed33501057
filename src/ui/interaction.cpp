#include "ui/interaction.h"

#include <algorithm>
#include <cmath>

#include "ui/keyboard.h"
#include "ui/sentence_field.h"

namespace attn::ui {
namespace {

bool reacts(const Region& region, int top) { return region.layer == top; }

const Region* region_under(const Scene& scene, Point point) {
  const int top = scene.top_layer();
  for (std::size_t i = scene.regions.size(); i-- > 0;)
    if (reacts(scene.regions[i], top) && scene.regions[i].rect.contains(point)) return &scene.regions[i];
  return nullptr;
}

/// The cell under the point; -1 outside the live cells unless the region is being dragged over.
Spot spot_at(const Scene& scene, const Region& region, Point point, bool clamp) {
  Spot spot{.region = region.id};
  if (region.role != RegionRole::grid) return spot;
  const Grid& grid = region.grid;
  if (grid.cell_width <= 0.0f || grid.cell_height <= 0.0f || grid.rows == 0 || grid.columns == 0) return spot;
  int row = static_cast<int>(std::floor((point.y - grid.origin.y) / grid.cell_height));
  int column = static_cast<int>(std::floor((point.x - grid.origin.x) / grid.cell_width));
  if (clamp) {
    row = std::clamp(row, 0, grid.rows - 1);
    column = std::clamp(column, 0, grid.columns - 1);
  }
  if (row < 0 || column < 0 || row >= grid.rows || column >= grid.columns) return spot;
  if (grid.merge.any() && grid.heatmap >= 0)
    if (const auto* map =
            std::get_if<HeatmapItem>(&scene.items[static_cast<std::size_t>(grid.heatmap)].shape)) {
      const gfx::CellPlace shown = gfx::shown_cell(map->drawn(), grid.merge, row, column);
      return {region.id, shown.row, shown.column};
    }
  return {region.id, row, column};
}

constexpr float kHold = 44.0f;     // of a finger
constexpr float kDragSlop = 4.0f;  // UI pixels a pressed number may be moved and still is only chosen
constexpr float kTenth = 6.0f;     // … to change it by a tenth
constexpr float kLinesOfNotch = 3.0f;

Rect cell_of(const Grid& grid, int row, int column) {
  return {grid.origin.x + static_cast<float>(column) * grid.cell_width,
          grid.origin.y + static_cast<float>(row) * grid.cell_height, grid.cell_width, grid.cell_height};
}

/// The chosen number where it may be changed.
bool has_chosen(const Region& region) {
  return region.typing && region.grid.selected_row >= 0 && region.grid.selected_column >= 0;
}

Rect chosen_cell(const Region& region) {
  return cell_of(region.grid, region.grid.selected_row, region.grid.selected_column);
}

/// The number that a drag from here changes: the one under the mouse, or the chosen one under the finger.
Spot dragged_number(const Region& region, const Input& input, const ViewState& view) {
  if (!region.typing) return {};
  if (!input.touch) return view.pressed;
  const bool held =
      has_chosen(region) && at_least(chosen_cell(region), kHold, kHold).contains(view.press_point);
  return held ? Spot{region.id, region.grid.selected_row, region.grid.selected_column} : Spot{};
}

void drag_number(const Region& region, const Input& input, ViewState& view, Response& response) {
  const float up = view.press_point.y - input.pointer.y;
  if (!view.drag_edited && std::fabs(up) < kDragSlop) return;
  const Spot spot = view.drag_edited ? view.pressed : dragged_number(region, input, view);
  if (spot.row < 0) return;
  view.pressed = view.keyboard = spot;
  response.intents.push_back({.kind = IntentKind::drag_cell,
                              .value = static_cast<int>(std::round(up / kTenth)),
                              .row = spot.row,
                              .column = spot.column,
                              .label = region.intent.label});
}

void press(const Scene& scene, const Input& input, ViewState& view, Response& response) {
  const Region* region = region_under(scene, input.pointer);
  commit_edit(view, response);
  if (view.sentence.typing && (region == nullptr || region->role != RegionRole::text))
    view.sentence_field->leave(view, response);
  view.show_keyboard = false;
  view.drag_edited = false;
  view.press_point = input.pointer;
  view.pressed = region == nullptr ? Spot{} : spot_at(scene, *region, input.pointer, region->drag);
  if (region == nullptr || !region->enabled) return;
  view.keyboard = region->role == RegionRole::backdrop ? Spot{} : view.pressed;
  if (region->intent.kind == IntentKind::move_vector) view.held_reach = region->intent.value;
  if (region->drag) activate(*region, view.pressed, input.touch, view, response);
}

void drag(const Scene& scene, const Input& input, ViewState& view, Response& response) {
  const Region* region = scene.find(view.pressed.region);
  if (region == nullptr) return;
  if (region->typing) return drag_number(*region, input, view, response);
  if (!region->drag) return;
  const Spot spot = spot_at(scene, *region, input.pointer, true);
  if (spot == view.pressed) return;
  view.pressed = view.keyboard = spot;
  activate(*region, spot, input.touch, view, response);
}

void release(const Scene& scene, const Input& input, ViewState& view, Response& response) {
  const Region* region = region_under(scene, input.pointer);
  const bool same = region != nullptr && region->id == view.pressed.region;
  view.pressed = {};
  if (!same || !region->enabled || region->drag || (region->typing && view.drag_edited)) return;
  const Spot spot = spot_at(scene, *region, input.pointer, false);
  // A finger on the number it has chosen means to write over it.
  const bool again = input.touch && has_chosen(*region) && spot.row == region->grid.selected_row &&
                     (region->rows_only || spot.column == region->grid.selected_column);
  if (again)
    view.edit = {NumberEdit::kCell, {}};
  else
    activate(*region, spot, input.touch, view, response);
}

PointerShape pointer_over(const Region* region, const Spot& hover) {
  if (region == nullptr || !region->enabled || region->role == RegionRole::backdrop)
    return PointerShape::arrow;
  if (region->role == RegionRole::number || region->role == RegionRole::text) return PointerShape::text;
  const bool cell = region->role != RegionRole::grid || hover.row >= 0;
  return cell ? PointerShape::pointer : PointerShape::arrow;
}

/// The narration scrolls by lines where it has more than fit.
void scroll(const Scene& scene, const Input& input, Response& response) {
  if (input.wheel == 0.0f) return;
  for (const Region& region : scene.regions)
    if (region.intent.kind == IntentKind::scroll_text && reacts(region, scene.top_layer()) &&
        region.rect.contains(input.pointer)) {
      const float lines = std::copysign(std::max(std::fabs(input.wheel * kLinesOfNotch), 1.0f), -input.wheel);
      response.intents.push_back({.kind = IntentKind::scroll_text,
                                  .index = region.intent.index,
                                  .value = static_cast<int>(std::round(lines))});
      return;
    }
}

void finish_typing(const Input& input, ViewState& view, Response& response) {
  if (input.typed == Typed::nothing || !view.edit.active()) return;
  const bool cell = view.edit.parameter == NumberEdit::kCell;
  if (input.typed == Typed::number)
    response.intents.push_back({.kind = cell ? IntentKind::set_cell : IntentKind::set_parameter,
                                .index = view.edit.parameter,
                                .value = static_cast<int>(std::clamp(input.number, -1e6f, 1e6f)),
                                .number = input.number});
  view.edit = {};
}

}  // namespace

std::vector<Rect> holds(const Scene& scene) {
  std::vector<Rect> rects;
  for (const Region& region : scene.regions) {
    if (!reacts(region, scene.top_layer())) continue;
    if (region.intent.kind == IntentKind::move_vector) rects.push_back(region.rect);
    if (has_chosen(region)) rects.push_back(at_least(chosen_cell(region), kHold, kHold));
  }
  return rects;
}

Rect typing_place(const Scene& scene, const NumberEdit& edit) {
  Rect place;
  for (const Region& region : scene.regions) {
    if (!edit.active() || !reacts(region, scene.top_layer())) continue;
    const bool cell = edit.parameter == NumberEdit::kCell;
    if (cell && has_chosen(region)) return chosen_cell(region);
    const bool field =
        cell ? region.intent.kind == IntentKind::edit_cell
             : region.intent.kind == IntentKind::edit_parameter && region.intent.index == edit.parameter;
    if (field) place = region.visual;
  }
  return place;
}

Response interact(const Scene& scene, const Input& input, ViewState& view) {
  Response response;
  const Region* under = region_under(scene, input.pointer);
  view.hover = under == nullptr || input.touch ? Spot{} : spot_at(scene, *under, input.pointer, under->drag);
  response.pointer = pointer_over(under, view.hover);
  finish_typing(input, view, response);
  scroll(scene, input, response);
  if (input.pressed) press(scene, input, view, response);
  if (input.held && !input.pressed) drag(scene, input, view, response);
  if (input.released) release(scene, input, view, response);
  use_keyboard(scene, input, view, response);
  return response;
}

}  // namespace attn::ui
