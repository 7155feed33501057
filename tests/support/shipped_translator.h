// The translator that ships with the project, for tests of lessons that need it; the others get nothing of
// it.
#pragma once

#include "lessons/session.h"
#include "training/translator.h"

namespace attn::test {

/// All bytes of models/translator.safetensors, read once.
const lessons::Session::File& translator_file();

std::shared_ptr<const training::Translator> shipped_translator();

/// A session of any lesson.
lessons::Session open_session(const lessons::Lesson& lesson);

/// What a run of any lesson needs, with these values.
lessons::Inputs inputs_of(const lessons::Lesson& lesson, lessons::ParameterValues values);

}  // namespace attn::test
