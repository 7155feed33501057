// The tensor map: every compared tensor of a run has one tile. Columns are groups of layers, rows are names.
//
//   part 0 (attention)      encoder self-attention | decoder self-attention | decoder cross-attention
//   part 1 (feed-forward)   encoder feed-forward   | decoder feed-forward, and what lies outside the layers
#pragma once

#include <array>
#include <vector>

#include "lessons/lesson.h"

namespace attn::ui {

inline constexpr int kMapGroups = 5;  // 0..2 belong to part 0, 3 and 4 to part 1

struct MapTile {
  int difference = -1;  // index into Run::differences
  int group = 0;        // in [0, kMapGroups)
  int row = 0;          // of its part
  int layer = 0;        // column within the group; 0 for tensors outside the layers
  bool equal = true;
  bool outside = false;  // embedding, memory, output
};

struct MapModel {
  std::vector<tape::Site> attention_rows;     // in the order they are computed
  std::vector<tape::Site> feed_forward_rows;  // the layers' own first, then those outside the layers
  int layers = 1;
  std::vector<MapTile> tiles;  // in the order of Run::differences
  int equal = 0;

  int total() const { return static_cast<int>(tiles.size()); }
};

MapModel map_model(const lessons::Run& run);

/// All tiles of one layer of one stack are equal; false when it has none.
bool layer_equal(const MapModel& map, const lessons::Run& run, tape::Stack stack, int layer);

/// How many layers a stack has among the compared tensors.
int layers_of(const lessons::Run& run, tape::Stack stack);

}  // namespace attn::ui
