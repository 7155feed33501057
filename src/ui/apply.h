// Carries intents out: on the session (which validates), on the preferences, on the view.
#pragma once

#include <string_view>

#include "lessons/preferences.h"
#include "lessons/session.h"
#include "ui/intent.h"
#include "ui/view_state.h"

namespace attn::ui {

/// `shown_theme` is the theme now on screen, which the theme button turns over. A refused intent leaves the
/// session as it was and its reason in `view.error`. Another lesson is not opened but noted in
/// `view.wanted_lesson`: a page may have to fetch it first.
void apply(const Intent& intent, lessons::Session& session, lessons::Preferences& preferences,
           ViewState& view, gfx::Theme shown_theme, double now_s);

/// Opens the lesson that the reader asked for.
void open_lesson(lessons::Session& session, ViewState& view, std::string_view slug);

/// "play" and "pause" from outside, which concern the view alone; false for any other verb.
bool view_command(std::string_view verb, lessons::Session& session, ViewState& view);

/// Next token while playing; stops at the last one, and when the lesson is at another step than it began at.
void advance_playing(lessons::Session& session, ViewState& view, double now_s);

/// Starts the motions that lead from the last frame's screen to this one.
void follow_session(const lessons::Session& session, ViewState& view, double now_s, bool reduced_motion);

}  // namespace attn::ui
