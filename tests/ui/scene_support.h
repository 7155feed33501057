// Scenes built without a window: the real lesson, a measure with made-up but consistent widths, and ways to
// read a scene.
#pragma once

#include <string>
#include <vector>

#include "lessons/session.h"
#include "ui/apply.h"
#include "ui/interaction.h"
#include "ui/views.h"

namespace attn::test {

/// Widths of a wide face (DejaVu Sans and DejaVu Sans Mono are among the widest in use) or of a narrow one.
enum class Face { wide, narrow };
ui::TextMeasure measure(Face face);

/// A session of the headline lesson; `values` are set one by one.
lessons::Session open_lesson(const std::vector<std::pair<const char*, int>>& values = {}, int step = 0);

lessons::Session open_lesson(const char* slug, int step);

struct Screen {
  lessons::Session session;
  lessons::Preferences preferences;
  ui::ViewState view;
  float width = 1280.0f;
  float height = 800.0f;
  bool touch = false;
  float pixel_ratio = 1.0f;
  Face face = Face::wide;
  std::size_t lessons = 0;  // how many the rail lists; 0: those there are
  ui::Layout layout;
  ui::Scene scene;

  /// Lays out and builds the scene again.
  void build();
  /// One frame of input: intents are carried out, the scene is built again.
  ui::Response send(const ui::Input& input);
  ui::Response press(ui::Key key, bool shift = false, bool control = false);
  ui::Response type(int digit);
  void click(ui::Point point);

  void focus(const char* tensor, int head = 0, int row = -1, int column = -1);
  const ui::Region* region_for(ui::IntentKind kind, int value = 0) const;
};

Screen screen(const std::vector<std::pair<const char*, int>>& values = {}, int step = 0,
              float width = 1280.0f, float height = 800.0f);

template <class T>
std::vector<const T*> items_of(const ui::Scene& scene) {
  std::vector<const T*> found;
  for (const ui::Item& item : scene.items)
    if (const T* shape = std::get_if<T>(&item.shape)) found.push_back(shape);
  return found;
}

std::vector<const ui::TextItem*> texts_with(const ui::Scene& scene, ui::Mark mark);
std::vector<const ui::BoxItem*> boxes_with(const ui::Scene& scene, ui::Mark mark);
bool has_text(const ui::Scene& scene, const std::string& text);

/// The heat map of a pane.
const ui::HeatmapItem& cells_of(const ui::Scene& scene, ui::Pane pane);

}  // namespace attn::test
