#include "support/shipped_translator.h"

#include "support/catch.h"
#include "support/fixtures.h"

namespace attn::test {

const lessons::Session::File& translator_file() {
  static const lessons::Session::File kFile =
      read_bytes(std::string(ATTN_SOURCE_DIR "/") + lessons::kTranslatorFile);
  return kFile;
}

std::shared_ptr<const training::Translator> shipped_translator() {
  static const auto kTranslator =
      std::make_shared<const training::Translator>(training::read_translator(translator_file()).value());
  return kTranslator;
}

lessons::Session open_session(const lessons::Lesson& lesson) {
  const bool needed = lesson.translator != nullptr;
  core::Result<lessons::Session> session =
      lessons::Session::open(lesson, needed ? translator_file() : lessons::Session::File{});
  REQUIRE(session.ok());
  return std::move(session).value();
}

lessons::Inputs inputs_of(const lessons::Lesson& lesson, lessons::ParameterValues values) {
  const bool needed = lesson.translator != nullptr && lesson.translator->needed(values);
  return {.values = std::move(values), .translator = needed ? shipped_translator() : nullptr};
}

}  // namespace attn::test
