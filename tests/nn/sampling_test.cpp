#include "nn/sampling.h"

#include <cmath>
#include <limits>

#include "core/bits.h"
#include "core/random.h"
#include "support/catch.h"
#include "support/random_model.h"

using namespace attn;
using nn::Candidate;
using nn::Sampling;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::vector<Candidate> rank(const std::vector<float>& logits, const Sampling& sampling) {
  std::vector<Candidate> candidates;
  nn::rank_candidates(logits, sampling, candidates);
  return candidates;
}

std::vector<float> random_logits(int count, std::uint64_t seed) {
  test::RandomNumbers numbers(seed);
  std::vector<float> logits;
  for (int i = 0; i < count; ++i) logits.push_back(4.0f * numbers.uniform());
  return logits;
}

int kept(const std::vector<Candidate>& candidates) {
  int count = 0;
  for (const Candidate& candidate : candidates) count += candidate.chance > 0.0f ? 1 : 0;
  return count;
}

double total(const std::vector<Candidate>& candidates, float Candidate::*what) {
  double sum = 0.0;
  for (const Candidate& candidate : candidates) sum += static_cast<double>(candidate.*what);
  return sum;
}

/// Sums of up to a few hundred floats below 1, each off by some units in the last place.
constexpr double kSumTolerance = 1e-5;

}  // namespace

TEST_CASE("candidates come most probable first, equal logits by the lowest id") {
  const std::vector<Candidate> candidates = rank({1.0f, 3.0f, -2.0f, 3.0f, 1.0f}, {.temperature = 1.0f});
  const int order[] = {1, 3, 0, 4, 2};
  for (std::size_t i = 0; i < 5; ++i) CHECK(candidates[i].token == order[i]);
  CHECK(candidates[0].chance == candidates[1].chance);
  CHECK(nn::most_probable(std::vector<float>{1.0f, 3.0f, -2.0f, 3.0f}) == 1);
}

TEST_CASE("probability is the softmax of the logits, chance that of the logits over the temperature") {
  const std::vector<float> logits = random_logits(37, 1);
  for (const float temperature : {0.25f, 1.0f, 3.0f}) {
    const std::vector<Candidate> candidates = rank(logits, {.temperature = temperature});
    double sum = 0.0;
    double sum_at_one = 0.0;
    for (const float logit : logits) {
      sum += std::exp(static_cast<double>(logit) / static_cast<double>(temperature));
      sum_at_one += std::exp(static_cast<double>(logit));
    }
    for (const Candidate& candidate : candidates) {
      const double logit = static_cast<double>(candidate.logit);
      CHECK(static_cast<double>(candidate.chance) ==
            Approx(std::exp(logit / static_cast<double>(temperature)) / sum).epsilon(1e-5));
      CHECK(static_cast<double>(candidate.probability) == Approx(std::exp(logit) / sum_at_one).epsilon(1e-5));
    }
  }
}

TEST_CASE("top-k keeps exactly k candidates and shares all chance among them") {
  const std::vector<float> logits = random_logits(20, 2);
  for (int k = 1; k <= 25; ++k) {
    const std::vector<Candidate> candidates = rank(logits, {.temperature = 0.8f, .top_k = k});
    CHECK(kept(candidates) == std::min(k, 20));
    CHECK(total(candidates, &Candidate::chance) == Approx(1.0).margin(kSumTolerance));
    CHECK(total(candidates, &Candidate::probability) == Approx(1.0).margin(kSumTolerance));
  }
}

TEST_CASE("at the cut of top-k equal logits are kept from the lowest id on") {
  const std::vector<Candidate> candidates =
      rank({2.0f, 5.0f, 2.0f, 2.0f, 1.0f}, {.temperature = 1.0f, .top_k = 2});
  CHECK(candidates[0].token == 1);
  CHECK(candidates[1].token == 0);
  CHECK(kept(candidates) == 2);
}

TEST_CASE("top-p keeps the smallest set that reaches it, and at least one candidate") {
  // Probabilities 1/2, 1/4, 1/8, 1/8.
  const float ln2 = std::log(2.0f);
  const std::vector<float> logits{2.0f * ln2, 3.0f * ln2, ln2, ln2};
  const auto kept_with = [&](float p) { return kept(rank(logits, {.temperature = 1.0f, .top_p = p})); };
  CHECK(kept_with(1e-6f) == 1);
  CHECK(kept_with(0.49f) == 1);
  CHECK(kept_with(0.51f) == 2);
  CHECK(kept_with(0.74f) == 2);
  CHECK(kept_with(0.76f) == 3);
  CHECK(kept_with(0.88f) == 4);
  CHECK(kept_with(1.0f) == 4);
  CHECK(rank(logits, {.temperature = 1.0f, .top_p = 1e-6f})[0].chance == 1.0f);
}

