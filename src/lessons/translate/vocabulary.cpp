#include "lessons/translate/vocabulary.h"

#include "training/english.h"

namespace attn::lessons::translate {
namespace {

constexpr std::size_t kNearWords = 3;

core::Error unknown_word(const training::Translator& translator, std::span<const std::string> words,
                         std::size_t index) {
  core::Error refused = refusal({"词表里没有$0。相近的词：", "$0 isn’t in the vocabulary. Near it:"},
                                {in_quotes(words[index])});
  std::vector<std::string> other(words.begin(), words.end());
  for (const int near : translator.source.nearest(words[index], kNearWords)) {
    other[index] = translator.source.symbol(near);
    refused.suggestions.push_back(training::written(io::lower_case(joined(other))));
  }
  return refused;
}

}  // namespace

core::Result<std::vector<std::string>> read_words(const SentenceRule& rule, std::string_view text) {
  const SentenceRule any{.own = rule.own, .fewest = 1, .most = 1000, .longest_word = 1000};
  if (core::Result<std::vector<std::string>> valid = words_of(any, text); !valid.ok()) return valid.failure();
  const std::vector<std::string> words = training::words_of(text);
  return words_of(rule, training::written(joined(words)));
}

core::Result<std::shared_ptr<const training::Translator>> read_file(std::span<const std::uint8_t> file) {
  core::Result<training::Translator> read = training::read_translator(file);
  if (!read.ok()) return read.failure();
  const nn::TransformerConfig& config = read.value().model.config;
  if (config.n_decoder_layers < kLayers || config.max_positions < kSentenceRule.most ||
      read.value().target.size() > static_cast<int>(kLargestEdit))
    return core::error_at("it needs %d layers, %d positions and at most %d characters", kLayers,
                          kSentenceRule.most, static_cast<int>(kLargestEdit));
  return std::shared_ptr<const training::Translator>(
      std::make_shared<training::Translator>(std::move(read).value()));
}

core::Result<std::vector<int>> numbers_of(const training::Translator& translator,
                                          std::span<const std::string> words) {
  std::vector<int> numbers;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::optional<int> number = translator.source.find(words[i]);
    if (!number || *number < io::Vocabulary::kSpecials) return unknown_word(translator, words, i);
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace attn::lessons::translate
