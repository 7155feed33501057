#include "ui/app_view.h"

#include <algorithm>
#include <utility>

#include "imgui.h"
#include "ui/apply.h"
#include "ui/card.h"
#include "ui/cell_edits.h"
#include "ui/sentence_field.h"
#include "ui/topic_light.h"
#include "ui/views.h"

namespace attn::ui {
namespace {

struct KeyRow {
  ImGuiKey imgui;
  Key key;
};

constexpr KeyRow kKeys[] = {{ImGuiKey_Tab, Key::tab},
                            {ImGuiKey_LeftArrow, Key::left},
                            {ImGuiKey_RightArrow, Key::right},
                            {ImGuiKey_UpArrow, Key::up},
                            {ImGuiKey_DownArrow, Key::down},
                            {ImGuiKey_Enter, Key::enter},
                            {ImGuiKey_KeypadEnter, Key::enter},
                            {ImGuiKey_Space, Key::space},
                            {ImGuiKey_Escape, Key::escape},
                            {ImGuiKey_Home, Key::home},
                            {ImGuiKey_End, Key::end},
                            {ImGuiKey_Backspace, Key::backspace},
                            {ImGuiKey_P, Key::p},
                            {ImGuiKey_R, Key::r},
                            {ImGuiKey_Y, Key::y},
                            {ImGuiKey_Z, Key::z}};

/// What ImGui collected since the last frame.
Input read_input(const FrameInput& frame) {
  const ImGuiIO& io = ImGui::GetIO();
  Input input{.pointer = {io.MousePos.x, io.MousePos.y},
              .pressed = io.MouseClicked[0],
              .released = io.MouseReleased[0],
              .held = io.MouseDown[0],
              .touch = frame.touch,
              .keyboard_focus = frame.keyboard_focus,
              .entry = frame.focus_entry,
              .wheel = io.MouseWheel,
              .typed = frame.typed,
              .number = frame.typed_number};
  if (io.KeyAlt) return input;  // Alt with arrows is the browser's way back and forward
  const bool control = io.KeyCtrl || io.KeySuper;
  for (const KeyRow& row : kKeys) {
    const bool needs_control = row.key == Key::z || row.key == Key::y;
    if (control && !needs_control) continue;  // the browser's and the system's own shortcuts
    if (ImGui::IsKeyPressed(row.imgui, true))
      input.keys.push_back({row.key, io.KeyShift, control, 0, !ImGui::IsKeyPressed(row.imgui, false)});
  }
  if (control) return input;
  for (const ImWchar character : io.InputQueueCharacters) {
    if (character >= '0' && character <= '9')
      input.keys.push_back({Key::digit, false, false, static_cast<int>(character - '0')});
    if (character == '-' || character == 0x2212) input.keys.push_back({Key::minus});
    if (character == '.' || character == ',') input.keys.push_back({Key::point});
    if (character == '?') input.keys.push_back({Key::question, false, false, 0});
  }
  return input;
}

Scene scene_of(const lessons::Session& session, const ViewState& view,
               const lessons::Preferences& preferences, const FrameInput& frame, Layout& layout) {
  Subject subject = subject_of(session);
  if (preferences.one_lesson) subject.lessons = {};
  const TextMeasure measure = measure_with(frame.fonts);
  layout = layout_of(
      layout_request(subject, preferences.language, measure, frame.width, frame.height, frame.touch));
  layout.pixel_ratio = frame.renderer->pixel_ratio();
  return build_scene(subject, view, preferences, theme_of(preferences, frame.dark), frame.page_narration,
                     frame.now_s, layout, measure);
}

/// The keyboard's ring goes over everything else.
void add_focus_ring(Scene& scene, const ViewState& view) {
  if (!view.show_keyboard) return;
  const Region* region = scene.find(view.keyboard.region);
  if (region == nullptr || region->role == RegionRole::text) return;
  Rect rect = grown(region->visual, 4.0f);
  float radius = region->radius + 4.0f;
  if (region->role == RegionRole::grid && view.keyboard.row >= 0) {
    const Grid& grid = region->grid;
    const gfx::CellShape shape = gfx::cell_shape(grid.cell_width, grid.cell_height);
    rect = grown({grid.origin.x + static_cast<float>(view.keyboard.column) * grid.cell_width,
                  grid.origin.y + static_cast<float>(view.keyboard.row) * grid.cell_height,
                  grid.cell_width - shape.gap, grid.cell_height - shape.gap},
                 4.0f);
    radius = shape.corner_radius + 4.0f;
  }
  scene.items.push_back({region->layer, BoxItem{.rect = rect,
                                                .radius = radius,
                                                .stroke = Colour::focus,
                                                .stroke_width = 2.0f,
                                                .tag = {.mark = Mark::focus_ring}}});
}

/// A card lies over the narration, which in a page would lie over the card.
bool covers(const Scene& scene, const Rect& narration) {
  const Region* card = scene.find(card_id(kFace));
  return card != nullptr && overlap(card->rect, narration);
}

NumberField number_field(const Scene& scene, const lessons::Session& session, const NumberEdit& edit) {
  NumberField field{.rect = typing_place(scene, edit)};
  if (field.rect.empty()) return field;
  const bool cell = edit.parameter == NumberEdit::kCell;
  field.kind = cell ? NumberField::Kind::decimal : NumberField::Kind::whole;
  field.number = cell ? number_in(session, session.focus()).value_or(0.0f)
                      : static_cast<float>(session.values()[static_cast<std::size_t>(edit.parameter)]);
  return field;
}

double next_frame(const ViewState& view, double now_s) {
  if (view.motion.moving(now_s)) return 0.0;
  return view.playing ? std::max(view.next_token_s - now_s, 0.0) : -1.0;
}

}  // namespace

gfx::Theme theme_of(const lessons::Preferences& preferences, bool dark) {
  switch (preferences.theme) {
    case lessons::Theme::automatic:
      return dark ? gfx::Theme::dark : gfx::Theme::light;
    case lessons::Theme::light:
      return gfx::Theme::light;
    case lessons::Theme::dark:
      return gfx::Theme::dark;
  }
  return gfx::Theme::light;
}

std::uint32_t background_of(gfx::Theme theme) {
  const gfx::Rgb rgb = colour_of(Colour::surface, theme);
  return static_cast<std::uint32_t>(rgb.r) << 16 | static_cast<std::uint32_t>(rgb.g) << 8 | rgb.b;
}

FrameResult draw_frame(lessons::Session& session, lessons::Preferences& preferences, ViewState& view,
                       const FrameInput& frame) {
  const bool reduced = frame.reduced_motion || preferences.reduced_motion;
  Layout layout;
  view.word = frame.word;
  const std::uint32_t revision = session.revision();
  constexpr double kSaysHidden = 8.0;
  if (frame.was_hidden && view.playing) view.was_hidden_until_s = frame.now_s + kSaysHidden;
  advance_playing(session, view, frame.now_s);
  const bool played = session.revision() != revision;
  follow_session(session, view, frame.now_s, reduced);
  Scene scene = scene_of(session, view, preferences, frame, layout);

  const Spot hover = view.hover;
  const Spot pressed = view.pressed;
  const NumberEdit edit = view.edit;
  const SentenceDraft draft = view.sentence;
  const Response response = interact(scene, read_input(frame), view);
  for (const Intent& intent : response.intents)
    apply(intent, session, preferences, view, theme_of(preferences, frame.dark), frame.now_s);
  const bool changed = !response.intents.empty() || !(hover == view.hover) || !(pressed == view.pressed) ||
                       edit.parameter != view.edit.parameter || edit.digits != view.edit.digits ||
                       draft.typing != view.sentence.typing || draft.text != view.sentence.text;
  if (changed) {
    follow_session(session, view, frame.now_s, reduced);
    scene = scene_of(session, view, preferences, frame, layout);
  }
  add_focus_ring(scene, view);

  ImGui::SetNextWindowPos({0.0f, 0.0f});
  ImGui::SetNextWindowSize({frame.width, frame.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{0.0f, 0.0f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0f);
  ImGui::Begin("stage", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoBackground |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoScrollWithMouse);
  const gfx::Theme theme = theme_of(preferences, frame.dark);
  paint(scene, frame.fonts, theme, *frame.renderer, ImGui::GetWindowDrawList());
  if (view.sentence_field != nullptr) view.sentence_field->edit(scene, session, frame.fonts, theme, view);
  ImGui::End();
  ImGui::PopStyleVar(2);

  return {.next_frame_s = next_frame(view, frame.now_s),
          .narration = covers(scene, layout.narration) ? NarrationLayout::hidden : layout.narration_layout,
          .narration_veiled = view.card != Card::none,
          .narration_rect = layout.narration,
          .minimum_height = layout.minimum_height,
          .key_used = response.key_used,
          .pointer = response.pointer,
          .theme = theme,
          .wanted_lesson = std::exchange(view.wanted_lesson, nullptr),
          .played = played && response.intents.empty(),
          .field = number_field(scene, session, view.edit),
          .holds = holds(scene),
          .lit_words = topic_light(subject_of(session), view).words};
}

}  // namespace attn::ui