TEST_CASE("top-p counts over what top-k left") {
  const float ln2 = std::log(2.0f);
  // Of 1/2, 1/4, 1/8, 1/8 top-k leaves 2/3, 1/3.
  const std::vector<float> logits{3.0f * ln2, 2.0f * ln2, ln2, ln2};
  CHECK(kept(rank(logits, {.temperature = 1.0f, .top_k = 2, .top_p = 0.6f})) == 1);
  CHECK(kept(rank(logits, {.temperature = 1.0f, .top_k = 2, .top_p = 0.7f})) == 2);
  CHECK(kept(rank(logits, {.temperature = 1.0f, .top_p = 0.7f})) == 2);
}

TEST_CASE("temperature 0, top-k of 1 and a tiny top-p leave only the greedy choice, ties included") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::vector<float> logits = random_logits(11, seed);
    if (seed % 2 == 0) logits[7] = logits[static_cast<std::size_t>(nn::most_probable(logits))];
    const int greedy = nn::most_probable(logits);
    const float u = core::RandomStream{seed, 0}.uniform(0);
    for (const Sampling& sampling : {Sampling{.temperature = 0.0f}, Sampling{.temperature = 1.3f, .top_k = 1},
                                     Sampling{.temperature = 1.3f, .top_p = 1e-7f},
                                     Sampling{.temperature = 0.0f, .top_k = 5, .top_p = 0.5f}}) {
      const std::vector<Candidate> candidates = rank(logits, sampling);
      CHECK(kept(candidates) == 1);
      CHECK(candidates[0].token == greedy);
      CHECK(candidates[0].chance == 1.0f);
      CHECK(nn::draw(candidates, u) == greedy);
    }
  }
}

TEST_CASE("a temperature near 0 gives the greedy choice without overflow") {
  for (const float temperature : {1e-3f, 1e-20f, std::numeric_limits<float>::denorm_min()})
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      const std::vector<float> logits = random_logits(9, seed);
      const std::vector<Candidate> candidates = rank(logits, {.temperature = temperature});
      for (const Candidate& candidate : candidates) CHECK(std::isfinite(candidate.chance));
      CHECK(nn::draw(candidates, core::RandomStream{seed, 1}.uniform(0)) == nn::most_probable(logits));
    }
}

TEST_CASE("infinite and NaN logits neither stop nor confuse the ranking") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<Candidate> infinite =
      rank({1.0f, kInfinity, nan, -kInfinity, kInfinity}, {.temperature = 1.0f});
  CHECK(infinite[0].token == 1);
  CHECK(infinite[0].chance == 0.5f);
  CHECK(infinite[1].token == 4);
  CHECK(infinite[1].chance == 0.5f);
  CHECK(kept(infinite) == 2);
  const std::vector<Candidate> nothing = rank({nan, -kInfinity}, {.temperature = 1.0f});
  CHECK(nothing[0].token == 0);
  CHECK(nothing[0].chance == 0.5f);
  CHECK(nn::most_probable(std::vector<float>{nan, 2.0f, nan}) == 1);
}

TEST_CASE("drawing follows the chances") {
  const std::vector<float> logits = random_logits(6, 3);
  const std::vector<Candidate> candidates = rank(logits, {.temperature = 1.5f, .top_k = 5});
  constexpr int kDraws = 20000;
  std::vector<int> counts(6, 0);
  const core::RandomStream stream{5, 6};
  for (std::uint64_t i = 0; i < kDraws; ++i)
    ++counts[static_cast<std::size_t>(nn::draw(candidates, stream.uniform(i)))];
  // Pearson's chi-squared with 4 degrees of freedom: beyond 23.5 once in 10,000 seeds; this seed is fixed.
  double chi_squared = 0.0;
  for (const Candidate& candidate : candidates) {
    const double expected = kDraws * static_cast<double>(candidate.chance);
    const double count = counts[static_cast<std::size_t>(candidate.token)];
    if (candidate.chance == 0.0f) {
      CHECK(count == 0.0);
      continue;
    }
    chi_squared += (count - expected) * (count - expected) / expected;
  }
  CHECK(chi_squared < 23.5);
}

TEST_CASE("a draw of 0 takes the first candidate and one just below 1 the last that was kept") {
  const std::vector<Candidate> candidates = rank(random_logits(9, 4), {.temperature = 2.0f, .top_k = 4});
  CHECK(nn::draw(candidates, 0.0f) == candidates[0].token);
  CHECK(nn::draw(candidates, 1.0f - 0x1p-24f) == candidates[3].token);
}

TEST_CASE("sampling options out of range are refused by name") {
  const auto refused = [](const Sampling& sampling, const char* name) {
    const core::Status status = nn::validate(sampling);
    REQUIRE_FALSE(status.ok());
    CHECK(status.error().find(name) != std::string::npos);
  };
  refused({.temperature = -0.1f}, "temperature");
  refused({.temperature = kInfinity}, "temperature");
  refused({.temperature = std::numeric_limits<float>::quiet_NaN()}, "temperature");
  refused({.top_k = -1}, "top_k");
  refused({.top_p = 0.0f}, "top_p");
  refused({.top_p = 1.1f}, "top_p");
  refused({.top_p = std::numeric_limits<float>::quiet_NaN()}, "top_p");
  CHECK(nn::validate(Sampling{}).ok());
}
