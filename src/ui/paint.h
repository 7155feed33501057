// Turns a Scene into ImGui draw calls and heat-map callbacks. With app_view.cpp the only place in ui/ that
// knows ImGui.
#pragma once

#include "gfx/heatmap.h"
#include "ui/scene.h"

struct ImDrawList;
struct ImFont;

namespace attn::ui {

/// In the order of ui::Font.
struct FontSet {
  const ImFont* fonts[kFontCount] = {};
};

/// Measures with these fonts; the set must outlive the measure.
TextMeasure measure_with(const FontSet& fonts);

void paint(Scene& scene, const FontSet& fonts, gfx::Theme theme, gfx::Renderer& renderer, ImDrawList* list);

}  // namespace attn::ui
