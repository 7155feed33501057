// Screenshots of the UI for looking at, without a page: one line of standard input a picture.
//
//   attn_ui_screenshots < list      FILE.ppm WIDTHxHEIGHT RATIO zh|en light|dark [name=value ...]
//
// Names are the lesson's parameters, and: step (from 0), tensor (a label), head, row, column, edit
// (a number for that cell), unmasked,
// open, card (settings|help|tensors|lessons|narration|term), work (so many steps of it), term (of the
// glossary), layer (of the tensors card), touch, page (leave the narration to a page), hover (x,y), click
// (x,y), arcs, type (underscores are spaces; "!" at its end presses Enter), tab (how often the Tab key is
// pressed). Needs a display (xvfb-run) with OpenGL 3.3.
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "imgui.h"
#include "platform/glyph_source.h"
#include "platform/screen.h"
#include "support/sample_board.h"
#include "support/sample_sizes.h"
#include "ui/app_view.h"
#include "ui/sentence_field.h"

namespace {

using namespace attn;

struct Picture {
  std::string file;
  float width = 1280.0f, height = 800.0f, ratio = 1.0f;
  lessons::Preferences preferences;
  std::vector<std::pair<std::string, std::string>> settings;

  std::string value(const char* name, const char* otherwise = "") const {
    for (const auto& [key, text] : settings)
      if (key == name) return text;
    return otherwise;
  }
  int number(const char* name, int otherwise) const {
    const std::string text = value(name);
    return text.empty() ? otherwise : std::atoi(text.c_str());
  }
};

struct App {
  std::unique_ptr<lessons::Session> session;
  lessons::Preferences preferences;
  ui::ViewState view;
  std::unique_ptr<gfx::Renderer> renderer;
  bool page = false;
  bool motion = false;
  ui::FrameResult result;
};

platform::FrameOutput frame(void* user, const platform::FrameInput& input, const platform::Fonts& fonts) {
  App& app = *static_cast<App*>(user);
  app.renderer->begin_frame({input.width, input.height, input.pixel_ratio});
  ui::FrameInput in{
      .width = input.width, .height = input.height, .now_s = input.now_s, .keyboard_focus = true};
  in.touch = input.touch;
  in.reduced_motion = !app.motion;
  in.page_narration = app.page;
  in.fonts = {{fonts.ui400, fonts.ui500, fonts.ui600, fonts.mono400, fonts.mono500, fonts.mono600}};
  in.renderer = app.renderer.get();
  app.view.sentence_field = app.page ? nullptr : &ui::kSentenceField;
  app.result = ui::draw_frame(*app.session, app.preferences, app.view, in);
  return {};
}

core::Status gpu_create(void* user) {
  auto renderer = gfx::Renderer::create();
  if (!renderer.ok()) return core::Error{renderer.error()};
  static_cast<App*>(user)->renderer = std::move(renderer).value();
  return core::ok_status();
}

void gpu_destroy(void* user, bool) { static_cast<App*>(user)->renderer.reset(); }

std::uint32_t background(void* user) {
  return ui::background_of(ui::theme_of(static_cast<App*>(user)->preferences, false));
}

lessons::Session::File translator_file() {
  lessons::Session::File bytes;
  std::FILE* file = std::fopen((std::string(ATTN_SOURCE_DIR "/") + lessons::kTranslatorFile).c_str(), "rb");
  for (int byte; file != nullptr && (byte = std::fgetc(file)) != EOF;)
    bytes.push_back(static_cast<std::uint8_t>(byte));
  if (file != nullptr) std::fclose(file);
  return bytes;
}

void set_up(App& app, const Picture& picture) {
  const std::string slug = picture.value("lesson", "mask-equivalence");
  const lessons::Lesson* sample = nullptr;
  for (const lessons::Lesson* one : {&test::sample_board(), &test::sample_sizes()})
    if (slug == one->slug) sample = one;
  app.session = std::make_unique<lessons::Session>(
      std::move(sample != nullptr ? lessons::Session::open(*sample)
                                  : lessons::Session::open(slug, translator_file()))
          .value());
  app.preferences = picture.preferences;
  app.view = {};
  app.motion = false;
  app.page = picture.number("page", 0) != 0;
  if (const auto status = app.session->go_to_step(picture.number("step", 0)); !status.ok())
    std::fprintf(stderr, "%s\n", status.error().c_str());
  for (const auto& [name, text] : picture.settings)
    if (lessons::find_parameter(app.session->lesson(), name) >= 0)
      if (!app.session->set_parameter(name, std::atoi(text.c_str())).ok())
        std::fprintf(stderr, "%s=%s refused\n", name.c_str(), text.c_str());
  for (int i = picture.number("work", 0); i > 0; --i) app.session->step_work();
  lessons::Focus focus = app.session->focus();
  if (const std::string tensor = picture.value("tensor"); !tensor.empty())
    focus.tensor = tape::parse_label(tensor).value();
  focus.head = picture.number("head", focus.head);
  focus.row = picture.number("row", focus.row);
  focus.column = picture.number("column", focus.column);
  focus.unmasked = picture.number("unmasked", focus.unmasked ? 1 : 0) != 0;
  focus.open = picture.number("open", 0) != 0;
  if (const auto status = app.session->focus_on(focus); !status.ok())
    std::fprintf(stderr, "%s\n", status.error().c_str());
  if (const std::string edit = picture.value("edit"); !edit.empty())
    if (const auto status = app.session->edit_cell(focus, std::strtof(edit.c_str(), nullptr)); !status.ok())
      std::fprintf(stderr, "%s\n", status.error().c_str());
  const std::string card = picture.value("card");
  for (const auto& [name, which] : {std::pair{"settings", ui::Card::settings},
                                    {"help", ui::Card::help},
                                    {"tensors", ui::Card::tensors},
                                    {"lessons", ui::Card::lessons},
                                    {"narration", ui::Card::narration},
                                    {"term", ui::Card::term}})
    if (card == name) app.view.card = which;
  app.view.card_term = picture.number("term", 0);
  app.view.card_layer = picture.number("layer", -1);
  app.view.as_arcs = picture.number("arcs", 0) != 0;
  app.view.poke_armed = picture.number("armed", 0) != 0;
}

void save(const Picture& picture) {
  const int width = static_cast<int>(picture.width * picture.ratio);
  const int height = static_cast<int>(picture.height * picture.ratio);
  std::vector<unsigned char> pixels(static_cast<std::size_t>(width * height) * 3);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, pixels.data());
  std::FILE* file = std::fopen(picture.file.c_str(), "wb");
  if (file == nullptr) return;
  std::fprintf(file, "P6\n%d %d\n255\n", width, height);
  for (int row = height - 1; row >= 0; --row)
    std::fwrite(pixels.data() + static_cast<std::size_t>(row * width) * 3, 1,
                static_cast<std::size_t>(width) * 3, file);
  std::fclose(file);
}

