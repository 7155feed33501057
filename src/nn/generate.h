// Generating text: a prompt is continued token by token, each drawn from the distribution that the model
// gives after the ones before it.
//
// A Generation is one such run over a batch of prompts of any lengths, and can be stepped: look() computes
// the logits of what comes next and shows them, then step() or take() decides. Keys and values are cached;
// the logits have the bits of a pass over the whole sequence, of the sequence alone or in any batch (contract
// C1), and so does every token that is drawn: draw i of a sequence depends on the seed, the sequence's stream
// and i alone.
//
//   core::Result<Generation> run = Generation::start(model, prompts, {.eos = 2, .sampling = {...}});
//   while (!run.value().finished()) run.value().step();
//
// Source: Vaswani et al. 2017, section 3.1 (auto-regressive); the cache: nn/kv_cache.h.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/result.h"
#include "nn/inference.h"
#include "nn/kv_cache.h"
#include "nn/sampling.h"

namespace attn::nn {

/// What one sequence starts from; copied.
struct Prompt {
  std::span<const int> tokens;    // at least one: what the decoder has said already, or its start token
  std::span<const int> source{};  // what the encoder reads; at least one token, none in a decoder-only model
  std::uint64_t stream = 0;  // of the seed's random numbers: equal prompts continue alike on equal streams
};

struct GenerationOptions {
  int max_new_tokens = 32;  // a sequence stops when it has this many tokens beyond its prompt
  int eos = -1;             // a sequence stops after this token; -1: there is none
  Sampling sampling{};
};

/// Why a sequence goes no further.
enum class StopReason : std::uint8_t {
  running,    // it has not stopped
  eos,        // it said the end token
  maximum,    // it has max_new_tokens
  positions,  // the model has no position for another token
  asked,      // stop() was called
};

class Generation {
 public:
  /// Encodes the sources; nothing is generated yet. The model must outlive the run. Error: a model without
  /// logits or decoder, an empty list or prompt, a token or an option out of range: what and where.
  static core::Result<Generation> start(const Transformer& model, std::span<const Prompt> prompts,
                                        const GenerationOptions& options);

  int size() const { return static_cast<int>(sequences_.size()); }  // sequences
  bool finished() const;                                            // every sequence has stopped
  StopReason reason(int sequence) const;

  /// Prompt and continuation, the end token included.
  std::span<const int> tokens(int sequence) const;
  std::span<const int> new_tokens(int sequence) const;

  /// Computes the logits of every running sequence whose tokens they do not belong to yet: the prompts in one
  /// pass, then a row a token.
  void look();

  /// What look() found: (vocabulary) of what comes after tokens(sequence). Empty before the first look().
  std::span<const float> logits(int sequence) const;

  /// The distribution that the next token is drawn from, most probable first. look() must have been called.
  void candidates(int sequence, std::vector<Candidate>& result) const;

  /// look(), then every running sequence takes the token that is drawn for it.
  void step();

  /// One sequence, which must be running, takes this token instead, in [0, vocabulary).
  void take(int sequence, int token);

  /// One sequence goes no further.
  void stop(int sequence);

  /// One sequence forgets its newest tokens and runs on from the `length` that are left; the prompt stays.
  void roll_back(int sequence, int length);

 private:
  struct Sequence {
    std::vector<int> tokens;
    int prompt_length = 0;
    std::uint64_t stream = 0;
    KvCache cache;  // of tokens [0, cache.length()); the logits are those of the last one
    std::vector<float> logits;
    StopReason reason = StopReason::running;

    bool logits_belong() const { return cache.length() == static_cast<int>(tokens.size()); }
  };

  Generation(const Transformer& model, const GenerationOptions& options)
      : model_(&model), options_(options) {}
  void append(Sequence& sequence, int token);
  void judge(Sequence& sequence) const;  // whether it goes on
  const Sequence& at(int sequence) const;
  Sequence& at(int sequence);

  const Transformer* model_;
  GenerationOptions options_;
  std::vector<Sequence> sequences_;
  Workspace workspace_;
  std::vector<float> rows_, logits_;
  std::vector<int> looking_;  // the sequences that look() works on,
  std::vector<int> counts_;   // how many rows of each,
  std::vector<KvCache*> caches_;
  std::vector<Candidate> ranking_;
};

/// Runs a Generation to its end, or as long as `go_on` (asked before every step; may be empty) says so → the
/// new tokens of each prompt. Error: as Generation::start.
core::Result<std::vector<std::vector<int>>> generate(
    const Transformer& model, std::span<const Prompt> prompts, const GenerationOptions& options,
    const std::function<bool(const Generation&)>& go_on = {});

}  // namespace attn::nn
