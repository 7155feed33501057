#include "support/random_case.h"

#include <algorithm>
#include <span>

#include "support/random_model.h"

namespace attn::test {
namespace {

using nn::Family;
using nn::Mask;

constexpr int kMostPositions = 40;

template <class Choice, std::size_t kCount>
Choice one_of(RandomNumbers& numbers, const Choice (&choices)[kCount]) {
  return choices[numbers.below(static_cast<int>(kCount))];
}

bool chance(RandomNumbers& numbers, int one_in) { return numbers.below(one_in) == 0; }

nn::TransformerConfig random_config(RandomNumbers& numbers) {
  nn::TransformerConfig config;
  config.family = one_of(numbers, {Family::encoder_decoder, Family::encoder_decoder, Family::decoder_only,
                                   Family::encoder_only});
  config.n_heads = one_of(numbers, {1, 2, 3, 4});
  config.d_model = config.n_heads * one_of(numbers, {1, 2, 3, 4, 5});
  if (config.d_model % 2 == 1) config.d_model *= 2;
  config.vocabulary = 3 + numbers.below(10);
  config.n_encoder_layers = 1 + numbers.below(2);
  config.n_decoder_layers = 1 + numbers.below(2);
  config.d_ff = 1 + numbers.below(20);
  config.activation = one_of(numbers, {nn::Activation::relu, nn::Activation::gelu});
  config.norm_first = chance(numbers, 2);
  config.final_norm = !chance(numbers, 3);
  config.positions =
      one_of(numbers, {nn::Positions::none, nn::Positions::sinusoidal, nn::Positions::learned});
  config.max_positions = kMostPositions;
  config.scale_embedding = chance(numbers, 3);
  config.output_projection = one_of(
      numbers, {nn::OutputProjection::none, nn::OutputProjection::tied, nn::OutputProjection::separate});
  return config;
}

std::vector<std::uint8_t> random_bits(RandomNumbers& numbers, int count) {
  std::vector<std::uint8_t> bits(static_cast<std::size_t>(count));
  for (std::uint8_t& bit : bits) bit = numbers.below(4) > 0 ? 1 : 0;
  return bits;
}

/// Everything, some keys, or any pairs, the same for all heads or not.
Mask random_mask(RandomNumbers& numbers, int n_heads, int queries, int keys) {
  switch (numbers.below(4)) {
    case 0:
      return Mask::none();
    case 1:
      return Mask::keys(random_bits(numbers, keys));
    case 2:
      return Mask::matrix(random_bits(numbers, queries * keys), queries, keys);
    default:
      return Mask::grid(random_bits(numbers, n_heads * queries * keys), {n_heads, queries, keys});
  }
}

std::vector<int> tokens(RandomNumbers& numbers, int length, int vocabulary) {
  return random_tokens(length, vocabulary, numbers.next());
}

/// Where one sequence lies among the rows of a batch.
struct Padding {
  int batch, index;
  int length;                         // of every row of the batch
  std::vector<int> offsets, lengths;  // of each sequence
  bool left;

  int offset() const { return offsets[static_cast<std::size_t>(index)]; }
};

Padding random_padding(RandomNumbers& numbers, int batch, int index, bool left, int own_length) {
  Padding padding{batch, index, std::max(1, own_length + numbers.below(6)), {}, {}, left};
  for (int b = 0; b < batch; ++b) {
    const int length = b == index ? own_length : 1 + numbers.below(padding.length);
    padding.lengths.push_back(length);
    padding.offsets.push_back(left ? padding.length - length : 0);
  }
  return padding;
}

/// The tokens of the batch, anything in the padding, and each token's position in its sequence.
struct PaddedTokens {
  std::vector<int> ids, positions;

  PaddedTokens(RandomNumbers& numbers, const Padding& padding, std::span<const int> own, int vocabulary) {
    for (int b = 0; b < padding.batch; ++b)
      for (int i = 0; i < padding.length; ++i) {
        const int position = i - padding.offsets[static_cast<std::size_t>(b)];
        const bool is_own = b == padding.index && position >= 0 && position < static_cast<int>(own.size());
        const int other = numbers.below(vocabulary);
        ids.push_back(is_own ? own[static_cast<std::size_t>(position)] : other);
        positions.push_back(std::max(position, 0));
      }
  }

