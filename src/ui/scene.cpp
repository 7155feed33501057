#include "ui/scene.h"

#include <algorithm>

namespace attn::ui {

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
