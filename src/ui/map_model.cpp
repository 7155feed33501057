#include "ui/map_model.h"

#include <algorithm>

namespace attn::ui {
namespace {

bool in_layer(const tape::Label& label) { return label.layer >= 0; }

bool is_attention(const tape::Label& label) {
  return in_layer(label) &&
         (label.block == tape::Block::self_attention || label.block == tape::Block::cross_attention);
}

int group_of_label(const tape::Label& label) {
  const bool decoder = label.stack == tape::Stack::decoder;
  if (!is_attention(label)) return decoder ? 4 : 3;
  if (!decoder) return 0;
  return label.block == tape::Block::self_attention ? 1 : 2;
}

void add_row(std::vector<tape::Site>& rows, tape::Site site) {
  if (std::find(rows.begin(), rows.end(), site) == rows.end()) rows.push_back(site);
}

int row_of(const std::vector<tape::Site>& rows, tape::Site site, std::size_t from) {
  for (std::size_t i = from; i < rows.size(); ++i)
    if (rows[i] == site) return static_cast<int>(i);
  return 0;
}

/// Memory and output, the last word of each stack, share one row's place but keep their names.
std::vector<tape::Site> rows_outside(const lessons::Run& run) {
  std::vector<tape::Site> rows;
  for (const tape::TensorDifference& difference : run.twin->differences)
    if (!in_layer(difference.label)) add_row(rows, difference.label.site);
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace

MapModel map_model(const lessons::Run& run) {
  MapModel map;
  for (const tape::TensorDifference& difference : run.twin->differences) {
    if (!in_layer(difference.label)) continue;
    map.layers = std::max(map.layers, difference.label.layer + 1);
    add_row(is_attention(difference.label) ? map.attention_rows : map.feed_forward_rows,
            difference.label.site);
  }
  const std::size_t own_rows = map.feed_forward_rows.size();
  for (const tape::Site site : rows_outside(run)) map.feed_forward_rows.push_back(site);

  for (std::size_t i = 0; i < run.twin->differences.size(); ++i) {
    const tape::TensorDifference& difference = run.twin->differences[i];
    const tape::Label& label = difference.label;
    MapTile tile{.difference = static_cast<int>(i), .group = group_of_label(label)};
    tile.outside = !in_layer(label);
    tile.row = is_attention(label) ? row_of(map.attention_rows, label.site, 0)
                                   : row_of(map.feed_forward_rows, label.site, tile.outside ? own_rows : 0);
    tile.layer = std::max(label.layer, 0);
    tile.equal = difference.equal();
    map.equal += tile.equal ? 1 : 0;
    map.tiles.push_back(tile);
  }
  return map;
}

bool layer_equal(const MapModel& map, const lessons::Run& run, tape::Stack stack, int layer) {
  bool any = false;
  for (const MapTile& tile : map.tiles) {
    const tape::Label& label = run.twin->differences[static_cast<std::size_t>(tile.difference)].label;
    if (label.stack != stack || label.layer != layer) continue;
    if (!tile.equal) return false;
    any = true;
  }
  return any;
}

int layers_of(const lessons::Run& run, tape::Stack stack) {
  int layers = 0;
  for (const tape::TensorDifference& difference : run.twin->differences)
    if (difference.label.stack == stack) layers = std::max(layers, difference.label.layer + 1);
  return layers;
}

}  // namespace attn::ui
