// The translator that ships with the project, as far as a session has to do with its file.
#include <utility>

#include "lessons/session.h"

namespace attn::lessons {

bool Session::lacks_translator(const Lesson& lesson, const ParameterValues& values) const {
  const bool needed = lesson.translator != nullptr && lesson.translator->needed(values);
  return needed && translator_ == nullptr && translator_file_.empty();
}

core::Status Session::find_translator(Inputs& inputs) {
  inputs.translator = nullptr;
  if (lesson_->translator == nullptr || !lesson_->translator->needed(inputs.values)) return core::ok_status();
  if (translator_ == nullptr) {
    if (translator_file_.empty())
      return refusal({"还没有翻译模型的权重文件", "the file with the translator's weights isn't here"});
    core::Result<std::shared_ptr<const training::Translator>> read =
        lesson_->translator->read(std::exchange(translator_file_, {}));
    if (!read.ok())
      return refusal({"翻译模型的权重文件读不了：$0", "the file with the translator's weights: $0"},
                     {RunText{said_in(read.failure(), Language::zh), read.error()}});
    translator_ = std::move(read).value();
  }
  inputs.translator = translator_;
  return core::ok_status();
}

void Session::wait_for(Wish wish) {
  waiting_ = std::move(wish);
  ++revision_;
}

core::Status Session::provide_translator(File file) {
  if (translator_ == nullptr) translator_file_ = std::move(file);
  if (!waiting_) return core::ok_status();
  Wish wish = *std::exchange(waiting_, {});
  ++revision_;
  return wish.lesson == lesson_ ? enter(std::move(wish.state), wish.keep_focus) : change_lesson(*wish.lesson);
}

void Session::give_up_translator() {
  if (!waiting_) return;
  waiting_.reset();
  ++revision_;
}

}  // namespace attn::lessons