  nn::TokenBatch view(const Padding& padding) const { return {ids, padding.batch, positions}; }
};

/// The sequence's own mask, moved to where it lies; other sequences and rows of padding see anything.
Mask moved_mask(RandomNumbers& numbers, const Mask& own, int n_heads, const Padding& rows,
                const Padding& columns) {
  std::vector<std::uint8_t> visible;
  for (int b = 0; b < rows.batch; ++b)
    for (int h = 0; h < n_heads; ++h)
      for (int i = 0; i < rows.length; ++i)
        for (int j = 0; j < columns.length; ++j) {
          const auto at = static_cast<std::size_t>(b);
          const int query = i - rows.offsets[at];
          const int key = j - columns.offsets[at];
          const bool is_row = b == rows.index && query >= 0 && query < rows.lengths[at];
          const bool is_key = key >= 0 && key < columns.lengths[at];
          const bool sees = is_row ? is_key && own.may_see(0, h, query, key) : !chance(numbers, 3);
          visible.push_back(sees ? 1 : 0);
        }
  return Mask::grid(visible, {rows.batch, n_heads, rows.length, columns.length});
}

/// The same for masks that are rules: padding is one more of them.
Mask padding_rule(const Padding& padding) {
  return padding.left ? Mask::left_padding(padding.offsets) : Mask::lengths(padding.lengths);
}

Mask causal_rule(int window) {
  return window < 0 ? Mask::causal() : Mask::causal().and_also(Mask::sliding_window(window));
}

void add_logits(tape::Tape& tape, const nn::Transformer& model, tape::Value output) {
  if (model.config.output_projection != nn::OutputProjection::none) nn::logits(tape, model, output);
}

}  // namespace

std::string RandomCase::text() const {
  const nn::TransformerConfig& config = model.config;
  return "case " + std::to_string(number) + ": family " + std::to_string(static_cast<int>(config.family)) +
         ", heads " + std::to_string(config.n_heads) + ", d_model " + std::to_string(config.d_model) +
         ", layers " + std::to_string(config.n_encoder_layers) + "+" +
         std::to_string(config.n_decoder_layers) + ", source " + std::to_string(source.size()) + ", target " +
         std::to_string(target.size());
}

RandomCase random_case(std::uint64_t number) {
  RandomNumbers numbers(number * 0x2545f4914f6cdd1dull + 1);
  RandomCase random;
  random.number = number;
  const nn::TransformerConfig config = random_config(numbers);
  random.model = random_transformer(config, numbers.next());
  const int sources = 1 + numbers.below(9);
  const int targets = 1 + numbers.below(12);
  if (nn::has_encoder(config)) random.source = tokens(numbers, sources, config.vocabulary);
  if (nn::has_decoder(config)) random.target = tokens(numbers, targets, config.vocabulary);
  random.masks_are_rules = chance(numbers, 2);
  if (chance(numbers, 3)) random.window = numbers.below(5);
  const bool encoder_only = config.family == Family::encoder_only;
  Mask& causal = encoder_only ? random.masks.source.visible : random.masks.target.visible;
  causal = causal_rule(random.window);
  if (random.masks_are_rules) return random;
  const int length = encoder_only ? sources : targets;
  causal = causal.and_also(random_mask(numbers, config.n_heads, length, length));
  if (encoder_only) return random;
  random.masks.source = random_mask(numbers, config.n_heads, sources, sources);
  random.masks.memory = random_mask(numbers, config.n_heads, targets, sources);
  return random;
}

tape::Tape run_prefix(const RandomCase& random, int length) {
  const nn::Transformer& model = random.model;
  const std::span<const int> prefix = std::span(random.subject()).first(static_cast<std::size_t>(length));
  tape::Tape tape;
  tape::Value output;
  if (!nn::has_decoder(model.config)) {
    output =
        nn::encode(tape, model, nn::embed(tape, model, tape::Stack::encoder, prefix), random.masks.source);
  } else if (!nn::has_encoder(model.config)) {
    output =
        nn::decode(tape, model, nn::embed(tape, model, tape::Stack::decoder, prefix), random.masks.target);
  } else {
    const tape::Value x = nn::embed(tape, model, tape::Stack::encoder, random.source);
    const tape::Value y = nn::embed(tape, model, tape::Stack::decoder, prefix);
    output = nn::transform(tape, model, x, y, random.masks);
  }
  add_logits(tape, model, output);
  return tape;
}

PaddedPass run_padded(const RandomCase& random, std::uint64_t variant) {
  const nn::Transformer& model = random.model;
  const nn::TransformerConfig& config = model.config;
  RandomNumbers numbers(random.number * 31 + variant);
  const int batch = 1 + numbers.below(4);
  const int index = numbers.below(batch);
  const bool left = chance(numbers, 2);
  const auto padding_of = [&](const std::vector<int>& own) {
    return random_padding(numbers, batch, index, left, static_cast<int>(own.size()));
  };
  const Padding source = padding_of(random.source);
  const Padding target = padding_of(random.target);
  const bool rules = random.masks_are_rules;
  const bool encoder_only = config.family == Family::encoder_only;
  const auto mask_of = [&](const Mask& own, const Padding& rows, const Padding& columns, bool causal) {
    if (!rules) return moved_mask(numbers, own, config.n_heads, rows, columns);
    return causal ? causal_rule(random.window).and_also(padding_rule(columns)) : padding_rule(columns);
  };

  PaddedPass pass;
  pass.place = {.index = index, .target_offset = target.offset(), .source_offset = source.offset()};
  tape::Value output;
  if (nn::has_encoder(config)) {
    const PaddedTokens ids(numbers, source, random.source, config.vocabulary);
    const tape::Value x = nn::embed(pass.tape, model, tape::Stack::encoder, ids.view(source));
    output =
        nn::encode(pass.tape, model, x, mask_of(random.masks.source.visible, source, source, encoder_only));
  }
  if (nn::has_decoder(config)) {
    const PaddedTokens ids(numbers, target, random.target, config.vocabulary);
    const tape::Value y = nn::embed(pass.tape, model, tape::Stack::decoder, ids.view(target));
    const Mask own = mask_of(random.masks.target.visible, target, target, true);
    output = nn::has_encoder(config) ? nn::decode(pass.tape, model, y, output, own,
                                                  mask_of(random.masks.memory.visible, target, source, false))
                                     : nn::decode(pass.tape, model, y, own);
  }
  add_logits(pass.tape, model, output);
  return pass;
}

}  // namespace attn::test
