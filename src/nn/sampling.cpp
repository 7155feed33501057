#include "nn/sampling.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "core/check.h"
#include "kernels/softmax.h"

namespace attn::nn {
namespace {

constexpr float kLowest = -std::numeric_limits<float>::infinity();

float ranked_logit(float logit) { return logit != logit ? kLowest : logit; }

/// How many of the first `count` candidates, whose chances sum to 1, top-p keeps.
std::size_t nucleus(std::span<const Candidate> candidates, float top_p) {
  if (top_p >= 1.0f) return candidates.size();
  float sum = 0.0f;
  std::size_t kept = 0;
  while (kept < candidates.size() && (kept == 0 || sum < top_p)) sum += candidates[kept++].chance;
  return kept;
}

/// chance = softmax of (logit − largest) / temperature over these candidates, the largest first.
void share_chances(std::span<Candidate> candidates, float temperature, std::vector<float>& shares) {
  shares.resize(candidates.size());
  const float largest = candidates.front().logit;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    // Infinite logits take everything, and equal ones share it.
    const float logit = candidates[i].logit;
    shares[i] = logit == largest ? 0.0f : (logit - largest) / temperature;
  }
  kernels::masked_softmax(shares, {}, shares);
  for (std::size_t i = 0; i < candidates.size(); ++i) candidates[i].chance = shares[i];
}

}  // namespace

core::Status validate(const Sampling& sampling) {
  if (!(sampling.temperature >= 0.0f && std::isfinite(sampling.temperature)))
    return core::error_at("temperature is %g, must be a finite number from 0 on",
                          static_cast<double>(sampling.temperature));
  if (sampling.top_k < 0) return core::error_at("top_k is %d, must be 0 (all) or more", sampling.top_k);
  if (!(sampling.top_p > 0.0f && sampling.top_p <= 1.0f))
    return core::error_at("top_p is %g, must be in (0, 1]", static_cast<double>(sampling.top_p));
  return core::ok_status();
}

int most_probable(std::span<const float> logits) {
  ATTN_CHECK(!logits.empty());
  std::size_t best = 0;
  for (std::size_t i = 1; i < logits.size(); ++i)
    if (ranked_logit(logits[i]) > ranked_logit(logits[best])) best = i;
  return static_cast<int>(best);
}

void rank_candidates(std::span<const float> logits, const Sampling& sampling,
                     std::vector<Candidate>& candidates) {
  ATTN_CHECK(!logits.empty() && validate(sampling).ok());
  candidates.clear();
  std::vector<float> shares;
  for (std::size_t i = 0; i < logits.size(); ++i)
    candidates.push_back({static_cast<int>(i), ranked_logit(logits[i]), 0.0f, 0.0f});
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.logit != b.logit ? a.logit > b.logit : a.token < b.token;
  });
  share_chances(candidates, 1.0f, shares);
  for (Candidate& candidate : candidates) {
    candidate.probability = candidate.chance;
    candidate.chance = 0.0f;
  }
  if (sampling.temperature == 0.0f) {
    candidates.front().chance = 1.0f;
    return;
  }
  std::span<Candidate> kept = candidates;
  if (sampling.top_k > 0) kept = kept.first(std::min(kept.size(), static_cast<std::size_t>(sampling.top_k)));
  share_chances(kept, sampling.temperature, shares);
  const std::size_t count = nucleus(kept, sampling.top_p);
  if (count == kept.size()) return;
  for (Candidate& candidate : kept.subspan(count)) candidate.chance = 0.0f;
  share_chances(kept.first(count), sampling.temperature, shares);
}

int draw(std::span<const Candidate> candidates, float u) {
  ATTN_CHECK(!candidates.empty());
  float sum = 0.0f;
  int last = candidates.front().token;
  for (const Candidate& candidate : candidates) {
    if (candidate.chance == 0.0f) continue;
    sum += candidate.chance;
    last = candidate.token;
    if (u < sum) break;
  }
  return last;  // rounding may leave the sum below u: the last candidate with a chance
}

}  // namespace attn::nn
