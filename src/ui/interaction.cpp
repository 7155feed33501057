#include "ui/interaction.h"

#include <algorithm>
#include <cmath>

#include "ui/keyboard.h"

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

void press(const Scene& scene, const Input& input, ViewState& view, Response& response) {
  const Region* region = region_under(scene, input.pointer);
  commit_edit(view, response);
  view.show_keyboard = false;
  view.drag_edited = false;
  view.pressed = region == nullptr ? Spot{} : spot_at(scene, *region, input.pointer, region->drag);
  if (region == nullptr || !region->enabled) return;
  view.keyboard = region->role == RegionRole::backdrop ? Spot{} : view.pressed;
  if (region->intent.kind == IntentKind::move_vector) view.held_reach = region->intent.value;
  if (region->drag) activate(*region, view.pressed, input.touch, view, response);
}

void drag(const Scene& scene, const Input& input, ViewState& view, Response& response) {
  const Region* region = scene.find(view.pressed.region);
  if (region == nullptr || !region->drag) return;
  const Spot spot = spot_at(scene, *region, input.pointer, true);
  if (spot == view.pressed) return;
  view.pressed = view.keyboard = spot;
  activate(*region, spot, input.touch, view, response);
}

void release(const Scene& scene, const Input& input, ViewState& view, Response& response) {
  const Region* region = region_under(scene, input.pointer);
  const bool same = region != nullptr && region->id == view.pressed.region;
  view.pressed = {};
  if (!same || !region->enabled || region->drag) return;
  activate(*region, spot_at(scene, *region, input.pointer, false), input.touch, view, response);
}

PointerShape pointer_over(const Region* region, const Spot& hover) {
  if (region == nullptr || !region->enabled || region->role == RegionRole::backdrop)
    return PointerShape::arrow;
  if (region->role == RegionRole::number) return PointerShape::text;
  const bool cell = region->role != RegionRole::grid || hover.row >= 0;
  return cell ? PointerShape::pointer : PointerShape::arrow;
}

}  // namespace

Response interact(const Scene& scene, const Input& input, ViewState& view) {
  Response response;
  const Region* under = region_under(scene, input.pointer);
  view.hover = under == nullptr || input.touch ? Spot{} : spot_at(scene, *under, input.pointer, under->drag);
  response.pointer = pointer_over(under, view.hover);
  if (input.pressed) press(scene, input, view, response);
  if (input.held && !input.pressed) drag(scene, input, view, response);
  if (input.released) release(scene, input, view, response);
  use_keyboard(scene, input, view, response);
  return response;
}

}  // namespace attn::ui
