// Errors a caller can cause, as values. Borders (files, URLs, the C ABI, lesson parameters) return
// `Result<T>`; our own mistakes are caught by core/check.h instead.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace attn::core {

/// What went wrong and where, in words a user can act on ("tensor 'x': offset 12 lies beyond the data").
struct Error {
  std::string message;                        // English
  std::string chinese = {};                   // where a reader may come to see it (lessons::refusal)
  std::vector<std::string> suggestions = {};  // of a text a reader wrote: whole texts to write instead
};

/// Either a value or an Error. Ask `ok()` before `value()`; `error()` is meaningful only when not ok.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::move(value)) {}
  Result(Error error) : content_(std::move(error)) {}

  bool ok() const { return std::holds_alternative<T>(content_); }
  explicit operator bool() const { return ok(); }

  T& value() & { return *std::get_if<T>(&content_); }
  const T& value() const& { return *std::get_if<T>(&content_); }
  T&& value() && { return std::move(*std::get_if<T>(&content_)); }
  const std::string& error() const { return failure().message; }
  const Error& failure() const { return *std::get_if<Error>(&content_); }  // to pass it on

 private:
  std::variant<T, Error> content_;
};

/// The result of something that only succeeds or fails.
using Status = Result<std::monostate>;
inline Status ok_status() { return std::monostate{}; }

/// `printf`-style constructor of an Error; the message is cut at 1,000 bytes.
[[gnu::format(printf, 1, 2)]] Error error_at(const char* format, ...);

}  // namespace attn::core
