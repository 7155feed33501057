#include "ui/scene.h"

#include <algorithm>

namespace attn::ui {

gfx::HeatmapCells HeatmapItem::drawn() const {
  gfx::HeatmapCells result = cells;
  result.cells = {values.data(), cells.columns, states.data()};
  if (!from_values.empty()) result.from = {from_values.data(), cells.columns, from_states.data()};
  return result;
}

int Scene::top_layer() const {
  int top = 0;
  for (const Region& region : regions) top = std::max(top, region.layer);
  return top;
}

const Region* Scene::find(RegionId id) const {
  for (const Region& region : regions)
    if (region.id == id) return &region;
  return nullptr;
}

}  // namespace attn::ui
