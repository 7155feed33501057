// What the lesson positions claims, against its own numbers.
#include "lessons/positions/experiment.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include "core/bits.h"
#include "lessons/session.h"
#include "support/catch.h"

using namespace attn;
using namespace attn::lessons::positions;
using lessons::Answer;
using tape::Site;

namespace {

constexpr int kSeeds = 50;
constexpr int kTableStep = 2;
constexpr int kLayoutStep = 5;
constexpr int kQuestionStep = 7;
constexpr int kOrderCount = kSawsSwapped + 1;

lessons::Session open() { return lessons::Session::open("positions").value(); }

std::span<const float> values(const lessons::Run& run, const tape::Label& label) {
  return run.tape().tensor(label).flat();
}

using core::same_bits;

/// Of the sinusoidal table.
float encoding(const lessons::Run& run, const Settings& settings, int position, int column) {
  return values(
      run, table_label(kSinusoidalTable))[static_cast<std::size_t>(position * settings.d_model + column)];
}

// Exact values and the table's rounding: half an ulp of 1, and what float adds to the comparison.
constexpr double kHalfUlp = 6e-8;

}  // namespace

TEST_CASE(
    "positions: without them outputs follow their words, equal to the bit up to the first sum over words") {
  double largest = 0.0;
  std::uint32_t ulp = 0;
  for (Settings settings; settings.seed < kSeeds; ++settings.seed)
    for (settings.order = 0; settings.order < kOrderCount; ++settings.order)
      for (const int d_model : {3, 8, 64}) {
        settings.d_model = d_model;
        const lessons::Run run = run_experiment(settings);
        CAPTURE(settings.seed, settings.order, d_model);
        for (const Compared what : {kInput, kQuery, kKey, kValue, kScores})
          CHECK(change_of(run, settings, what).equal());
        const Change weights = change_of(run, settings, kWeights);
        CHECK(weights.largest <= 2.4e-7f);  // two ulps of 1
        // (0+1)+(2+3): only where I and a share a pair are other exponentials added first.
        if (settings.order != kMiddleSwapped) CHECK(weights.equal());
        const Change output = change_of(run, settings, kOutput);
        CHECK(output.largest <= 4e-6f);
        if (settings.order == kAsWritten || settings.order == kSawsSwapped) CHECK(output.equal());
        largest = std::max(largest, static_cast<double>(output.largest));
        ulp = std::max(ulp, output.ulp);
      }
  CHECK(largest > 0.0);
  INFO("largest " << largest << ", ULP there at most " << ulp);
  CHECK(largest < static_cast<double>(kRounding));
}

TEST_CASE("positions: in some seeds splitting softmax's pairs rounds the weights differently") {
  int different = 0;
  for (Settings settings{.order = kMiddleSwapped}; settings.seed < kSeeds; ++settings.seed)
    if (!change_of(run_experiment(settings), settings, kWeights).equal()) ++different;
  CAPTURE(different);
  CHECK(different > 0);
}

TEST_CASE("positions: with them the same word in another place gets another output") {
  for (const int kind : {kSinusoidal, kLearned})
    for (Settings settings{.kind = kind}; settings.seed < kSeeds; ++settings.seed)
      for (const int order : {kReversed, kMiddleSwapped, kLastFirst, kSawsSwapped}) {
        settings.order = order;
        const lessons::Run run = run_experiment(settings);
        CAPTURE(kind, settings.seed, order);
        CHECK(change_of(run, settings, kInput).largest > 0.1f);
        CHECK(change_of(run, settings, kOutput).largest > 0.01f);
      }
  // The two saws swapped is the same sentence: place by place the same bits.
  const lessons::Run run = run_experiment({.kind = kSinusoidal, .order = kSawsSwapped});
  CHECK(same_bits(values(run, label_of(kWritten, Site::context)),
                  values(run, label_of(kReordered, Site::context))));
}

TEST_CASE("positions: the two saws are equal to the bit without them, apart with them") {
  for (const int order : {kAsWritten, kReversed, kMiddleSwapped, kLastFirst, kSawsSwapped}) {
    const Settings none{.order = order};
    CHECK(between_saws(run_experiment(none), none).equal());
    for (const int kind : {kSinusoidal, kLearned}) {
      const Settings settings{.kind = kind, .order = order};
      CHECK(between_saws(run_experiment(settings), settings).largest > 0.01f);
    }
  }
}

