#include "ui/names.h"

#include "ui/strings.h"

namespace attn::ui {
namespace {

constexpr const char* kDot = " · ";

std::string block_name(tape::Block block, lessons::Language language) {
  switch (block) {
    case tape::Block::none:
      return {};
    case tape::Block::self_attention:
      return word(Word::self_attention, language);
    case tape::Block::cross_attention:
      return word(Word::cross_attention, language);
    case tape::Block::feed_forward:
      return word(Word::feed_forward, language);
  }
  return {};
}

std::string stack_name(const tape::Label& label, lessons::Language language) {
  switch (label.stack) {
    case tape::Stack::model:
      return {};
    case tape::Stack::encoder:
      return label.layer >= 0 ? phrase(word(Word::layer_of_encoder, language), label.layer + 1)
                              : word(Word::encoder, language);
    case tape::Stack::decoder:
      return label.layer >= 0 ? phrase(word(Word::layer_of_decoder, language), label.layer + 1)
                              : word(Word::decoder, language);
  }
  return {};
}

void append(std::string& text, const std::string& part) {
  if (part.empty()) return;
  if (!text.empty()) text += kDot;
  text += part;
}

}  // namespace

std::string place_name(const tape::Label& label, lessons::Language language) {
  std::string text = stack_name(label, language);
  append(text, block_name(label.block, language));
  return text;
}

std::string tensor_title(const tape::Label& label, int head, int heads, const core::Shape& shape,
                         lessons::Language language) {
  std::string text = place_name(label, language);
  if (heads > 1) append(text, phrase(word(Word::head, language), head + 1));
  append(text, std::string(tape::name_of(label.site)) + " " + core::to_string(shape));
  return text;
}

std::string short_title(const tape::Label& label, lessons::Language language) {
  std::string text;
  if (label.stack == tape::Stack::encoder) text = word(Word::encoder, language);
  if (label.stack == tape::Stack::decoder) text = word(Word::decoder, language);
  if (label.layer >= 0) text += " " + std::to_string(label.layer + 1);
  append(text, block_name(label.block, language));
  append(text, std::string(tape::name_of(label.site)));
  return text;
}

std::string row_name(tape::Site site) {
  const bool spelled_out = site == tape::Site::embedding;  // its symbol, x, is every layer's input
  return std::string(spelled_out ? tape::name_of(site) : tape::symbol_of(site));
}

}  // namespace attn::ui
