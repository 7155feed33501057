// The computation of the lesson `kv-cache`: a small decoder-only model says a few tokens; each step with and
// without a cache, compared to the bit, counted, timed; and what the causal mask's corner does when there are
// fewer queries than keys.
#pragma once

#include "lessons/lesson.h"
#include "nn/parameters.h"

namespace attn::lessons::kv_cache {

enum class Corner : std::uint8_t { bottom_right, top_left };

struct Settings {
  int seed = 0;
  int length = 8;      // S: tokens, the first one given, the others drawn
  int new_tokens = 1;  // T: how many come at once in the part about corners, in [1, length]
  int d_model = 8;
  int n_heads = 2;
  int n_layers = 2;
  Corner corner = Corner::bottom_right;
  bool timed = false;  // whether steps are timed on this device
};

inline constexpr int kLongest = 16;
inline constexpr int kVocabulary = 12;  // tokens, shown as the letters a, b, …

inline char letter_of(int token) { return static_cast<char>('a' + token); }

/// What the lesson counted, as tensors "model.<layer>.figures".
enum class Figure : std::uint8_t {
  steps,         // (S, 6): see Column
  top_left,      // (T, S), the mask with its corner there, 1 where a new token may see a key
  bottom_right,  // (T, S)
};
enum class Column : std::uint8_t {
  tokens,         // so far, this one included: 1, 2, …
  ulp,            // largest difference between the outputs with and without cache
  without_cache,  // multiplications of this step
  with_cache,
  total_without,  // multiplications of all steps so far
  total_with,
};
tape::Label label_of(Figure figure);

/// How many keys each new token sees under a corner's mask, (T): a count, "model.<layer>.figures".
tape::Label keys_seen(Figure mask);

/// The tokens' vectors with their positions, (S, d_model): what the reader may change.
inline constexpr tape::Label kWords{tape::Stack::decoder, -1, tape::Block::none, tape::Site::embedding};

/// "decoder.<last layer>.self_attention.<site>": of the pass over all tokens, without a cache.
tape::Label of_pass(const Settings& settings, tape::Site site);
/// "model.<last layer>.self_attention.<site>". key: of the pass over all tokens but the newest. weights: of
/// the cached steps, one row each.
tape::Label of_steps(const Settings& settings, tape::Site site);
/// "model.self_attention.weights": with a cache, the last T rows under the chosen corner.
tape::Label corner_weights();

/// What was found on the way.
struct Findings {
  std::uint32_t shared_rows_ulp = 0;  // keys and values of any layer: the passes over S − 1 and S tokens
  std::uint32_t steps_ulp = 0;        // outputs of any step with and without cache
  std::uint32_t weights_ulp = 0;      // the last layer's weights of the pass and of the steps
  std::uint32_t newest_ulp[2] = {};   // output of the newest row, by Corner, against the pass over all tokens
  float newest_difference[2] = {};    // the largest, likewise
  int cached_numbers = 0;             // in the cache at the end

  std::uint32_t newest(Corner corner) const { return newest_ulp[static_cast<std::size_t>(corner)]; }
};

float figure(const Run& run, int step, Column column);

struct Experiment {
  Run run;
  Findings findings;
};

/// The model has the numbers PyTorch draws after torch.manual_seed(seed), vocabulary 12, sinusoidal
/// positions, d_ff = 2·d_model, an output projection of its own. What the tape holds is determined by
/// settings and edits; times stand in the plot and the table of one sheet alone, and are those of `previous`
/// where it has any. Error: what nn refuses.
core::Result<Experiment> run_experiment(const Settings& settings, std::span<const CellEdit> edits,
                                        const Run* previous);

core::Result<nn::Transformer> make_model(const Settings& settings);

/// Token after token with a cache: each is drawn at temperature 1 after the output of the one before.
struct Spoken {
  std::vector<int> tokens;
  core::Tensor words;                              // (S, d_model), with the reader's edits
  core::Tensor outputs;                            // (S, d_model)
  core::Tensor weights;                            // (H, S, S), the last layer's, one row a step
  std::vector<std::int64_t> multiplications = {};  // of each step
  int cached_numbers = 0;                          // keys and values kept at the end
};
Spoken speak(const nn::Transformer& model, const Settings& settings, std::span<const CellEdit> edits);

}  // namespace attn::lessons::kv_cache