TEST_CASE("positions: x is the word plus its place, one rounding") {
  const lessons::Run run = run_experiment({.d_model = 16, .kind = kSinusoidal, .order = kMiddleSwapped});
  const auto words = values(run, words_label(kReordered));
  const auto places = values(run, label_of(kReordered, Site::position));
  const auto x = values(run, label_of(kReordered, Site::embedding));
  for (std::size_t i = 0; i < x.size(); ++i)
    CHECK(core::bits_of(x[i]) == core::bits_of(words[i] + places[i]));
  CHECK(same_bits(places, values(run, table_label(kSinusoidalTable)).first(places.size())));
}

TEST_CASE("positions: golden values of the paper's encoding (DeepCTR #379, SamLynnEvans/Transformer #25)") {
  const Settings narrow{.d_model = 4};
  const lessons::Run run = run_experiment(narrow);
  const double golden[] = {0.8414709848, 0.5403023059, 0.0099998333, 0.9999500004};  // position 1, d = 4
  for (int j = 0; j < 4; ++j)
    CHECK(std::fabs(static_cast<double>(encoding(run, narrow, 1, j)) - golden[j]) < kHalfUlp);
  // The same exponent for both of a pair; the bugs: 2·(2i)/d, as the loop variable already steps by two; an
  // exponent of the cosine's own, (2i + 1)/d or (2i + 2)/d.
  for (const int d_model : {8, 32, 64}) {
    const Settings settings{.d_model = d_model};
    const lessons::Run wide = run_experiment(settings);
    for (int position = 0; position < kRows; ++position)
      for (int j = 0; j < d_model; ++j) {
        const double angle = position / std::pow(10000.0, 2.0 * (j / 2) / d_model);
        const double expected = j % 2 == 0 ? std::sin(angle) : std::cos(angle);
        CHECK(std::fabs(static_cast<double>(encoding(wide, settings, position, j)) - expected) < kHalfUlp);
      }
    for (const double own : {3.0 / d_model, 4.0 / d_model})
      CHECK(std::fabs(static_cast<double>(encoding(wide, settings, 1, 3)) -
                      std::cos(std::pow(10000.0, -own))) > 0.004);
    CHECK(std::fabs(static_cast<double>(encoding(wide, settings, 1, 2)) -
                    std::sin(std::pow(10000.0, -4.0 / d_model))) > 0.01);
    CHECK(pair_error(wide, settings) < 2.5e-7f);
  }
}

TEST_CASE("positions: odd widths have one sine more than cosines (base-llm #67)") {
  for (const int d_model : {3, 5, 7})
    for (const int layout : {kInterleaved, kHalves}) {
      const Settings settings{.d_model = d_model, .kind = kSinusoidal, .layout = layout};
      const lessons::Run run = run_experiment(settings);
      CAPTURE(d_model, layout);
      CHECK(pairs_of(settings) == d_model / 2 + 1);
      std::vector<int> seen;
      for (int i = 0; i < pairs_of(settings); ++i) {
        const auto [sine, cosine] = columns_of(settings, i);
        CHECK((cosine < 0) == (i == pairs_of(settings) - 1));
        seen.push_back(sine);
        if (cosine >= 0) seen.push_back(cosine);
        const double f = std::pow(10000.0, -2.0 * i / d_model);
        CHECK(static_cast<double>(encoding(run, settings, 5, sine)) ==
              Approx(std::sin(5.0 * f)).margin(kHalfUlp));
        if (cosine >= 0)
          CHECK(static_cast<double>(encoding(run, settings, 5, cosine)) ==
                Approx(std::cos(5.0 * f)).margin(kHalfUlp));
      }
      std::sort(seen.begin(), seen.end());
      for (int j = 0; j < d_model; ++j) CHECK(seen[static_cast<std::size_t>(j)] == j);
      CHECK(change_of(run, settings, kOutput).largest > 0.01f);
    }
}

TEST_CASE("positions: both layouts have the same columns") {
  for (const int d_model : {2, 7, 8, 64}) {
    const Settings interleaved{.d_model = d_model};
    const Settings halves{.d_model = d_model, .layout = kHalves};
    const lessons::Run run = run_experiment(interleaved);
    const auto left = values(run, table_label(kInterleavedTable));
    const auto right = values(run, table_label(kHalvesTable));
    for (int i = 0; i < pairs_of(interleaved); ++i) {
      const Columns from = columns_of(interleaved, i), to = columns_of(halves, i);
      for (int row = 0; row < kFewRows; ++row) {
        const auto at = [&](int column) { return static_cast<std::size_t>(row * d_model + column); };
        CHECK(core::bits_of(left[at(from.sine)]) == core::bits_of(right[at(to.sine)]));
        if (from.cosine >= 0)
          CHECK(core::bits_of(left[at(from.cosine)]) == core::bits_of(right[at(to.cosine)]));
      }
    }
  }
}

