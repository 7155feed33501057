// What the lesson kv-cache claims, against its own numbers.
#include <algorithm>

#include "core/bits.h"
#include "lessons/kv_cache/board.h"
#include "lessons/kv_cache/decode.h"
#include "lessons/kv_cache/experiment.h"
#include "lessons/session.h"
#include "nn/inference.h"
#include "nn/transformer.h"
#include "support/catch.h"

using namespace attn;
using namespace attn::lessons::kv_cache;
using lessons::Answer;
using tape::Site;

namespace {

constexpr int kQuestion = 6;

Experiment run(const Settings& settings) { return run_experiment(settings, {}, nullptr).value(); }

core::TensorView tensor(Experiment&& gone, const tape::Label& label) = delete;  // its tape would be gone
core::TensorView tensor(const Experiment& experiment, const tape::Label& label) {
  return experiment.run.tape().tensor(label);
}

using core::same_bits;

/// Multiplications of a stack on t new rows with p rows in the cache, from the formulas.
float multiplications(const Settings& settings, int t, int p) {
  const int d = settings.d_model;
  const int norms = 2 * settings.n_layers + 1;
  // W_q, W_k, W_v, W_o and two maps of width 2·d; scores and context; γ and the squares of each norm.
  return static_cast<float>(settings.n_layers * (8 * t * d * d + 2 * t * (t + p) * d) + norms * 2 * t * d);
}

}  // namespace

TEST_CASE(
    "with and without the cache every step has the same bits, whatever the model's size (transformers #25420 "
    "#17490 #27040, llama.cpp #7859)") {
  for (const int length : {2, 5, 16})
    for (const int d_model : {8, 32})
      for (const int n_layers : {1, 3}) {
        const Settings settings{.seed = length,
                                .length = length,
                                .d_model = d_model,
                                .n_heads = d_model / 8,
                                .n_layers = n_layers};
        CAPTURE(length, d_model, n_layers);
        const Experiment experiment = run(settings);
        CHECK(experiment.findings.shared_rows_ulp == 0);
        CHECK(experiment.findings.steps_ulp == 0);
        CHECK(experiment.findings.weights_ulp == 0);
        CHECK(experiment.findings.cached_numbers == 2 * n_layers * length * d_model);
        CHECK(same_bits(tensor(experiment, of_steps(settings, Site::weights)).flat(),
                        tensor(experiment, of_pass(settings, Site::weights)).flat()));
      }
}

TEST_CASE("the keys of the step before are the first rows of this step's") {
  const Settings settings;
  const Experiment experiment = run(settings);
  const core::TensorView before = tensor(experiment, of_steps(settings, Site::key));
  const core::TensorView now = tensor(experiment, of_pass(settings, Site::key));
  CHECK(before.shape == core::Shape{2, settings.length - 1, 4});
  const auto head = static_cast<std::size_t>((settings.length - 1) * 4);
  CHECK(same_bits(before.flat().first(head), now.flat().first(head)));
}

TEST_CASE("a step on the tape has the output bits of nn::decode over all tokens") {
  const Settings settings{.length = 6};
  const nn::Transformer model = make_model(settings).value();
  const std::vector<int> tokens = speak(model, settings, {}).tokens;
  tape::Tape whole;
  const tape::Value x = nn::embed(whole, model, tape::Stack::decoder, tokens);
  const core::TensorView expected = whole.tensor(nn::decode(whole, model, x, nn::Mask::causal()));
  const core::TensorView words = whole.tensor(x);
  for (const int chunk : {1, 2, 3, 6}) {
    tape::Tape steps;
    std::vector<Past> past;
    for (int t = 0; t < 6; t += chunk) {
      const core::TensorView rows = core::rows_of(words, t, chunk);
      const nn::Mask mask = nn::Mask::causal_bottom_right(chunk, t + chunk);
      const tape::Value output = decode_with_past(steps, model, steps.leaf(rows, {}), mask, past);
      CHECK(same_bits(steps.tensor(output).flat(), core::rows_of(expected, t, chunk).flat()));
    }
  }
}

TEST_CASE("multiplications without the cache are a triangle, with it a line with a small slope") {
  for (const Settings& settings : {Settings{}, Settings{.length = 16, .d_model = 32, .n_layers = 3}}) {
    const Experiment experiment = run(settings);
    float without = 0.0f;
    float with = 0.0f;
    for (int t = 1; t <= settings.length; ++t) {
      const auto at = [&](Column column) { return figure(experiment.run, t - 1, column); };
      CHECK(at(Column::tokens) == static_cast<float>(t));
      CHECK(at(Column::without_cache) == multiplications(settings, t, 0));
      CHECK(at(Column::with_cache) == multiplications(settings, 1, t - 1));
      without += at(Column::without_cache);
      with += at(Column::with_cache);
      CHECK(at(Column::total_without) == without);
      CHECK(at(Column::total_with) == with);
    }
  }
}

TEST_CASE(
    "with the corner at the top left the newest of T queries sees T keys, at the bottom right all (pytorch "
    "#103082 #108108 #144858, flash-attention #517)") {
  for (int added = 1; added <= 8; ++added) {
    const Settings settings{.new_tokens = added, .corner = Corner::top_left};
    const Experiment experiment = run(settings);
    for (const Figure mask : {Figure::top_left, Figure::bottom_right}) {
      CHECK(tensor(experiment, label_of(mask)).shape == core::Shape{added, settings.length});
      const auto newest = tensor(experiment, keys_seen(mask)).flat().back();
      CHECK(newest == static_cast<float>(mask == Figure::top_left ? added : settings.length));
    }
    CHECK(experiment.findings.newest(Corner::bottom_right) == 0);
    CHECK((experiment.findings.newest(Corner::top_left) == 0) == (added == settings.length));
  }
}