bool read_picture(const std::string& line, Picture& picture) {
  char file[512], language[8], theme[8];
  int used = 0;
  if (std::sscanf(line.c_str(), "%511s %fx%f %f %7s %7s%n", file, &picture.width, &picture.height,
                  &picture.ratio, language, theme, &used) != 6)
    return false;
  picture.file = file;
  picture.preferences.language =
      std::string(language) == "zh" ? lessons::Language::zh : lessons::Language::en;
  picture.preferences.theme = std::string(theme) == "dark" ? lessons::Theme::dark : lessons::Theme::light;
  char name[64], value[256];
  for (const char* rest = line.c_str() + used;
       std::sscanf(rest, " %63[^= ]=%255s%n", name, value, &used) == 2; rest += used)
    picture.settings.emplace_back(name, value);
  return true;
}

void take(App& app, GLFWwindow* window, const platform::Application& application,
          const platform::Fonts& fonts, const Picture& picture) {
  set_up(app, picture);
  glfwSetWindowSize(window, static_cast<int>(picture.width * picture.ratio),
                    static_cast<int>(picture.height * picture.ratio));
  platform::FrameInput input;
  input.width = picture.width;
  input.height = picture.height;
  input.pixel_ratio = picture.ratio;
  input.touch = picture.number("touch", 0) != 0;
  int width = 0, height = 0;
  for (int tries = 0; tries < 100 && width != static_cast<int>(picture.width * picture.ratio); ++tries) {
    glfwPollEvents();
    glfwGetFramebufferSize(window, &width, &height);
  }
  float x = -100.0f, y = -100.0f;
  std::sscanf(picture.value("hover").c_str(), "%f,%f", &x, &y);
  const int tabs = picture.number("tab", 0);
  for (int i = 0; i < 4 + 2 * tabs; ++i) {
    ImGui::GetIO().AddMousePosEvent(x, y);
    if (i >= 4) ImGui::GetIO().AddKeyEvent(ImGuiKey_Tab, i % 2 == 0);
    input.now_s += 1.0;
    input.delta_s = 0.05f;
    platform::draw_frame(application, input, fonts);
    glfwSwapBuffers(window);
  }
  if (std::sscanf(picture.value("click").c_str(), "%f,%f", &x, &y) == 2) {
    std::string text = picture.value("type");
    const bool enter = text.ends_with("!");
    if (enter) text.pop_back();
    std::replace(text.begin(), text.end(), '_', ' ');
    ImGuiIO& io = ImGui::GetIO();
    for (int i = 0; i < 14; ++i) {
      io.AddMousePosEvent(x, y);
      if (i == 1 || i == 2) io.AddMouseButtonEvent(0, i == 1);
      if (i == 6) io.AddInputCharactersUTF8(text.c_str());
      if (enter && (i == 9 || i == 10)) io.AddKeyEvent(ImGuiKey_Enter, i == 9);
      input.now_s += 1.0;
      platform::draw_frame(application, input, fonts);
      glfwSwapBuffers(window);
    }
  }
  int then = 0;
  char parameter[64];
  if (std::sscanf(picture.value("then").c_str(), "%63[^:]:%d", parameter, &then) == 2) {
    app.motion = true;
    if (const auto status = app.session->set_parameter(parameter, then); !status.ok())
      std::fprintf(stderr, "%s\n", status.error().c_str());
    platform::draw_frame(application, input, fonts);
    input.now_s += std::atof(picture.value("after", "0.1").c_str());
  }
  platform::draw_frame(application, input, fonts);
  save(picture);
  std::printf("%s minimum height %.0f\n", picture.file.c_str(),
              static_cast<double>(app.result.minimum_height));
}

}  // namespace

int main() {
  auto glyphs = platform::GlyphSource::create();
  if (!glyphs.ok() || glfwInit() == GLFW_FALSE) return 1;
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_DECORATED, GLFW_FALSE);
  GLFWwindow* window = glfwCreateWindow(1280, 800, "screenshots", nullptr, nullptr);
  if (window == nullptr) return 1;
  glfwMakeContextCurrent(window);
  App app;
  const platform::Application application{&app, gpu_create, gpu_destroy, frame, background};
  const platform::Fonts fonts = platform::create_imgui(*glyphs.value());
  if (const auto status = platform::create_gpu(application); !status.ok()) {
    std::fprintf(stderr, "%s\n", status.error().c_str());
    return 1;
  }
  char line[1024];
  while (std::fgets(line, sizeof line, stdin) != nullptr) {
    Picture picture;
    if (read_picture(line, picture)) take(app, window, application, fonts, picture);
  }
  platform::destroy_gpu(application, false);
  platform::destroy_imgui();
  platform::GlyphSource::destroy(glyphs.value());
  glfwTerminate();
  return 0;
}