TEST_CASE("positions: wavelengths grow from 2 pi towards 10000 times that, and columns repeat after them") {
  const Settings settings{.d_model = 64};
  const lessons::Run run = run_experiment(settings);
  CHECK(static_cast<double>(wavelength(settings, 0)) == Approx(2.0 * std::numbers::pi));
  CHECK(static_cast<double>(wavelength(settings, 31)) ==
        Approx(2.0 * std::numbers::pi * std::pow(10000.0, 62.0 / 64.0)));
  CHECK(wavelength(settings, 31) < 62831.0f);
  for (int i = 1; i < 32; ++i)
    CHECK(static_cast<double>(wavelength(settings, i) / wavelength(settings, i - 1)) ==
          Approx(std::pow(10000.0, 1.0 / 32.0)).epsilon(1e-5));
  for (int i = 0; i < 32; ++i) {
    const double angle = 2.0 * std::numbers::pi * 10.0 / static_cast<double>(wavelength(settings, i));
    CHECK(static_cast<double>(encoding(run, settings, 10, 2 * i)) == Approx(std::sin(angle)).margin(2e-6));
  }
}

TEST_CASE("positions: products of rows depend on the distance alone when the width is even") {
  for (const int d_model : {2, 8, 64}) {
    const Settings settings{.d_model = d_model};
    const lessons::Run run = run_experiment(settings);
    CAPTURE(d_model);
    CHECK(spread_over_distances(run, kSinusoidalTable) < 3e-5f);  // 64 terms up to 1, each sum rounded
    CHECK(spread_over_distances(run, kLearnedTable) > 1.0f);
    const auto products = values(run, products_label(kSinusoidalTable));
    for (int k = 0; k < kRows; ++k) {
      double expected = 0.0;
      for (int i = 0; i < d_model / 2; ++i) expected += std::cos(k * std::pow(10000.0, -2.0 * i / d_model));
      CHECK(static_cast<double>(products[static_cast<std::size_t>(k)]) == Approx(expected).margin(3e-5));
    }
  }
  for (const int d_model : {3, 5, 7}) {
    const float spread = spread_over_distances(run_experiment({.d_model = d_model}), kSinusoidalTable);
    CAPTURE(d_model, spread);
    CHECK(spread > 1e-4f);
  }
}

TEST_CASE("positions: steps choose their widths, the question is answered by positions and not by an order") {
  lessons::Session session = open();
  REQUIRE(session.go_to_step(kTableStep).ok());
  CHECK(session.value_of("d_model") == kWidest);
  for (int step = kTableStep; step <= kLayoutStep; ++step) {  // these show the sinusoidal encoding
    REQUIRE(session.go_to_step(step).ok());
    CHECK(session.value_of("positions") == kSinusoidal);
  }
  REQUIRE(session.go_to_step(kLayoutStep).ok());
  CHECK(session.value_of("d_model") == 7);
  REQUIRE(session.go_to_step(kQuestionStep).ok());
  CHECK(session.value_of("d_model") == kInitialWidth);
  CHECK(session.step().answer == Answer::open);
  REQUIRE(session.set_parameter("order", kLastFirst).ok());
  CHECK(session.step().answer == Answer::wrong);
  REQUIRE(session.set_parameter("positions", kLearned).ok());
  CHECK(session.step().answer == Answer::right);
}

TEST_CASE("positions: a changed word vector is both saws', which stay equal to the bit without positions") {
  for (const float value : {0.5f, -1000.0f, 1000.0f})
    for (int order = 0; order < kOrderCount; ++order) {
      const lessons::CellEdit edits[] = {{kWordTable, 0, 1, 3, value}, {kWordTable, 0, 0, 2, -value}};
      const Settings settings{.order = order};
      const lessons::Run run = run_experiment(settings, edits);
      const auto x = values(run, label_of(kReordered, Site::embedding));
      for (const int saw : saws_of(order)) CHECK(x[static_cast<std::size_t>(saw * 8 + 3)] == value);
      CHECK(between_saws(run, settings).equal());
      for (const Compared what : {kInput, kQuery, kKey, kValue, kScores})
        CHECK(change_of(run, settings, what).equal());
      for (const lessons::Block& block : run.board->sheets[0].blocks)
        CHECK(block.verdict.role != lessons::Role::different);
    }
}

TEST_CASE("positions: time of one run", "[.timing]") {
  using Clock = std::chrono::steady_clock;
  double best = 1e9;
  for (int i = 0; i < 20; ++i) {
    const Clock::time_point start = Clock::now();
    run_experiment({.d_model = kWidest, .kind = kLearned});
    best = std::min(best, std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  }
  WARN("positions " << best << " ms");
}