TEST_CASE("how many keys a query sees is a count beside its row, no sum of weights") {
  const Experiment experiment = run({.new_tokens = 3});
  const lessons::Sheet& sheet = experiment.run.board->sheets[static_cast<std::size_t>(Picture::masks)];
  for (const lessons::Block& block : sheet.blocks) {
    CHECK(block.row_figures.site == Site::figures);
    const core::TensorView seen = tensor(experiment, block.row_figures);
    const core::TensorView mask = tensor(experiment, block.tensor);
    for (int row = 0; row < 3; ++row) {
      float count = 0.0f;
      for (int key = 0; key < 8; ++key) count += mask.values[row * 8 + key];
      CHECK(seen.values[row] == count);
    }
  }
  CHECK(keys_seen(Figure::top_left) != keys_seen(Figure::bottom_right));
  for (const Figure figure : {Figure::steps, Figure::top_left, Figure::bottom_right})
    for (const Figure mask : {Figure::top_left, Figure::bottom_right})
      CHECK(label_of(figure) != keys_seen(mask));
}

TEST_CASE("the first step says that tokens are letters, and which") {
  const lessons::Session session = lessons::Session::open("kv-cache").value();
  CHECK(session.step().narration.en.find("a letter from a to l.") != std::string::npos);
  CHECK(session.step().narration.zh.find("a 到 l 的一个字母") != std::string::npos);
  for (const std::string& word : session.run().target_words)
    CHECK((word.size() == 1 && word[0] >= 'a' && word[0] <= 'l'));
}

TEST_CASE("a single query under the top-left corner gives the first key all its weight") {
  const Settings settings{.corner = Corner::top_left};
  const Experiment experiment = run(settings);
  const core::TensorView weights = tensor(experiment, corner_weights());
  REQUIRE(weights.shape == core::Shape{2, 8, 8});
  for (int head = 0; head < 2; ++head)
    for (int key = 0; key < 8; ++key)
      CHECK(weights.values[(head * 8 + 7) * 8 + key] == (key == 0 ? 1.0f : 0.0f));
}

TEST_CASE("the wrong corner is found harmless exactly when all tokens come at once") {
  lessons::Session session = lessons::Session::open("kv-cache").value();
  REQUIRE(session.go_to_step(kQuestion).ok());
  REQUIRE(session.set_parameter("new_tokens", 8).ok());
  CHECK(session.step().answer == Answer::open);
  REQUIRE(session.set_parameter("corner", 1).ok());
  CHECK(session.step().answer == Answer::right);
  for (int added = 1; added < 8; ++added) {
    REQUIRE(session.set_parameter("new_tokens", added).ok());
    CHECK(session.step().answer == Answer::wrong);
  }
  REQUIRE(session.set_parameter("length", 2).ok());
  REQUIRE(session.set_parameter("new_tokens", 2).ok());
  CHECK(session.step().answer == Answer::right);
}

TEST_CASE("a step on the tape has the bits of the engine's own cache") {
  const Settings settings{.seed = 3, .length = 7, .n_layers = 3};
  const nn::Transformer model = make_model(settings).value();
  const Spoken spoken = speak(model, settings, {});
  nn::KvCache cache(model.config);
  nn::Workspace workspace;
  nn::KvCache* caches[] = {&cache};
  const int counts[] = {1};
  core::Tensor output(core::Shape{1, settings.d_model});
  for (int t = 0; t < settings.length; ++t) {
    nn::decode(model, core::as_matrix(core::rows_of(spoken.words.view(), t, 1)), counts, caches,
               nn::Mask::causal(), nn::Mask::none(), workspace,
               core::as_rows(output.values(), output.shape()));
    CHECK(same_bits(output.flat(), core::rows_of(spoken.outputs.view(), t, 1).flat()));
  }
  CHECK(spoken.cached_numbers == 2 * cache.n_layers() * cache.length() * cache.heads().row_width());
}

TEST_CASE("a changed vector changes the keys of its own row and later ones, and both ways stay equal") {
  const Settings settings;
  const lessons::CellEdit edits[] = {{kWords, 0, 4, 2, 3.0f}, {kWords, 0, 6, 0, -1000.0f}};
  const Experiment before = run(settings);
  const Experiment after = run_experiment(settings, edits, nullptr).value();
  CHECK(tensor(after, kWords).values[4 * settings.d_model + 2] == 3.0f);
  CHECK(after.findings.shared_rows_ulp == 0);
  CHECK(after.findings.steps_ulp == 0);
  CHECK(after.findings.weights_ulp == 0);
  const core::TensorView own = tensor(before, of_pass(settings, Site::key));
  const core::TensorView changed = tensor(after, of_pass(settings, Site::key));
  const auto row_of = [](core::TensorView keys, int row) {  // of the first head
    return keys.flat().subspan(static_cast<std::size_t>(row * 4), 4);
  };
  for (int row = 0; row < settings.length; ++row)
    CHECK(same_bits(row_of(own, row), row_of(changed, row)) == (row < 4));
}

TEST_CASE("steps are timed when the reader comes to their step, not when the lesson is opened") {
  lessons::Session session = lessons::Session::open("kv-cache").value();
  const auto blocks = [&] {
    return session.run().board->sheets[static_cast<std::size_t>(Picture::timed)].blocks.size();
  };
  CHECK(blocks() == 1);
  REQUIRE(session.go_to_step(4).ok());
  CHECK(blocks() == 2);
  REQUIRE(session.set_parameter("timed", 0).ok());
  CHECK(blocks() == 1);
  REQUIRE(session.go_to_step(5).ok());
  CHECK(blocks() == 1);
}
