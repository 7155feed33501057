#include "platform/screen.h"

#include "support/catch.h"

using namespace attn::platform;

TEST_CASE("the time between frames is never zero and never a jump") {
  FrameClock clock;
  CHECK(clock.advance(100.0) == FrameClock::kShortest_s);
  CHECK(clock.advance(100.0) == FrameClock::kShortest_s);
  CHECK(clock.advance(99.0) == FrameClock::kShortest_s);
  CHECK(clock.advance(99.016) == Approx(0.016f).margin(1e-4));
  CHECK(clock.advance(5000.0) == FrameClock::kLongest_s);
}

TEST_CASE("an event is worth two frames and then nothing is due") {
  FrameSchedule schedule;
  schedule.drawn(0.0, -1.0);
  schedule.drawn(0.0, -1.0);
  CHECK(schedule.wait_s(1.0) < 0.0);
  schedule.event();
  CHECK(schedule.wait_s(1.0) == 0.0);
  schedule.drawn(1.0, -1.0);
  CHECK(schedule.wait_s(1.0) == 0.0);
  schedule.drawn(1.0, -1.0);
  CHECK(schedule.wait_s(1.0) < 0.0);
}

TEST_CASE("a frame asked for later is due then and not before") {
  FrameSchedule schedule;
  schedule.drawn(0.0, 1.6);
  schedule.drawn(0.0, 1.6);
  CHECK(schedule.wait_s(0.5) == Approx(1.1));
  CHECK(schedule.wait_s(2.0) == 0.0);
  schedule.drawn(2.0, 0.0);
  CHECK(schedule.wait_s(2.0) == 0.0);
  schedule.drawn(2.0, -1.0);
  CHECK(schedule.wait_s(2.0) < 0.0);
}

TEST_CASE("an event after the last frame of an animation still gets its two frames") {
  FrameSchedule schedule;
  schedule.drawn(0.0, 0.0);
  schedule.drawn(0.0, 0.0);
  schedule.event();
  schedule.drawn(0.1, -1.0);
  CHECK(schedule.wait_s(0.1) == 0.0);
}
