#include "kernels/cross_entropy.h"

#include <limits>

#include "kernels/reference_loss.h"
#include "kernels/samples.h"
#include "support/catch.h"

using namespace attn;
using kernels::CrossEntropyOptions;
using kernels::Reduction;
using test::kSizes;
using test::same_bits;
using test::Samples;
using test::view;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr int kIgnored = -100;

/// Positive weights.
std::vector<float> take_weights(Samples& samples, int count) {
  std::vector<float> weights = samples.take(count);
  for (float& weight : weights) weight = 1.25f + weight;
  return weights;
}

std::vector<double> widened(const std::vector<float>& values) { return {values.begin(), values.end()}; }

}  // namespace

TEST_CASE("Cross-entropy and its gradient give the reference's bits for every number of classes") {
  Samples samples;
  for (const int classes : kSizes) {
    if (classes == 0) continue;
    for (const float smoothing : {0.0f, 0.1f, 1.0f}) {
      for (const bool weighted : {false, true}) {
        for (const float scale : {0.5f, 6.0f, 300.0f}) {
          CAPTURE(classes, smoothing, weighted, scale);
          const std::vector<float> logits = samples.take(classes, scale);
          const std::vector<float> weights = weighted ? take_weights(samples, classes) : std::vector<float>();
          const int target = static_cast<int>((samples.next() + 1.0f) * 0.5f * static_cast<float>(classes));
          const CrossEntropyOptions options{.label_smoothing = smoothing, .class_weights = weights};
          const auto y = static_cast<std::size_t>(target);
          CHECK(test::bits_of(kernels::cross_entropy_row(logits, target, options)) ==
                test::bits_of(kernels::reference::cross_entropy<float>(logits, y, smoothing, weights)));
          std::vector<float> dlogits = samples.take(classes);
          std::vector<float> want = dlogits;
          kernels::cross_entropy_row_backward(logits, target, options, 0.37f, dlogits);
          kernels::reference::cross_entropy_backward<float>(logits, y, smoothing, weights, 0.37f, want);
          CHECK(same_bits(dlogits, want));
        }
      }
    }
  }
}

TEST_CASE("The gradient of cross-entropy agrees with a complex step") {
  constexpr double kStep = 1e-30;
  constexpr double kTolerance = 1e-14;
  using Complex = std::complex<double>;
  Samples samples;
  for (const int classes : {1, 2, 5, 9}) {
    for (const double smoothing : {0.0, 0.1, 1.0}) {
      for (const bool weighted : {false, true}) {
        const std::vector<double> logits = widened(samples.take(classes, 4.0f));
        const std::vector<double> weights =
            weighted ? widened(take_weights(samples, classes)) : std::vector<double>();
        const auto y = static_cast<std::size_t>(classes / 2);
        std::vector<double> dlogits(logits.size(), 0.0);
        kernels::reference::cross_entropy_backward<double>(logits, y, smoothing, weights, 1.0, dlogits);
        for (std::size_t i = 0; i < logits.size(); ++i) {
          std::vector<Complex> stepped(logits.begin(), logits.end());
          stepped[i] += Complex(0.0, kStep);
          const std::vector<Complex> complex_weights(weights.begin(), weights.end());
          const Complex loss =
              kernels::reference::cross_entropy<Complex>(stepped, y, smoothing, complex_weights);
          CAPTURE(classes, smoothing, weighted, i);
          CHECK(std::abs(dlogits[i] - loss.imag() / kStep) <= kTolerance);
        }
      }
    }
  }
}

TEST_CASE("Cross-entropy agrees with double precision") {
  constexpr double kTolerance = 4e-7;
  Samples samples;
  for (const int classes : {2, 10, 1000}) {
    for (const float smoothing : {0.0f, 0.1f}) {
      const std::vector<float> logits = samples.take(classes, 8.0f);
      const float loss = kernels::cross_entropy_row(logits, 1, {.label_smoothing = smoothing});
      const double want = kernels::reference::cross_entropy<double>(
          widened(logits), 1, static_cast<double>(smoothing), std::vector<double>());
      CHECK(std::abs(static_cast<double>(loss) - want) <= kTolerance * std::max(1.0, want));
    }
  }
}

TEST_CASE("Label smoothing spreads over all classes, the target's own included") {
  // p = (1/2, 1/4, 1/4) and q = (0.6 + 0.4/3, 0.4/3, 0.4/3).
  const std::vector<float> logits{std::log(2.0f), 0.0f, 0.0f};
  const double share = 0.4 / 3.0;
  const double want = (0.6 + share) * std::log(2.0) + 2.0 * share * std::log(4.0);
  const float loss = kernels::cross_entropy_row(logits, 0, {.label_smoothing = 0.4f});
  CHECK(std::abs(static_cast<double>(loss) - want) <= 3e-7);
}

