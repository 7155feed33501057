#include "ui/scene_support.h"

#include <utility>

#include "lessons/registry.h"
#include "support/catch.h"
#include "support/shipped_translator.h"

namespace attn::test {
namespace {

float width_of(const void* user, std::string_view text, ui::Font font, float size) {
  const bool wide = *static_cast<const Face*>(user) == Face::wide;
  const bool mono = font >= ui::Font::mono400;
  const bool bold = font == ui::Font::ui600;
  float em = 0.0f;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = ui::sequence_length(text, at);
    const bool chinese = length >= 3 && static_cast<unsigned char>(text[at]) >= 0xE3;
    if (chinese)
      em += 1.0f;
    else if (mono)
      em += 0.602f;
    else
      em += wide ? (bold ? 0.62f : 0.57f) : (bold ? 0.52f : 0.48f);
    at += length;
  }
  return em * size;
}

}  // namespace

ui::TextMeasure measure(Face face) {
  static constexpr Face kFaces[] = {Face::wide, Face::narrow};
  return {&kFaces[face == Face::wide ? 0 : 1], width_of};
}

lessons::Session open_lesson(const std::vector<std::pair<const char*, int>>& values, int step) {
  core::Result<lessons::Session> session = lessons::Session::open("mask-equivalence");
  REQUIRE(session.ok());
  REQUIRE(session.value().go_to_step(step).ok());
  for (const auto& [name, value] : values) REQUIRE(session.value().set_parameter(name, value).ok());
  return std::move(session).value();
}

lessons::Session open_lesson(const char* slug, int step) {
  const lessons::Lesson* lesson = lessons::find_lesson(slug);
  REQUIRE(lesson != nullptr);
  lessons::Session session = open_session(*lesson);
  REQUIRE(session.go_to_step(step).ok());
  return session;
}

Screen screen(const std::vector<std::pair<const char*, int>>& values, int step, float width, float height) {
  Screen result{.session = open_lesson(values, step),
                .preferences = {},
                .view = {},
                .width = width,
                .height = height,
                .touch = width < 640.0f,
                .pixel_ratio = 1.0f,
                .face = Face::wide,
                .lessons = 0,
                .layout = {},
                .scene = {}};
  result.build();
  return result;
}

void Screen::build() {
  ui::Subject subject = ui::subject_of(session);
  const std::vector<const attn::lessons::Lesson*> many(lessons, &session.lesson());
  if (lessons > 0) subject.lessons = many;
  layout =
      ui::layout_of(ui::layout_request(subject, preferences.language, measure(face), width, height, touch));
  layout.pixel_ratio = pixel_ratio;
  scene = ui::build_scene(subject, view, preferences, gfx::Theme::light, false, 0.0, layout, measure(face));
}

ui::Response Screen::send(const ui::Input& input) {
  const ui::Response response = ui::interact(scene, input, view);
  for (const ui::Intent& intent : response.intents)
    ui::apply(intent, session, preferences, view, gfx::Theme::light, 0.0);
  if (view.wanted_lesson != nullptr)
    ui::open_lesson(session, view, std::exchange(view.wanted_lesson, nullptr));
  build();
  return response;
}

ui::Response Screen::press(ui::Key key, bool shift, bool control) {
  ui::Input input{.keyboard_focus = true};
  input.keys.push_back({key, shift, control, 0});
  return send(input);
}

ui::Response Screen::type(int digit) {
  ui::Input input{.keyboard_focus = true};
  input.keys.push_back({ui::Key::digit, false, false, digit});
  return send(input);
}

void Screen::click(ui::Point point) {
  send({.pointer = point, .pressed = true, .held = true, .touch = touch});
  send({.pointer = point, .released = true, .touch = touch});
}

void Screen::focus(const char* tensor, int head, int row, int column) {
  const core::Result<tape::Label> label = tape::parse_label(tensor);
  REQUIRE(label.ok());
  REQUIRE(session.focus_on({label.value(), head, row, column}).ok());
  build();
}

const ui::Region* Screen::region_for(ui::IntentKind kind, int value) const {
  for (const ui::Region& region : scene.regions)
    if (region.intent.kind == kind && (region.intent.value == value || region.role == ui::RegionRole::grid))
      return &region;
  return nullptr;
}

std::vector<const ui::TextItem*> texts_with(const ui::Scene& scene, ui::Mark mark) {
  std::vector<const ui::TextItem*> found;
  for (const ui::TextItem* text : items_of<ui::TextItem>(scene))
    if (text->tag.mark == mark) found.push_back(text);
  return found;
}

std::vector<const ui::BoxItem*> boxes_with(const ui::Scene& scene, ui::Mark mark) {
  std::vector<const ui::BoxItem*> found;
  for (const ui::BoxItem* box : items_of<ui::BoxItem>(scene))
    if (box->tag.mark == mark) found.push_back(box);
  return found;
}

bool has_text(const ui::Scene& scene, const std::string& text) {
  for (const ui::TextItem* item : items_of<ui::TextItem>(scene))
    if (item->text.find(text) != std::string::npos) return true;
  return false;
}

const ui::HeatmapItem& cells_of(const ui::Scene& scene, ui::Pane pane) {
  for (const ui::HeatmapItem* item : items_of<ui::HeatmapItem>(scene))
    if (item->pane == pane) return *item;
  FAIL("no heat map of this pane");
  static const ui::HeatmapItem kNone;
  return kNone;
}

}  // namespace attn::test
