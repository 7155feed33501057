// The desktop window: GLFW's events through ImGui's GLFW backend, a loop that sleeps until something happens.
#include <GLFW/glfw3.h>

#include "imgui.h"
#include "imgui_impl_glfw.h"
#include "platform/screen.h"

namespace attn::platform {
namespace {

/// Set as the window's user pointer, so that GLFW's callbacks reach it.
struct Desktop {
  GLFWwindow* window = nullptr;
  Application application;
  Fonts fonts;
  FrameClock clock;
  FrameSchedule schedule;
  Cursor cursor = Cursor::arrow;
};

void note_event(GLFWwindow* window) {
  static_cast<Desktop*>(glfwGetWindowUserPointer(window))->schedule.event();
}

/// ImGui's backend calls these after it has taken the event itself (it chains to callbacks installed before
/// it).
void watch_events(GLFWwindow* window) {
  glfwSetCursorPosCallback(window, [](GLFWwindow* w, double, double) { note_event(w); });
  glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int) { note_event(w); });
  glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int, int, int) { note_event(w); });
  glfwSetScrollCallback(window, [](GLFWwindow* w, double, double) { note_event(w); });
  glfwSetKeyCallback(window, [](GLFWwindow* w, int, int, int, int) { note_event(w); });
  glfwSetCharCallback(window, [](GLFWwindow* w, unsigned) { note_event(w); });
  glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int) { note_event(w); });
  glfwSetWindowContentScaleCallback(window, [](GLFWwindow* w, float, float) { note_event(w); });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { note_event(w); });
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { note_event(w); });
}

core::Result<GLFWwindow*> open_window(const WindowOptions& options) {
  if (glfwInit() == GLFW_FALSE) {
    const char* reason = nullptr;
    glfwGetError(&reason);
    return core::error_at("no window system: %s", reason != nullptr ? reason : "GLFW could not start");
  }
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  GLFWwindow* window = glfwCreateWindow(options.width, options.height, options.title, nullptr, nullptr);
  if (window == nullptr) {
    const char* reason = nullptr;
    glfwGetError(&reason);
    const core::Error error =
        core::error_at("no OpenGL 3.3 window: %s", reason != nullptr ? reason : "unknown");
    glfwTerminate();
    return error;
  }
  glfwMakeContextCurrent(window);
  glfwSwapInterval(1);
  return window;
}

/// A UI pixel is the monitor's scale in device pixels. Systems that scale windows themselves (macOS, Wayland)
/// report a framebuffer larger than the window, the others a larger window.
FrameInput read_window(Desktop& desktop) {
  int width = 0, height = 0;
  glfwGetFramebufferSize(desktop.window, &width, &height);
  float scale_x = 1.0f, scale_y = 1.0f;
  glfwGetWindowContentScale(desktop.window, &scale_x, &scale_y);
  FrameInput input;
  input.pixel_ratio = scale_x > 0.0f ? scale_x : 1.0f;
  input.width = static_cast<float>(width) / input.pixel_ratio;
  input.height = static_cast<float>(height) / input.pixel_ratio;
  input.now_s = glfwGetTime();
  input.delta_s = desktop.clock.advance(input.now_s);
  input.keyboard_focus = glfwGetWindowAttrib(desktop.window, GLFW_FOCUSED) != 0;
  return input;
}

/// ImGui's backend reports the pointer in window coordinates; the UI works in UI pixels.
void place_pointer(const Desktop& desktop, const FrameInput& input) {
  double x = 0.0, y = 0.0;
  int width = 0, height = 0;
  glfwGetCursorPos(desktop.window, &x, &y);
  glfwGetWindowSize(desktop.window, &width, &height);
  const bool inside = glfwGetWindowAttrib(desktop.window, GLFW_HOVERED) != 0;
  if (width <= 0 || height <= 0 || !inside) return;
  ImGui::GetIO().AddMousePosEvent(static_cast<float>(x) * input.width / static_cast<float>(width),
                                  static_cast<float>(y) * input.height / static_cast<float>(height));
}

void show_cursor(const Cursor cursor) {
  switch (cursor) {
    case Cursor::arrow:
      ImGui::SetMouseCursor(ImGuiMouseCursor_Arrow);
      return;
    case Cursor::pointer:
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      return;
    case Cursor::text:
      ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
      return;
    case Cursor::grab:
      ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
      return;
  }
}

void loop(Desktop& desktop) {
  while (glfwWindowShouldClose(desktop.window) == GLFW_FALSE) {
    const double wait = desktop.schedule.wait_s(glfwGetTime());
    if (wait < 0.0) {
      glfwWaitEvents();
    } else if (wait > 0.0) {
      glfwWaitEventsTimeout(wait);
    } else {
      glfwPollEvents();
    }
    if (desktop.schedule.wait_s(glfwGetTime()) != 0.0) continue;
    ImGui_ImplGlfw_NewFrame();
    const FrameInput input = read_window(desktop);
    place_pointer(desktop, input);
    show_cursor(desktop.cursor);
    if (input.width < 1.0f || input.height < 1.0f) {  // minimised
      desktop.schedule.drawn(input.now_s, -1.0);
      continue;
    }
    const FrameOutput output = draw_frame(desktop.application, input, desktop.fonts);
    desktop.cursor = output.cursor;
    glfwSwapBuffers(desktop.window);
    desktop.schedule.drawn(input.now_s, output.next_frame_s);
    if (input_waiting()) desktop.schedule.event();
  }
}

}  // namespace

bool page_opens(const char*) { return false; }

core::Result<std::vector<std::uint8_t>> read_file(std::span<const std::string> folders, const char* name) {
  for (const std::string& folder : folders) {
    std::FILE* file = std::fopen((folder + "/" + name).c_str(), "rb");
    if (file == nullptr) continue;
    std::vector<std::uint8_t> bytes;
    std::uint8_t part[65536];
    for (std::size_t count; (count = std::fread(part, 1, sizeof part, file)) > 0;)
      bytes.insert(bytes.end(), part, part + count);
    const bool whole = std::ferror(file) == 0;
    std::fclose(file);
    if (whole) return bytes;
  }
  std::string tried;
  for (const std::string& folder : folders) tried += " " + folder + "/" + name;
  return core::error_at("can't read any of%s", tried.c_str());
}

core::Status run(const WindowOptions& options, const Application& application) {
  const core::Result<GlyphSource*> glyphs = GlyphSource::create();
  if (!glyphs.ok()) return core::Error{glyphs.error()};
  const core::Result<GLFWwindow*> window = open_window(options);
  if (!window.ok()) {
    GlyphSource::destroy(glyphs.value());
    return core::Error{window.error()};
  }
  Desktop desktop;
  desktop.window = window.value();
  desktop.application = application;
  desktop.fonts = create_imgui(*glyphs.value());
  glfwSetWindowUserPointer(desktop.window, &desktop);
  watch_events(desktop.window);
  ImGui_ImplGlfw_InitForOpenGL(desktop.window, true);

  const core::Status created = create_gpu(application);
  if (created.ok()) {
    loop(desktop);
    destroy_gpu(application, false);
  }
  ImGui_ImplGlfw_Shutdown();
  destroy_imgui();
  glfwTerminate();
  GlyphSource::destroy(glyphs.value());
  return created;
}

}  // namespace attn::platform
