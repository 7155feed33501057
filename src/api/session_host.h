// The one object that the interface for JavaScript, the UI and the window share: what a reader has open and
// prefers. app/main.cpp owns it and attaches it to the C interface.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lessons/preferences.h"
#include "lessons/session.h"

namespace attn::api {

struct SessionHost {
  lessons::Session session;
  lessons::Preferences preferences = {};

  /// Commands that concern the view alone (play, pause): returns whether it knows `verb`. Optional.
  bool (*view_command)(void* user, std::string_view verb) = nullptr;
  void* user = nullptr;

  // The interface's own; everybody else leaves these alone.
  std::string state_json = {};  // what attn_state_json returned last
  core::Error last_error = {};
  std::string last_refusal_json = {};
  std::uint32_t revision = 1;
  std::uint32_t session_revision_seen = 0;
  lessons::Preferences preferences_seen = {};
};

/// Grows whenever the session or the preferences have changed since the last call, whoever changed them.
std::uint32_t current_revision(SessionHost& host);

}  // namespace attn::api
