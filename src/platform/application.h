// The window, the GL context, ImGui's context and fonts, and the loop: `platform/native/` on a desktop,
// `platform/web/` in a page, chosen at link time. Both use GLFW for window and context.
//
// Calls to the application, in order: gpu_create (again after a lost context), frame …, gpu_destroy.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "platform/frame.h"

namespace attn::platform {

struct Application {
  void* user = nullptr;
  /// A GL context is current and new: make the GL objects.
  core::Status (*gpu_create)(void* user) = nullptr;
  /// The GL objects are to go. `context_lost`: they are gone already, only forget them.
  void (*gpu_destroy)(void* user, bool context_lost) = nullptr;
  /// Between ImGui::NewFrame() and ImGui::Render().
  FrameOutput (*frame)(void* user, const FrameInput& input, const Fonts& fonts) = nullptr;
  /// RGB of the cleared background, 0xRRGGBB.
  std::uint32_t (*background)(void* user) = nullptr;
};

struct WindowOptions {
  const char* title = "Attention Playground";
  int width = 1280;
  int height = 800;
};

/// Asks the page to open a lesson, which it does by attn_open once it has fetched what the lesson needs.
/// false: there is no page, everything is here.
bool page_opens(const char* lesson);

/// A file of weights. Natively it is read from the first of `folders` that has it; in a page it is the one
/// that was fetched before the program started, empty if none was.
core::Result<std::vector<std::uint8_t>> read_file(std::span<const std::string> folders, const char* name);

/// Natively: opens the window and returns when it is closed. On the web: sets up the canvas and returns at
/// once; frames come from the page, so `application.user` must live as long as the module.
core::Status run(const WindowOptions& options, const Application& application);

}  // namespace attn::platform
