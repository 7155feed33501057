#include "api/command.h"

#include <climits>

#include "api/state_json.h"
#include "core/bits.h"
#include "io/json_scanner.h"

namespace attn::api {
namespace {

using io::JsonScanner;
using io::quoted;

bool read_new_text(JsonScanner& scanner, std::optional<std::string>& text) {
  if (text) return scanner.fail("a key that was given before");
  return scanner.read_string(text.emplace());
}

bool read_focus(JsonScanner& scanner, FocusRequest& focus) {
  std::optional<std::string> tensor;
  std::optional<std::int64_t> head, row, column, bits;
  if (!scanner.expect('{')) return false;
  if (!scanner.accept('}')) {
    do {
      std::string key;
      if (!scanner.read_string(key) || !scanner.expect(':')) return false;
      if (key == "tensor") {
        if (!read_new_text(scanner, tensor)) return false;
        continue;
      }
      std::optional<std::int64_t>* number = key == "head"     ? &head
                                            : key == "row"    ? &row
                                            : key == "column" ? &column
                                            : key == "bits"   ? &bits
                                                              : nullptr;
      if (number == nullptr)
        return scanner.fail("a focus has tensor, head, row and column, a cell also bits, nothing else");
      if (*number) return scanner.fail("a key that was given before");
      if (!scanner.read_signed(number->emplace())) return false;
    } while (scanner.accept(','));
    if (!scanner.expect('}')) return false;
  }
  if (!tensor) return scanner.fail("a focus without a tensor");
  focus = {std::move(*tensor), head.value_or(0), row.value_or(-1), column.value_or(-1), bits};
  return true;
}

bool read_value(JsonScanner& scanner, Command& command) {
  if (command.text || command.number || command.truth || command.focus)
    return scanner.fail("a key that was given before");
  switch (scanner.next()) {
    case '"':
      return scanner.read_string(command.text.emplace());
    case '{':
      return read_focus(scanner, command.focus.emplace());
    case 't':
    case 'f':
      command.truth = scanner.accept_word("true");
      return *command.truth || scanner.accept_word("false") || scanner.fail("expected a value");
    default:
      return scanner.read_signed(command.number.emplace());
  }
}

bool read_member(JsonScanner& scanner, Command& command) {
  std::string key;
  if (!scanner.read_string(key) || !scanner.expect(':')) return false;
  if (key == "set") return read_new_text(scanner, command.set);
  if (key == "do") return read_new_text(scanner, command.verb);
  if (key == "name") return read_new_text(scanner, command.name);
  if (key == "value") return read_value(scanner, command);
  return scanner.fail("a command has set or do, name and value, nothing else");
}

core::Error wrong_value(std::string_view set, const char* wanted) {
  return core::error_at("command set %s: the value must be %s", quoted(set).c_str(), wanted);
}

bool fits_int(std::int64_t number) { return number >= INT_MIN && number <= INT_MAX; }

template <class Choice>
core::Status set_named(const Command& command, Choice& target, std::initializer_list<Choice> choices,
                       const char* wanted) {
  for (const Choice choice : choices) {
    if (command.text && name_of(choice) == *command.text) {
      target = choice;
      return core::ok_status();
    }
  }
  return wrong_value(*command.set, wanted);
}

/// "focus" looks at a tensor or a cell of it, "cell" puts a number there.
core::Status set_focus(SessionHost& host, const Command& command, bool number) {
  if (!command.focus) return wrong_value(*command.set, "an object with a tensor");
  const FocusRequest& request = *command.focus;
  core::Result<tape::Label> label = tape::parse_label(request.tensor);
  if (!label.ok()) return label.failure();
  for (const std::int64_t one : {request.head, request.row, request.column})
    if (!fits_int(one)) return wrong_value(*command.set, "an object of small integers");
  const lessons::Focus focus{label.value(), static_cast<int>(request.head), static_cast<int>(request.row),
                             static_cast<int>(request.column)};
  if (number != request.bits.has_value())
    return wrong_value(*command.set, number ? "an object with bits" : "an object without bits");
  if (!number) return host.session.focus_on(focus);
  if (*request.bits < 0 || *request.bits > UINT32_MAX)
    return wrong_value(*command.set, "an object with 32 bits");
  return host.session.edit_cell(focus, core::float_of(static_cast<std::uint32_t>(*request.bits)));
}

core::Status set_parameter(SessionHost& host, const Command& command) {
  if (!command.name) return core::error_at("command set 'parameter': which one? It has no name");
  if (command.truth) return host.session.set_parameter(*command.name, *command.truth ? 1 : 0);
  if (!command.number || !fits_int(*command.number)) return wrong_value(*command.set, "a small integer");
  return host.session.set_parameter(*command.name, static_cast<int>(*command.number));
}

core::Status carry_out_set(SessionHost& host, const Command& command) {
  using lessons::Language;
  using lessons::Theme;
  const std::string& what = *command.set;
  if (command.name && what != "parameter")
    return core::error_at("command set %s takes no name", quoted(what).c_str());
  if (what == "lang")
    return set_named(command, host.preferences.language, {Language::zh, Language::en}, "\"zh\" or \"en\"");
  if (what == "theme") {
    return set_named(command, host.preferences.theme, {Theme::automatic, Theme::light, Theme::dark},
                     "\"auto\", \"light\" or \"dark\"");
  }
  if (what == "reduced_motion" || what == "one_lesson") {
    if (!command.truth) return wrong_value(what, "true or false");
    (what == "one_lesson" ? host.preferences.one_lesson : host.preferences.reduced_motion) = *command.truth;
    return core::ok_status();
  }
  if (what == "step") {
    if (!command.number || !fits_int(*command.number)) return wrong_value(what, "a small integer");
    return host.session.go_to_step(static_cast<int>(*command.number));
  }
  if (what == "parameter") return set_parameter(host, command);
  if (what == "sentence") {
    if (!command.text) return wrong_value(what, "a text");
    return host.session.set_sentence(*command.text);
  }
  if (what == "focus" || what == "cell") return set_focus(host, command, what == "cell");
  return core::error_at("command: nobody knows how to set %s", quoted(what).c_str());
}

core::Status carry_out_verb(SessionHost& host, const std::string& verb) {
  lessons::Session& session = host.session;
  if (verb == "step_forward") {
    session.step_by(1);
  } else if (verb == "step_back") {
    session.step_by(-1);
  } else if (verb == "undo") {
    session.undo();
  } else if (verb == "redo") {
    session.redo();
  } else if (verb == "reset") {
    session.reset();
  } else if (verb == "clear_cell") {
    session.clear_cell();
  } else if (host.view_command == nullptr || !host.view_command(host.user, verb)) {
    return core::error_at("command: nobody knows how to do %s", quoted(verb).c_str());
  }
  return core::ok_status();
}

}  // namespace

core::Result<Command> parse_command(std::string_view json) {
  if (json.size() > kCommandLimit)
    return core::error_at("command: %zu bytes, at most %zu are read", json.size(), kCommandLimit);
  JsonScanner scanner({reinterpret_cast<const std::uint8_t*>(json.data()), json.size()}, 0);
  Command command;
  if (scanner.expect('{') && !scanner.accept('}')) {
    while (read_member(scanner, command) && scanner.accept(',')) continue;
    scanner.expect('}');
  }
  scanner.expect_end();
  if (scanner.failed()) return core::error_at("command: %s", scanner.error().c_str());
  if (command.set.has_value() == command.verb.has_value())
    return core::error_at("command: it needs either a key 'set' or a key 'do'");
  return command;
}

core::Status carry_out(SessionHost& host, const Command& command) {
  if (command.set) return carry_out_set(host, command);
  if (command.name || command.text || command.number || command.truth || command.focus) {
    return core::error_at("command do %s takes no name and no value", quoted(*command.verb).c_str());
  }
  return carry_out_verb(host, *command.verb);
}

}  // namespace attn::api
