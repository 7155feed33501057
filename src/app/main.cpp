// The only root: opens the lesson, owns everything that lives as long as the program, and connects the
// platform to the UI. Natively `attention_playground [--lang zh|en] [--theme light|dark] [--lesson slug]
// [--step N] [--models FOLDER]`, by itself `models` beside the program or here; a
// page names the lesson, and the element sets the rest through the C interface of src/api.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include "api/session_api.h"
#include "gfx/heatmap.h"
#include "lessons/registry.h"
#include "platform/application.h"
#include "ui/app_view.h"
#include "ui/apply.h"
#include "ui/sentence_field.h"

namespace {

using namespace attn;

constexpr char kFirstLesson[] = "mask-equivalence";

/// Everything with the life of the program.
struct Root {
  api::SessionHost host;
  ui::ViewState view = {};
  gfx::Theme theme = gfx::Theme::light;  // of the last frame
  std::unique_ptr<gfx::Renderer> renderer = {};
  std::vector<std::string> folders = {};  // where weights may be
};

core::Status create_renderer(void* user) {
  core::Result<std::unique_ptr<gfx::Renderer>> renderer = gfx::Renderer::create();
  if (!renderer.ok()) return renderer.failure();
  static_cast<Root*>(user)->renderer = std::move(renderer).value();
  return core::ok_status();
}

void destroy_renderer(void* user, bool) { static_cast<Root*>(user)->renderer.reset(); }

ui::FrameInput ui_input(const platform::FrameInput& input, const platform::Fonts& fonts,
                        gfx::Renderer* renderer) {
  return {.width = input.width,
          .height = input.height,
          .now_s = input.now_s,
          .keyboard_focus = input.keyboard_focus,
          .focus_entry = static_cast<ui::Entry>(input.focus_entry),
          .touch = input.touch,
          .reduced_motion = input.reduced_motion,
          .dark = input.prefers_dark,
          .page_narration = input.page_narration,
          .was_hidden = input.was_hidden,
          .typed = static_cast<ui::Typed>(input.typed),
          .typed_number = input.typed_number,
          .word = lessons::topic_of(input.word),
          .fonts = {{fonts.ui400, fonts.ui500, fonts.ui600, fonts.mono400, fonts.mono500, fonts.mono600}},
          .renderer = renderer};
}

core::Result<lessons::Session::File> read_translator(std::span<const std::string> folders) {
  return platform::read_file(folders, std::strrchr(lessons::kTranslatorFile, '/') + 1);
}

/// Natively the file that the session waits for is read at once; a page fetches it. Returns whether it did.
bool provide_weights(Root& root) {
#ifdef __EMSCRIPTEN__
  static_cast<void>(root);
  return false;
#else
  lessons::Session& session = root.host.session;
  if (!session.awaits_translator()) return false;
  auto file = read_translator(root.folders);
  core::Status done = file.ok() ? session.provide_translator(std::move(file).value()) : file.failure();
  session.give_up_translator();
  if (!done.ok()) root.view.error = done.failure();
  return true;
#endif
}

static_assert(static_cast<int>(ui::Entry::backward) == static_cast<int>(platform::FocusEntry::backward));
static_assert(static_cast<int>(ui::NarrationLayout::brief) ==
              static_cast<int>(platform::NarrationLayout::brief));
static_assert(static_cast<int>(ui::PointerShape::text) == static_cast<int>(platform::Cursor::text));

platform::Rect rect_of(const ui::Rect& rect) { return {rect.x, rect.y, rect.width, rect.height}; }

platform::FrameOutput draw(void* user, const platform::FrameInput& input, const platform::Fonts& fonts) {
  Root& root = *static_cast<Root*>(user);
  root.renderer->begin_frame({input.width, input.height, input.pixel_ratio});
  const ui::FrameResult result = ui::draw_frame(root.host.session, root.host.preferences, root.view,
                                                ui_input(input, fonts, root.renderer.get()));
  root.theme = result.theme;
  const bool open_now = result.wanted_lesson != nullptr && !platform::page_opens(result.wanted_lesson);
  if (open_now) ui::open_lesson(root.host.session, root.view, result.wanted_lesson);
  const bool provided = provide_weights(root);
  std::vector<platform::Rect> holds;
  for (const ui::Rect& hold : result.holds) holds.push_back(rect_of(hold));
  return {.next_frame_s = open_now || provided ? 0.0 : result.next_frame_s,
          .narration = static_cast<platform::NarrationLayout>(result.narration),
          .narration_veiled = result.narration_veiled,
          .narration_rect = rect_of(result.narration_rect),
          .key_used = result.key_used,
          .cursor = static_cast<platform::Cursor>(result.pointer),
          .minimum_height = result.minimum_height,
          .state_revision = api::current_revision(root.host),
          .by_itself = result.played,
          .field = static_cast<int>(result.field.kind),
          .field_rect = rect_of(result.field.rect),
          .field_number = result.field.number,
          .holds = std::move(holds),
          .lit_words = lessons::code_of(result.lit_words)};
}

std::uint32_t background(void* user) { return ui::background_of(static_cast<Root*>(user)->theme); }

/// Commands of the page that concern the view alone.
bool view_command(void* user, std::string_view verb) {
  Root& root = *static_cast<Root*>(user);
  return ui::view_command(verb, root.host.session, root.view);
}

lessons::Language language_of_system() {
  const char* language = std::getenv("LC_ALL");
  if (language == nullptr || *language == '\0') language = std::getenv("LANG");
  return language != nullptr && std::strncmp(language, "zh", 2) == 0 ? lessons::Language::zh
                                                                     : lessons::Language::en;
}

/// `--name value` pairs; the first one that isn't understood is the error.
core::Status read_options(Root& root, int count, char** arguments) {
  for (int i = 1; i < count; i += 2) {
    const std::string_view name = arguments[i];
    const std::string_view value = i + 1 < count ? arguments[i + 1] : "";
    core::Status status = core::ok_status();
    if (name == "--lang" && (value == "zh" || value == "en")) {
      root.host.preferences.language = value == "zh" ? lessons::Language::zh : lessons::Language::en;
    } else if (name == "--theme" && (value == "light" || value == "dark")) {
      root.host.preferences.theme = value == "dark" ? lessons::Theme::dark : lessons::Theme::light;
    } else if (name == "--lesson" || name == "--models") {
      continue;  // opened with them
    } else if (name == "--step") {
      status = root.host.session.go_to_step(std::atoi(value.data()) - 1);
    } else {
      return core::error_at(
          "can't read '%s %s': [--lang zh|en] [--theme light|dark] [--lesson slug] [--step N] [--models "
          "FOLDER]",
          arguments[i], i + 1 < count ? arguments[i + 1] : "");
    }
    if (!status.ok()) return status;
  }
  return core::ok_status();
}

/// The last value of an option that is needed before anything is computed.
std::string_view option_of(int count, char** arguments, const char* name, std::string_view otherwise) {
  for (int i = 1; i + 1 < count; i += 2)
    if (std::strcmp(arguments[i], name) == 0) otherwise = arguments[i + 1];
  return otherwise;
}

/// Where weights may be: the folder named, else `models` beside the program and here.
std::vector<std::string> folders_of(int count, char** arguments) {
  const std::string_view named = option_of(count, arguments, "--models", "");
  if (!named.empty()) return {std::string(named)};
  const std::string_view program = count > 0 ? arguments[0] : "";
  const std::size_t slash = program.rfind('/');
  return {std::string(program.substr(0, slash == std::string_view::npos ? 0 : slash + 1)) + "models",
          "models"};
}

/// The weights that a lesson begins with, if they can be had: opening it says what is missing.
lessons::Session::File weights_of(std::string_view slug, std::span<const std::string> folders) {
  const lessons::Lesson* lesson = lessons::find_lesson(slug);
  if (lesson == nullptr || lesson->translator == nullptr ||
      !lesson->translator->needed(lessons::initial_values(*lesson)))
    return {};
  auto file = read_translator(folders);
  return file.ok() ? std::move(file).value() : lessons::Session::File{};
}

int fail(const std::string& message) {
  std::fprintf(stderr, "attention_playground: %s\n", message.c_str());
  return 1;
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> folders = folders_of(count, arguments);
  const std::string_view lesson = option_of(count, arguments, "--lesson", kFirstLesson);
  core::Result<lessons::Session> session = lessons::Session::open(lesson, weights_of(lesson, folders));
  if (!session.ok()) return fail(session.error());
  // In a page the program goes on after main returns, so the root is never freed there.
  auto root = std::make_unique<Root>(
      Root{.host = {.session = std::move(session).value()}, .folders = std::move(folders)});
  root->host.preferences.language = language_of_system();
  root->host.view_command = view_command;
  root->host.user = root.get();
#ifndef __EMSCRIPTEN__
  root->view.sentence_field = &ui::kSentenceField;
#endif
  const core::Status options = read_options(*root, count, arguments);
  if (!options.ok()) return fail(options.error());
  api::attach(&root->host);

  const platform::Application application{.user = root.get(),
                                          .gpu_create = create_renderer,
                                          .gpu_destroy = destroy_renderer,
                                          .frame = draw,
                                          .background = background};
  const core::Status ended = platform::run({}, application);
  if (!ended.ok()) return fail(ended.error());
#ifdef __EMSCRIPTEN__
  root.release();
#else
  api::attach(nullptr);
#endif
  return 0;
}
