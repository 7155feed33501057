// What both builds do with Dear ImGui and GL around a frame of the application.
#pragma once

#include "platform/application.h"
#include "platform/font_loader.h"

namespace attn::platform {

/// Times between frames for animations: always above zero (coarse timers repeat themselves, and ImGui stops
/// at 0) and at most 0.1 s, however long nothing was drawn.
class FrameClock {
 public:
  static constexpr float kShortest_s = 1.0f / 1000.0f;
  static constexpr float kLongest_s = 0.1f;

  float advance(double now_s);

 private:
  double last_s_ = 0.0;
  bool started_ = false;
};

/// How often a frame is due after the application asked with FrameOutput::next_frame_s or an event came in.
class FrameSchedule {
 public:
  /// ImGui learns in one frame what it shows in the next (what is hovered, how wide a text came out).
  static constexpr int kFramesAfterEvent = 2;

  void event() { frames_due_ = kFramesAfterEvent; }
  /// A frame was drawn at `now_s` and asks for the next in `next_frame_s`, as in FrameOutput.
  void drawn(double now_s, double next_frame_s);
  /// Seconds to wait from now: 0 when a frame is due, negative when none will be until an event.
  double wait_s(double now_s) const;

 private:
  int frames_due_ = kFramesAfterEvent;
  double next_at_s_ = -1.0;
};

/// ImGui's context with its fonts and without anything that it would keep in a file.
Fonts create_imgui(const GlyphSource& glyphs);
void destroy_imgui();

/// GL objects of ImGui and of the application. `create_gpu` can follow `destroy_gpu`.
core::Status create_gpu(const Application& application);
void destroy_gpu(const Application& application, bool context_lost);

/// ImGui takes one change of a key or button a frame: whether some are still waiting.
bool input_waiting();

/// One frame of the application into the current GL context. Fills the size, ratio and time of ImGui's io
/// itself.
FrameOutput draw_frame(const Application& application, const FrameInput& input, const Fonts& fonts);

}  // namespace attn::platform
