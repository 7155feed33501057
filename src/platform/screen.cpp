#include "platform/screen.h"

#include <algorithm>
#include <cmath>

#include "imgui.h"
#include "imgui_impl_opengl3.h"
#include "imgui_internal.h"
#include "platform/glyph_snap.h"

#if defined(__EMSCRIPTEN__)
#include <GLES3/gl3.h>
#elif defined(__APPLE__)
#include <OpenGL/gl3.h>
#else
#include <GL/gl.h>
#endif

namespace attn::platform {

float FrameClock::advance(double now_s) {
  const double elapsed = started_ ? now_s - last_s_ : static_cast<double>(kShortest_s);
  started_ = true;
  last_s_ = now_s;
  return std::clamp(static_cast<float>(elapsed), kShortest_s, kLongest_s);
}

void FrameSchedule::drawn(double now_s, double next_frame_s) {
  frames_due_ = std::max(frames_due_ - 1, 0);
  next_at_s_ = next_frame_s < 0.0 ? -1.0 : now_s + next_frame_s;
}

double FrameSchedule::wait_s(double now_s) const {
  if (frames_due_ > 0) return 0.0;
  return next_at_s_ < 0.0 ? -1.0 : std::max(next_at_s_ - now_s, 0.0);
}

Fonts create_imgui(const GlyphSource& glyphs) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  // A first screen of text fills about this much; a smaller atlas is repacked several times on the way.
  io.Fonts->TexMinWidth = 1024;
  io.Fonts->TexMinHeight = 256;
  const Fonts fonts = add_fonts(glyphs);
  io.FontDefault = fonts.ui400;
  return fonts;
}

void destroy_imgui() { ImGui::DestroyContext(); }

core::Status create_gpu(const Application& application) {
#ifdef __EMSCRIPTEN__
  const bool created = ImGui_ImplOpenGL3_Init("#version 300 es");
#else
  const bool created = ImGui_ImplOpenGL3_Init("#version 330 core");
#endif
  if (!created) return core::error_at("Dear ImGui could not start its OpenGL renderer");
  return application.gpu_create(application.user);
}

void destroy_gpu(const Application& application, bool context_lost) {
  application.gpu_destroy(application.user, context_lost);
  ImGui_ImplOpenGL3_Shutdown();
}

bool input_waiting() { return ImGui::GetCurrentContext()->InputEventsQueue.Size > 0; }

FrameOutput draw_frame(const Application& application, const FrameInput& input, const Fonts& fonts) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {input.width, input.height};
  io.DisplayFramebufferScale = {input.pixel_ratio, input.pixel_ratio};
  io.DeltaTime = input.delta_s;
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
  // PushFont() does this for the pushed font alone; text drawn straight into a draw list needs it as well.
  for (ImFont* font : io.Fonts->Fonts) font->CurrentRasterizerDensity = input.pixel_ratio;
  const FrameOutput output = application.frame(application.user, input, fonts);
  ImGui::Render();
  snap_glyphs(*ImGui::GetDrawData(), input.pixel_ratio);

  const std::uint32_t background = application.background(application.user);
  const auto channel = [background](int shift) {
    return static_cast<float>((background >> shift) & 255u) / 255.0f;
  };
  glViewport(0, 0, static_cast<int>(std::lround(input.width * input.pixel_ratio)),
             static_cast<int>(std::lround(input.height * input.pixel_ratio)));
  glDisable(GL_SCISSOR_TEST);
  glClearColor(channel(16), channel(8), channel(0), 1.0f);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  return output;
}

}  // namespace attn::platform
