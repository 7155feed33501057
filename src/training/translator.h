// The translator that ships with the project: how it is trained, and its file, models/translator.safetensors:
// the model of io/model_file.h, weights as F16, and both vocabularies as metadata ("source_vocabulary",
// "target_vocabulary", io/vocabulary.h). `scripts/train_translator` writes it anew, to the same bits.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "io/vocabulary.h"
#include "nn/parameters.h"
#include "training/trainer.h"

namespace attn::training {

/// English → Chinese, small enough for a page and for a minute of training on one thread.
TrainerOptions translator_options();

struct Translator {
  nn::Transformer model;
  io::Vocabulary source;  // English words
  io::Vocabulary target;  // Chinese characters
};

/// The file of a trained translator.
std::vector<std::uint8_t> save_translator(const nn::Transformer& model, const Task& task);

/// Error: not such a file, or vocabularies that don't fit the model: what and where.
core::Result<Translator> read_translator(std::span<const std::uint8_t> file);

/// The characters of these tokens, specials left out.
std::string text_of(const io::Vocabulary& vocabulary, std::span<const int> tokens);

}  // namespace attn::training
