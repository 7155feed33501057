#include "ui/narration_text.h"
#include "ui/views.h"

namespace attn::ui {

Rect view_narration(Context& context) {
  Sketch& sketch = context.sketch;
  const Rect& area = context.layout.narration;
  const NarrationLayout layout = context.layout.narration_layout;
  const bool panel = layout == NarrationLayout::panel;
  if (panel || layout == NarrationLayout::strip) {
    sketch.box(area, Colour::page);
    sketch.line({area.x + (panel ? 0.5f : 0.0f), area.y + (panel ? 0.0f : 0.5f)},
                panel ? Point{area.x + 0.5f, area.bottom()} : Point{area.right(), area.y + 0.5f},
                Colour::line);
  }
  const lessons::Step* step = context.subject.step_now();
  return step != nullptr && !context.page_narration ? draw_narration(context, *step) : Rect{};
}

}  // namespace attn::ui
