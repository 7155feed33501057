// A session that the C interface works on, for tests.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "api/session_api.h"
#include "support/sample_lesson.h"
#include "support/shipped_translator.h"

namespace attn::test {

/// A host of the sample, attached for as long as the test runs.
struct Attached {
  api::SessionHost host{lessons::Session::open(sample_lesson()).value()};
  Attached() { api::attach(&host); }
  ~Attached() { api::attach(nullptr); }
  Attached(const Attached&) = delete;
  Attached& operator=(const Attached&) = delete;
};

inline api::Code command(const std::string& text) {
  return static_cast<api::Code>(attn_command(text.c_str()));
}

inline api::Code provide(const std::vector<std::uint8_t>& file) {
  return static_cast<api::Code>(attn_provide(file.data(), static_cast<unsigned>(file.size())));
}

inline nlohmann::json state() { return nlohmann::json::parse(attn_state_json()); }

}  // namespace attn::test
