// What JavaScript may ask for, as one JSON object of at most kCommandLimit bytes:
//
//   {"set": "lang", "value": "zh" | "en"}
//   {"set": "theme", "value": "auto" | "light" | "dark"}
//   {"set": "reduced_motion", "value": true | false}
//   {"set": "one_lesson", "value": true | false}      true: nothing on the screen leads to another lesson
//   {"set": "step", "value": 0}                        from 0
//   {"set": "parameter", "name": "seed", "value": 3}   true and false stand for 1 and 0
//   {"set": "sentence", "value": "I like you"}         as the lesson's rule has it; "": its own again
//   {"set": "focus", "value": {"tensor": "decoder.0.self_attention.weights", "head": 0, "row": 2, "column":
//   1}}
//                                                      head is 0, row and column none (-1) when absent
//   {"set": "cell", "value": {"tensor": "encoder.embedding", "row": 2, "column": 1, "bits": 1056964608}}
//                                                      a cell of the reader's (`editable` of the state); bits
//                                                      are the float's, so that none is lost on the way
//   {"do": "step_forward" | "step_back" | "undo" | "redo" | "reset" | "clear_cell"}
//                                                      where there is nothing to do, nothing happens
//   {"do": …}                                          anything else goes to SessionHost::view_command
//
// A key nobody knows, one that is given twice and one that doesn't belong are errors, so that a slip is
// noticed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/session_host.h"

namespace attn::api {

inline constexpr std::size_t kCommandLimit = 4096;

struct FocusRequest {
  std::string tensor;
  std::int64_t head = 0;
  std::int64_t row = -1;
  std::int64_t column = -1;
  std::optional<std::int64_t> bits = {};  // of a number for the cell
};

struct Command {
  std::optional<std::string> set;
  std::optional<std::string> verb;  // "do"
  std::optional<std::string> name;
  // "value"; one of these at most
  std::optional<std::string> text;
  std::optional<std::int64_t> number;
  std::optional<bool> truth;
  std::optional<FocusRequest> focus;
};

/// Errors name the byte of what can't be read.
core::Result<Command> parse_command(std::string_view json);

/// An error leaves the host as it was.
core::Status carry_out(SessionHost& host, const Command& command);

}  // namespace attn::api
