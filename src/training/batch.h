// Examples side by side, padded to one length: what the model reads, what it is fed and what it is asked.
//
//   target            我  爱  你
//   fed       <bos>   我  爱  你                     the decoder's input: the target moved one place right
//   asked      我     爱  你  <eos>                  what should be said after each of them
//
// Padding stands on the right, where no causal row sees it, and is never asked (teacher forcing: Williams &
// Zipser 1989).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "training/tasks.h"

namespace attn::training {

inline constexpr int kPad = io::Vocabulary::kPad;
inline constexpr int kBos = io::Vocabulary::kBos;
inline constexpr int kEos = io::Vocabulary::kEos;

struct Batch {
  int size = 0;                     // B
  int source_length = 0;            // S, of the longest
  int target_length = 0;            // T, of the longest with its <bos> or <eos>
  std::vector<int> source;          // (B, S)
  std::vector<int> fed;             // (B, T)
  std::vector<int> asked;           // (B, T); kPad: nothing is asked there
  std::vector<int> source_lengths;  // (B)
  std::vector<int> target_lengths;  // (B)

  /// How many tokens are asked.
  int asked_count() const;
};

/// Which target a decoder is trained on.
enum class Target : std::uint8_t {
  shifted,    // the next token
  unshifted,  // the token it has just been fed: a well-known mistake, whose loss falls to nothing
};

/// Fills `batch` from the examples, of which there must be at least one. Reuses its memory.
void fill_batch(std::span<const Example> examples, Target target, Batch& batch);

}  // namespace attn::training