TEST_CASE("The mean of weighted losses divides by the weights of the targets that count") {
  Samples samples;
  constexpr int kRows = 7;
  constexpr int kClasses = 5;
  const std::vector<float> logits = samples.take(kRows * kClasses, 3.0f);
  const std::vector<float> weights{0.5f, 1.0f, 2.0f, 0.25f, 1.5f};
  const std::vector<int> targets{0, 3, kIgnored, 4, 2, kIgnored, 0};
  const CrossEntropyOptions options{.label_smoothing = 0.1f, .class_weights = weights};
  std::vector<float> losses(kRows);
  kernels::cross_entropy(view(logits, kRows, kClasses), targets, options, losses);
  CHECK(test::bits_of(losses[2]) == 0);
  CHECK(test::bits_of(losses[5]) == 0);
  const float sum = ((losses[0] + losses[4]) + (losses[1] + 0.0f)) + ((0.0f + losses[6]) + losses[3]);
  const core::ConstMatrix rows = view(logits, kRows, kClasses);
  CHECK(kernels::cross_entropy(rows, targets, options, Reduction::sum) == sum);
  CHECK(kernels::cross_entropy(rows, targets, options, Reduction::mean) == sum / 4.75f);

  std::vector<float> of_sum(logits.size(), 0.0f);
  std::vector<float> of_mean(logits.size(), 0.0f);
  std::vector<float> of_rows(logits.size(), 0.0f);
  kernels::cross_entropy_backward(rows, targets, options, Reduction::sum, std::vector<float>{2.0f},
                                  view(of_sum, kRows, kClasses));
  kernels::cross_entropy_backward(rows, targets, options, Reduction::mean, std::vector<float>{9.5f},
                                  view(of_mean, kRows, kClasses));
  kernels::cross_entropy_backward(rows, targets, options, Reduction::none, std::vector<float>(kRows, 2.0f),
                                  view(of_rows, kRows, kClasses));
  CHECK(same_bits(of_mean, of_sum));
  CHECK(same_bits(of_rows, of_sum));
}

TEST_CASE("An ignored row has loss 0 and gradient exactly 0, whatever its logits and its class are") {
  const std::vector<float> logits{kInfinity, -kInfinity, std::nanf(""), 1.0f, 2.0f, 3.0f};
  for (const int ignored : {-100, -1, 2, 99}) {
    const std::vector<int> targets{ignored, 0};
    const CrossEntropyOptions options{.ignore_index = ignored, .label_smoothing = 0.1f};
    std::vector<float> losses(2);
    kernels::cross_entropy(view(logits, 2, 3), targets, options, losses);
    CHECK(test::bits_of(losses[0]) == 0);
    CHECK(std::isfinite(losses[1]));
    std::vector<float> dlogits(6, 0.0f);
    kernels::cross_entropy_backward(view(logits, 2, 3), targets, options, Reduction::mean,
                                    std::vector<float>{1.0f}, view(dlogits, 2, 3));
    CHECK(same_bits(std::span(dlogits).first(3), std::vector<float>(3, 0.0f)));
    CHECK(dlogits[3] < 0.0f);
  }
}

TEST_CASE("When every row is ignored the mean is NaN, as PyTorch's, and every gradient is 0") {
  const std::vector<float> logits(6, 1.0f);
  const std::vector<int> targets{kIgnored, kIgnored};
  CHECK(std::isnan(kernels::cross_entropy(view(logits, 2, 3), targets, {}, Reduction::mean)));
  CHECK(test::bits_of(kernels::cross_entropy(view(logits, 2, 3), targets, {}, Reduction::sum)) == 0);
  std::vector<float> dlogits(6, 0.0f);
  kernels::cross_entropy_backward(view(logits, 2, 3), targets, {}, Reduction::mean, std::vector<float>{1.0f},
                                  view(dlogits, 2, 3));
  CHECK(same_bits(dlogits, std::vector<float>(6, 0.0f)));
}

TEST_CASE("Huge logits are stable, and a class that cannot be is not asked for its logarithm") {
  const std::vector<float> equal(2, 1e20f);
  CHECK(std::abs(kernels::cross_entropy_row(equal, 0, {}) - 0.69314718f) <= 1e-7f);
  const std::vector<float> sure{1e4f, -kInfinity, -1e30f};
  CHECK(test::bits_of(kernels::cross_entropy_row(sure, 0, {})) == 0);
  CHECK(kernels::cross_entropy_row(sure, 1, {}) == kInfinity);
  std::vector<float> dlogits(3, 0.0f);
  kernels::cross_entropy_row_backward(sure, 2, {}, 1.0f, dlogits);
  CHECK(same_bits(dlogits, std::vector<float>{1.0f, 0.0f, -1.0f}));
}

TEST_CASE("Negative log-likelihood takes the target's entry, weighted, and knows what is ignored") {
  const std::vector<float> log_probabilities{-0.5f, -1.5f, -3.0f};
  const std::vector<float> weights{1.0f, 2.0f, 4.0f};
  const CrossEntropyOptions options{.ignore_index = 0, .class_weights = weights};
  CHECK(kernels::negative_log_likelihood_row(log_probabilities, 1, options) == 3.0f);
  CHECK(test::bits_of(kernels::negative_log_likelihood_row(log_probabilities, 0, options)) == 0);
  std::vector<float> dlog_probabilities{1.0f, 1.0f, 1.0f};
  kernels::negative_log_likelihood_row_backward(2, options, 0.5f, dlog_probabilities);
  kernels::negative_log_likelihood_row_backward(0, options, 0.5f, dlog_probabilities);
  CHECK(dlog_probabilities == std::vector<float>{1.0f, 1.0f, -1.0f});
}
