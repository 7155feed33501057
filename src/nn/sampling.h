// From logits to the next token: the distribution that a token is drawn from, candidate by candidate, so that
// a lesson can show it, and the draw.
//
// Order of business, as in Hugging Face's `generate`: temperature, then top-k, then top-p over what top-k
// left, then the draw. With p the probabilities of the kept candidates, most probable first:
//
//   v[i] = (logit[i] − largest logit) / temperature                   (never overflows)
//   top-k keeps the k most probable (Fan, Lewis & Dauphin 2018, §5)
//   top-p keeps candidate i when p[0] + … + p[i−1] < top_p: the smallest set whose probability reaches top_p,
//         at least one (Holtzman et al. 2019, §3.1, "nucleus sampling")
//   chance = softmax of v over what is left; candidate i is drawn when u lies in its part of [0, 1)
//
// Among equal logits the lower token id comes first, in the ranking, at both cuts and for greedy choice. All
// sums are in the order of the ranking (the softmax's in four lanes, kernels/softmax.h), so the bits are the
// same everywhere. A logit that is NaN counts as −inf.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/result.h"

namespace attn::nn {

struct Sampling {
  float temperature = 0.0f;  // 0: greedy, the most probable token always
  int top_k = 0;             // how many candidates are kept at most; 0: all
  float top_p = 1.0f;        // in (0, 1]; 1: all
  std::uint64_t seed = 0;    // of the draws; greedy draws nothing
};

/// Names the first field that is out of range, and the range.
core::Status validate(const Sampling& sampling);

struct Candidate {
  int token;
  float logit;
  float probability;  // softmax of all logits, at temperature 1 whatever is sampled with
  float chance;       // of being drawn; 0 when it was cut
};

/// The most probable token, the lowest id among equals. `logits` must not be empty.
int most_probable(std::span<const float> logits);

/// All tokens, most probable first. With temperature 0 the first has chance 1. Reuses `candidates`' memory.
void rank_candidates(std::span<const float> logits, const Sampling& sampling,
                     std::vector<Candidate>& candidates);

/// The token whose part of [0, 1) holds `u`: the first whose chances sum, with those before it, to more than
/// u.
int draw(std::span<const Candidate> candidates, float u);

}  // namespace attn::nn
