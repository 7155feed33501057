// One fixed run whose every bit goes into one hash: contract C2, the same number from every compiler and
// platform.
#pragma once

#include <cstdint>

namespace attn::test {

/// The hashes all builds must give. They change only when the engine's arithmetic changes on purpose.
inline constexpr std::uint64_t kForwardHash = 0x6c93e747331e2943ull;
inline constexpr std::uint64_t kTrainingHash = 0xbe9a9749aa43b852ull;
inline constexpr std::uint64_t kGenerationHash = 0xbf083220c1a14ee7ull;

/// Forward passes of post- and pre-norm models with ReLU and GELU, masked and unmasked, plus the parameters
/// that `initialize_like_pytorch` draws; FNV-1a over every value of every entry in order.
std::uint64_t forward_hash();

/// Three steps of training on a padded batch, with dropout, label smoothing and tied logits: the loss, every
/// gradient and, after Adam, every parameter of each step, by Adam, AdamW and AMSGrad in turn.
std::uint64_t training_hash();

/// 64 tokens from a decoder-only and 64 from an encoder-decoder model, drawn with temperature, top-k and
/// top-p, and the logits they were drawn from.
std::uint64_t generation_hash();

/// The three in one.
std::uint64_t reference_hash();

}  // namespace attn::test
