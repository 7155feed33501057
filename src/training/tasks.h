// What a small transformer is trained to do. A task is a pair of vocabularies, examples to train on and
// examples held out, which training never sees.
//
//   copy       b a d c  →  b a d c        letters a to l
//   reverse    b a d c  →  c d a b
//   sort       3 1 3 0  →  0 1 3 3        digits
//   translate  i love you  →  我 爱 你     English words, Chinese characters (training/corpus)
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "io/vocabulary.h"

namespace attn::training {

enum class TaskKind : std::uint8_t { copy, reverse, sort, translate };

inline constexpr TaskKind kTaskKinds[] = {TaskKind::copy, TaskKind::reverse, TaskKind::sort,
                                          TaskKind::translate};

/// "copy", "reverse", "sort", "translate", and back.
std::string_view name_of(TaskKind kind);
std::optional<TaskKind> find_task(std::string_view name);

/// Numbers of symbols. The target is without <bos> and <eos>.
struct Example {
  std::vector<int> source;
  std::vector<int> target;

  bool operator==(const Example&) const = default;
};

struct Task {
  TaskKind kind = TaskKind::copy;
  io::Vocabulary source_vocabulary;
  io::Vocabulary target_vocabulary;
  int max_source_length = 0;      // symbols of any example
  int max_target_length = 0;      // the same, without <bos> and <eos>
  std::vector<Example> training;  // translate: all there are; else empty, for they are drawn
  std::vector<Example> held_out;  // all different, none of them ever drawn for training
};

inline constexpr int kShortestSequence = 3;  // copy, reverse, sort
inline constexpr int kLongestSequence = 8;
inline constexpr std::size_t kHeldOutSequences = 500;

/// The task, the same on every platform. `translate` makes its corpus, the others take no time.
Task make_task(TaskKind kind);

/// Example `index` (from 0) of the endless sequence that a run with `seed` is trained on. It depends on
/// nothing else, so a run may be cut into slices and taken up again. copy, reverse and sort: a length in
/// [kShortestSequence, kLongestSequence] and symbols, all equally likely, but never a sequence that may be
/// held out. translate: every epoch is all training examples once, each epoch in another order.
Example training_example(const Task& task, std::uint64_t seed, std::int64_t index);

/// Whether a source of copy, reverse or sort belongs to the sixteenth that is kept from training.
bool is_kept(std::span<const int> source);

/// Element `index` of a permutation of [0, size), one for each `seed` and `number`, in constant time: a
/// Feistel network of four rounds, applied until the result is below `size` (Black and Rogaway 2002, "Ciphers
/// with arbitrary finite domains").
std::uint64_t permuted(std::uint64_t index, std::uint64_t size, std::uint64_t seed, std::uint32_t number);

}  // namespace attn::training
