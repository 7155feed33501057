#include "api/session_api.h"

#include <algorithm>
#include <optional>

#include "api/command.h"
#include "api/state_json.h"
#include "core/utf8.h"

#ifdef __EMSCRIPTEN__
#include <emscripten.h>
#else
#define EMSCRIPTEN_KEEPALIVE
#endif

namespace attn::api {
namespace {

SessionHost* attached = nullptr;

constexpr std::size_t kNameLimit = 256;

// Bytes from `pointer` to the end of memory, or `wanted` where only the system knows that end.
std::uint64_t room_at(const void* pointer, std::uint64_t wanted) {
#ifdef __wasm__
  const std::uint64_t end = std::uint64_t{__builtin_wasm_memory_size(0)} * 65536;
  const std::uint64_t begin = reinterpret_cast<std::uintptr_t>(pointer);
  return begin >= end ? 0 : std::min(wanted, end - begin);
#else
  return pointer == nullptr ? 0 : wanted;
#endif
}

// The text at a pointer of JavaScript's; none when it isn't a string of at most `limit` bytes.
std::optional<std::string_view> text_at(const char* text, std::size_t limit) {
  if (text == nullptr) return std::nullopt;
  const std::uint64_t room = room_at(text, limit + 1);
  for (std::size_t length = 0; length < room; ++length)
    if (text[length] == '\0') return std::string_view(text, length);
  return std::nullopt;
}

bool is_writable(const int* numbers, std::uint64_t count) {
  const bool aligned = reinterpret_cast<std::uintptr_t>(numbers) % alignof(int) == 0;
  return numbers != nullptr && aligned && room_at(numbers, count * sizeof(int)) == count * sizeof(int);
}

int finish(Code code, core::Error error) {
  if (attached != nullptr) {
    error.message = core::well_formed(error.message);
    attached->last_error = std::move(error);
  }
  return static_cast<int>(code);
}

int finish(const core::Status& status) {
  return status.ok() ? finish(Code::ok, {}) : finish(Code::refused, status.failure());
}

// The tensor a caller asks for; an Error says which part of the question has no answer.
core::Result<core::TensorView> find_tensor(const SessionHost& host, std::string_view name, int which_pass) {
  if (which_pass != 0 && which_pass != 1)
    return core::error_at("tensor: pass %d is neither 0 (training) nor 1 (inference)", which_pass);
  core::Result<tape::Label> label = tape::parse_label(name);
  if (!label.ok()) return label.failure();
  const lessons::Run& run = host.session.run();
  if (which_pass == 1 && !run.twin.has_value())
    return core::error_at("tensor: this lesson has one pass, pass 0");
  const tape::Tape& tape = which_pass == 0 ? run.tape() : run.twin->inference.tape;
  const tape::Value value = tape.find(label.value());
  if (label.value().site == tape::Site::unnamed || !value.valid())
    return core::error_at("tensor: this pass has no '%s'", tape::to_string(label.value()).c_str());
  return tape.tensor(value);
}

}  // namespace

void attach(SessionHost* host) { attached = host; }

}  // namespace attn::api

using attn::api::attached;
using attn::api::Code;

extern "C" {

EMSCRIPTEN_KEEPALIVE int attn_open(const char* slug) {
  if (attached == nullptr) return static_cast<int>(Code::not_ready);
  const std::optional<std::string_view> name = attn::api::text_at(slug, attn::api::kNameLimit);
  if (!name) return attn::api::finish(Code::malformed, {"open: the slug is not a string, or too long"});
  return attn::api::finish(attached->session.change_lesson(*name));
}

EMSCRIPTEN_KEEPALIVE int attn_provide(const unsigned char* file, unsigned size) {
  if (attached == nullptr) return static_cast<int>(Code::not_ready);
  if (file == nullptr) {
    attached->session.give_up_translator();
    return attn::api::finish(Code::ok, {});
  }
  if (attn::api::room_at(file, size) != size)
    return attn::api::finish(Code::malformed, {"provide: the file reaches beyond memory"});
  return attn::api::finish(attached->session.provide_translator({file, file + size}));
}

EMSCRIPTEN_KEEPALIVE const char* attn_state_json() {
  if (attached == nullptr) return "null";
  attached->state_json = attn::api::state_json(*attached);
  return attached->state_json.c_str();
}

EMSCRIPTEN_KEEPALIVE int attn_command(const char* json_utf8) {
  if (attached == nullptr) return static_cast<int>(Code::not_ready);
  const std::optional<std::string_view> json = attn::api::text_at(json_utf8, attn::api::kCommandLimit);
  if (!json)
    return attn::api::finish(
        Code::malformed, attn::lessons::refusal({"写得太长了", "command: it is not a string, or too long"}));
  const attn::core::Result<attn::api::Command> command = attn::api::parse_command(*json);
  if (!command.ok()) return attn::api::finish(Code::malformed, command.failure());
  return attn::api::finish(attn::api::carry_out(*attached, command.value()));
}

EMSCRIPTEN_KEEPALIVE const char* attn_last_error() {
  return attached == nullptr ? "the playground has not started" : attached->last_error.message.c_str();
}

EMSCRIPTEN_KEEPALIVE const char* attn_last_refusal() {
  if (attached == nullptr) return "null";
  attached->last_refusal_json = attn::api::refusal_json(attached->last_error);
  return attached->last_refusal_json.c_str();
}

EMSCRIPTEN_KEEPALIVE unsigned attn_revision() {
  return attached == nullptr ? 0 : attn::api::current_revision(*attached);
}

EMSCRIPTEN_KEEPALIVE const float* attn_tensor(const char* label, int which_pass, int* shape4, int* rank) {
  if (attached == nullptr) return nullptr;
  const std::optional<std::string_view> name = attn::api::text_at(label, attn::api::kNameLimit);
  if (!name || !attn::api::is_writable(shape4, 4) || !attn::api::is_writable(rank, 1)) {
    attn::api::finish(Code::malformed,
                      {"tensor: a name, room for four extents and room for the rank are needed"});
    return nullptr;
  }
  const attn::core::Result<attn::core::TensorView> found =
      attn::api::find_tensor(*attached, *name, which_pass);
  if (!found.ok()) {
    attn::api::finish(Code::refused, found.failure());
    return nullptr;
  }
  attn::api::finish(Code::ok, {});
  const attn::core::Shape& shape = found.value().shape;
  for (int axis = 0; axis < 4; ++axis) shape4[axis] = axis < shape.rank() ? shape[axis] : 0;
  *rank = shape.rank();
  return found.value().values;
}
}
