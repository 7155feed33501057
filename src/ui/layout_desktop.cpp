#include <algorithm>
#include <array>
#include <cmath>

#include "ui/layout_sizes.h"

namespace attn::ui {
namespace {

struct HeightPlan {
  float map_row;    // 0: the map is a button
  float inspector;  // height
};

/// The rich plan first, then what tokens.md §7 gives up: map rows, inspector lines, the map.
constexpr std::array<HeightPlan, 11> kPlans{{{16, 100},
                                             {15, 100},
                                             {14, 100},
                                             {13, 100},
                                             {12, 100},
                                             {12, 78},
                                             {11, 78},
                                             {11, 40},
                                             {0, 100},
                                             {0, 78},
                                             {0, 40}}};
constexpr HeightPlan kLeast{11, 78};  // of those that keep every part
constexpr float kReadable = 0.86f;    // of the height the matrices would like

constexpr float kListTop = 84.0f;  // of the rail's lessons
constexpr float kMostPitch = 38.0f;
constexpr float kLeastPitch = 24.0f;

float needed_by(const Layout& layout, int settings) {
  return 34.0f + setting_pitch(layout, false) * static_cast<float>(settings);
}

void place_rail(Layout& layout, const LayoutRequest& request) {
  layout.rail = {0.0f, 0.0f, request.width < 1200.0f ? 168.0f : 184.0f, request.height};
  const float foot = 72.0f + foot_pitch(layout);
  const auto lessons = static_cast<float>(std::max(request.lessons, 1));
  const auto pitch_beside = [&](int settings) {  // what the settings leave to each lesson
    return std::floor((request.height - foot - needed_by(layout, settings) - kListTop - 20.0f) / lessons);
  };
  const float without =
      std::clamp((request.height - foot - 38.0f - kListTop) / lessons, kLeastPitch, kMostPitch);
  layout.rail_pitch = without;
  if (request.settings == 0) return;
  const float least = request.touch ? kMostPitch : kLeastPitch;  // a finger needs them as they are
  float pitch = pitch_beside(std::max(request.most_settings, request.settings));
  if (pitch < least) pitch = pitch_beside(request.settings);
  if (pitch < least) return;
  layout.rail_pitch = std::min(pitch, kMostPitch);
  layout.settings = {24.0f, kListTop + layout.rail_pitch * lessons + 20.0f, layout.rail.width - 48.0f,
                     needed_by(layout, request.settings)};
}

/// The richest plan that leaves the matrices what they want; else one that leaves them readable.
template <class LeftForCells>
HeightPlan choose_plan(float wanted, const LeftForCells& left_for_cells) {
  constexpr std::size_t kFullInspector = 5;  // plans that keep it
  for (std::size_t i = 0; i < kFullInspector; ++i)
    if (left_for_cells(kPlans[i]) >= wanted) return kPlans[i];
  for (std::size_t i = kFullInspector - 1; i < kPlans.size(); ++i)
    if (left_for_cells(kPlans[i]) >= std::min(wanted * kReadable, 184.0f)) return kPlans[i];
  return kPlans.back();
}

void place_under_stage(Layout& layout, const LayoutRequest& request, float bottom, float room_width) {
  const float top = layout.training.origin.y;
  const float rows = static_cast<float>(std::max(request.attention_rows, request.feed_forward_rows));
  const float largest = request.height > 900.0f ? kLargestTallCell : kLargestCell;
  const float wanted = wanted_height(request, room_width, largest);
  const float gap = request.height < 760.0f ? 12.0f : 20.0f;
  const float section = gap + 4.0f;
  const auto map_height = [&](float row) {
    return row > 0 ? kMapHeading + kMapNumberedHeading + rows * row : 36.0f;
  };
  const auto left_for_cells = [&](const HeightPlan& plan) {
    return bottom - top - gap - plan.inspector - section - map_height(plan.map_row) - gap;
  };
  const HeightPlan plan = choose_plan(wanted, left_for_cells);
  fit_cells(layout, request, {room_width, std::min(left_for_cells(plan), wanted), largest});

  const float free = left_for_cells(plan) - matrix_height(layout, request);
  const float row = plan.map_row > 0 ? plan.map_row + std::clamp((free - 24.0f) / rows, 0.0f, 4.0f) : 0.0f;
  const float loose = std::clamp((free - rows * (row - plan.map_row)) / 3.0f, 0.0f, 20.0f);
  layout.map_row_height = std::floor(row);
  layout.map_form = plan.map_row > 0 ? MapForm::wide : MapForm::button;
  layout.inspector_form = inspector_form_for(plan.inspector);
  layout.inspector = {layout.content.x, top + matrix_height(layout, request) + gap + loose,
                      layout.content.width, plan.inspector};
  layout.map = {layout.content.x, layout.inspector.bottom() + section + loose, layout.content.width,
                map_height(layout.map_row_height)};
  constexpr float kTightGap = 12.0f;
  layout.minimum_height = request.height - bottom + top + 3.0f * kTightGap + 4.0f + kLeast.inspector +
                          map_height(kLeast.map_row) +
                          wanted_height(request, room_width, kLargestCell) * kReadable;
}

}  // namespace

void lay_out_desktop(Layout& layout, const LayoutRequest& request) {
  const bool narrow = request.width < 1200.0f;
  const float panel = narrow ? 272.0f : 304.0f;
  const float padding = narrow ? 24.0f : request.board ? 28.0f : 32.0f;
  place_rail(layout, request);
  layout.narration_layout = NarrationLayout::panel;
  layout.narration = {request.width - panel, 0.0f, panel, request.height};
  const float stage = request.width - layout.rail.width - panel - 2.0f * padding;
  const float width = std::min(stage, 900.0f);
  layout.content = {layout.rail.width + padding + std::floor((stage - width) / 2.0f), 0.0f, width,
                    request.height};
  layout.title_baseline = 50.0f;
  layout.subtitle_baseline = 74.0f;
  if (request.heads > 1) layout.heads = {layout.content.right() - 280.0f, 56.0f, 280.0f, 28.0f};
  const float bar = target_side(layout);
  layout.transport = {layout.content.x, request.height - 22.0f - bar, width, bar};

  const float labels = 46.0f;
  const float right_labels = narrow ? 30.0f : 46.0f;
  layout.right_row_index = !narrow;
  const float room = (width - labels - right_labels - 16.0f - (narrow ? 100.0f : 124.0f)) / 2.0f;
  layout.training.origin.y = 168.0f;
  place_under_stage(layout, request, layout.transport.y, room);
  place_panes(layout, request,
              {layout.content.x, layout.content.right(), 168.0f, labels, right_labels, 58.0f});
  layout.verdict_form = verdict_form_for(layout.cell_height, layout.verdicts.width, 30.0f);
  layout.verdict_size = narrow ? 22.0f : 26.0f;
}

}  // namespace attn::ui
