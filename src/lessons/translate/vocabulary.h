// The reader's English against the translator's vocabulary.
#pragma once

#include "lessons/translate/experiment.h"

namespace attn::lessons::translate {

/// The translator in a file; refused where the lesson could not show it.
core::Result<std::shared_ptr<const training::Translator>> read_file(std::span<const std::uint8_t> file);

/// The numbers of words. Refused: the first that isn't known, with up to three sentences to write instead, in
/// which a known word that is near stands in its place.
core::Result<std::vector<int>> numbers_of(const training::Translator& translator,
                                          std::span<const std::string> words);

}  // namespace attn::lessons::translate
