#include "nn/positions.h"

#include <cmath>
#include <vector>

#include "core/bits.h"
#include "support/catch.h"

using namespace attn;

namespace {

/// Half an ulp of float below 1, and what an angle up to 5000 loses in double (about 1e-12).
constexpr double kTolerance = 3.1e-8;

core::Matrix matrix(std::vector<float>& values, int rows, int columns) {
  values.assign(static_cast<std::size_t>(rows * columns), -9.0f);
  return {values.data(), rows, columns, columns};
}

double paper_angle(int position, int i, int width) { return position / std::pow(10000.0, 2.0 * i / width); }

}  // namespace

TEST_CASE("Sinusoids of any width are the paper's, sine and cosine side by side") {
  std::vector<float> values;
  for (const int width : {0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 33, 512}) {
    const core::Matrix table = matrix(values, 8, width);
    nn::fill_sinusoids(4993, {}, table);
    for (int t = 0; t < 8; ++t) {
      for (int j = 0; j < width; ++j) {
        const double angle = paper_angle(4993 + t, j / 2, width);
        const double want = j % 2 == 0 ? std::sin(angle) : std::cos(angle);
        CAPTURE(width, t, j);
        REQUIRE(std::abs(static_cast<double>(table.row(t)[j]) - want) <= kTolerance);
      }
    }
  }
}

TEST_CASE("The halves layout holds the bits of the interleaved one, sines first") {
  std::vector<float> values;
  std::vector<float> other_values;
  for (const int width : {1, 2, 3, 5, 8, 17}) {
    const core::Matrix interleaved = matrix(values, 5, width);
    const core::Matrix halves = matrix(other_values, 5, width);
    nn::fill_sinusoids(3, {}, interleaved);
    nn::fill_sinusoids(3, {.layout = nn::SinusoidLayout::halves}, halves);
    const int sines = (width + 1) / 2;
    for (int t = 0; t < 5; ++t)
      for (int j = 0; j < width; ++j) {
        const int column = j < sines ? 2 * j : 2 * (j - sines) + 1;
        REQUIRE(core::bits_of(halves.row(t)[j]) == core::bits_of(interleaved.row(t)[column]));
      }
  }
}

TEST_CASE("tensor2tensor's frequencies end at 1/base, and an odd width ends in a column of 0") {
  std::vector<float> values;
  const nn::SinusoidOptions options{.layout = nn::SinusoidLayout::halves,
                                    .frequencies = nn::SinusoidFrequencies::tensor2tensor};
  for (const int width : {2, 3, 6, 7}) {
    const core::Matrix table = matrix(values, 3, width);
    nn::fill_sinusoids(1, options, table);
    const int half = width / 2;
    for (int t = 0; t < 3; ++t) {
      for (int i = 0; i < half; ++i) {
        const double angle = (t + 1) * std::pow(10000.0, -static_cast<double>(i) / std::max(half - 1, 1));
        CHECK(std::abs(static_cast<double>(table.row(t)[i]) - std::sin(angle)) <= kTolerance);
        CHECK(std::abs(static_cast<double>(table.row(t)[half + i]) - std::cos(angle)) <= kTolerance);
      }
      if (width % 2 == 1) CHECK(core::bits_of(table.row(t)[width - 1]) == 0);
    }
  }
}

TEST_CASE("A position has the same bits in a table of any length") {
  std::vector<float> long_values;
  std::vector<float> short_values;
  const core::Matrix whole = matrix(long_values, 40, 9);
  nn::fill_sinusoids(0, {}, whole);
  for (int t = 0; t < 40; ++t) {
    const core::Matrix one = matrix(short_values, 1, 9);
    nn::fill_sinusoids(t, {}, one);
    for (int j = 0; j < 9; ++j) REQUIRE(core::bits_of(one.row(0)[j]) == core::bits_of(whole.row(t)[j]));
  }
}

TEST_CASE("Rotary cosines and sines belong to the positions asked for, in any order") {
  std::vector<float> cosine_values;
  std::vector<float> sine_values;
  const std::vector<int> positions{0, 7, 7, 4999, 1};
  const core::Matrix cosines = matrix(cosine_values, 5, 6);
  const core::Matrix sines = matrix(sine_values, 5, 6);
  nn::fill_rotary(positions, 10000.0, cosines, sines);
  for (int t = 0; t < 5; ++t)
    for (int i = 0; i < 6; ++i) {
      const double angle = paper_angle(positions[static_cast<std::size_t>(t)], i, 12);
      CHECK(std::abs(static_cast<double>(cosines.row(t)[i]) - std::cos(angle)) <= kTolerance);
      CHECK(std::abs(static_cast<double>(sines.row(t)[i]) - std::sin(angle)) <= kTolerance);
    }
}
