// What the lesson multi-head claims, against its own numbers.
#include "lessons/multi_head/experiment.h"

#include <algorithm>
#include <cmath>

#include "core/bits.h"
#include "lessons/multi_head/board.h"
#include "lessons/session.h"
#include "nn/attention.h"
#include "support/catch.h"
#include "tape/explain.h"
#include "tape/ops.h"

using namespace attn;
using namespace lessons::multi_head;
using tape::Site;

namespace {

constexpr int kWords = 4;
constexpr int kQuestion = 8;  // the step that asks

lessons::Session open() { return lessons::Session::open("multi-head").value(); }

core::TensorView tensor(const lessons::Session& session, const tape::Label& label) {
  const tape::Tape& tape = session.run().tape();
  return tape.tensor(label);
}

void set(lessons::Session& session, const char* name, int value) {
  REQUIRE(session.set_parameter(name, value).ok());
}

using core::same_bits;

std::uint32_t ulp_to_self_attention(const lessons::Session& session) {
  return distance_between(session.run().tape(), label_of(Site::attention), single_label(Site::context)).ulp;
}

float counted(const lessons::Session& session, Counted row, int column) {
  const core::TensorView figures = tensor(session, kCountFigures);
  return figures.values[row * figures.shape[1] + column];
}

const lessons::Table& table_of(const lessons::Session& session, int sheet) {
  return session.run().board->sheets[static_cast<std::size_t>(sheet)].blocks[0].table;
}

}  // namespace

TEST_CASE("multi-head: head h is the columns h·d_k to (h+1)·d_k of the whole query, key and value") {
  lessons::Session session = open();
  for (const int heads : {1, 2, 4, 8}) {
    set(session, "heads", heads);
    for (const Site site : {Site::query, Site::key, Site::value}) {
      const core::TensorView whole = tensor(session, single_label(site));
      const core::TensorView cut = tensor(session, label_of(site));
      REQUIRE(cut.shape == core::Shape{heads, kWords, 8 / heads});
      for (int h = 0; h < heads; ++h)
        for (int t = 0; t < kWords; ++t)
          CHECK(same_bits(cut.flat().subspan(static_cast<std::size_t>((h * kWords + t) * 8 / heads),
                                             static_cast<std::size_t>(8 / heads)),
                          whole.flat().subspan(static_cast<std::size_t>(t * 8 + h * 8 / heads),
                                               static_cast<std::size_t>(8 / heads))));
    }
  }
}

TEST_CASE("multi-head: the board's numbers are those of nn::multi_head_attention") {
  lessons::Session session = open();
  for (const int heads : {1, 2, 8}) {
    set(session, "heads", heads);
    std::array<kernels::PackedMatrix, 4> packed;
    std::array<nn::LinearView, 4> views;
    constexpr Site kSites[] = {Site::query_weight, Site::key_weight, Site::value_weight, Site::output_weight};
    for (std::size_t i = 0; i < 4; ++i) {
      const core::TensorView weight = tensor(session, label_of(kSites[i]));
      kernels::pack_transposed(core::as_matrix(weight), packed[i]);
      views[i] = {weight, {}, &packed[i]};
    }
    tape::Tape tape;
    const tape::Value x = tape.leaf(tensor(session, label_of(Site::embedding)), {});
    const tape::Value output =
        nn::multi_head_attention(tape, {heads, views[0], views[1], views[2], views[3]}, x, x, x,
                                 nn::Mask::none(), {}, label_of(Site::unnamed));
    CHECK(same_bits(tape.tensor(output).flat(), tensor(session, label_of(Site::attention)).flat()));
  }
}

TEST_CASE("multi-head: one head is self-attention to the bit when W_o = I, and only then") {
  lessons::Session session = open();
  for (const int seed : {0, 1, 42, 9999})
    for (const int width : {8, 16})
      for (const int heads : {1, 2, 4, 8})
        for (const int identity : {0, 1}) {
          set(session, "seed", seed);
          set(session, "d_model", width);
          set(session, "heads", heads);
          set(session, "identity", identity);
          CAPTURE(seed, width, heads, identity);
          CHECK((ulp_to_self_attention(session) == 0) == (heads == 1 && identity == 1));
          const lessons::Verdict& verdict = session.run().board->sheets[kCompare].blocks[1].verdict;
          CHECK((verdict.text.en == "0 ULP") == (heads == 1 && identity == 1));
        }
}

TEST_CASE("multi-head: parameters and multiplications don't depend on the number of heads") {
  lessons::Session session = open();
  for (const int width : {8, 16}) {
    set(session, "d_model", width);
    const auto d = static_cast<float>(width);
    CHECK(counted(session, kParameterCount, 0) == 3.0f * d * d);
    CHECK(counted(session, kMultiplications, 0) == 3.0f * kWords * d * d + 2.0f * kWords * kWords * d);
    for (int column = 1; column <= 4; ++column) {
      CHECK(counted(session, kParameterCount, column) == 4.0f * d * d);
      CHECK(counted(session, kOutput, column) == kWords * d * d);
      CHECK(counted(session, kMultiplications, column) - counted(session, kMultiplications, 0) ==
            counted(session, kOutput, column));
      CHECK(counted(session, kExponentials, column) ==
            static_cast<float>(kHeadCounts[column - 1] * kWords * kWords));
    }
    CHECK(counted(session, kOutput, 0) == 0.0f);
    CHECK(counted(session, kExponentials, 0) == counted(session, kExponentials, 1));
  }
}

TEST_CASE("multi-head: the shapes at every arrow, the reader's and the document's") {
  lessons::Session session = open();
  const lessons::Table& table = table_of(session, kShapes);
  const char* const expected[][2] = {{"(4, 8)", "(2, 7, 512)"},      {"(4, 8)", "(2, 7, 512)"},
                                     {"(2, 4, 4)", "(2, 8, 7, 64)"}, {"(2, 4, 4)", "(2, 8, 7, 7)"},
                                     {"(2, 4, 4)", "(2, 8, 7, 7)"},  {"(2, 4, 4)", "(2, 8, 7, 64)"},
                                     {"(4, 8)", "(2, 7, 512)"},      {"(4, 8)", "(2, 7, 512)"}};
  REQUIRE(table.rows.size() == std::size(expected));
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    for (std::size_t j = 0; j < 2; ++j) CHECK(table.rows[i].cells[j].en == expected[i][j]);
  CHECK(tensor(session, kShapeFigures).values[2 * 8 + 4] == 2.0f);
  CHECK(tensor(session, kShapeFigures).values[2 * 8 + 7] == 64.0f);
}

TEST_CASE("multi-head: the mean of heads is labelled as such and is no head's weights (pytorch #47583)") {
  lessons::Session session = open();
  const core::TensorView mean = tensor(session, kMeanWeights);
  const core::TensorView weights = tensor(session, label_of(Site::weights));
  REQUIRE(mean.shape == core::Shape{1, kWords, kWords});
  const auto size = static_cast<std::size_t>(mean.size());
  for (std::size_t i = 0; i < size; ++i)
    CHECK(mean.values[i] == (weights.values[i] + weights.values[size + i]) / 2.0f);
  for (std::size_t h = 0; h < 2; ++h)
    CHECK_FALSE(same_bits(mean.flat(), weights.flat().subspan(h * size, size)));
  int labelled = 0;
  for (const lessons::Block& block : session.run().board->sheets[kLook].blocks)
    if (block.tensor == kMeanWeights && block.kind == lessons::BlockKind::matrix) {
      ++labelled;
      CHECK(std::string(block.title.en) == "Mean of heads");
      CHECK(std::string(block.title.zh) == "各头的平均");
    }
  CHECK(labelled == 1);
  const tape::Tape& tape = session.run().tape();
  CHECK(tape::explain(tape, tape.find(kMeanWeights), {0, 1, 2}).terms.size() == 2);
  set(session, "heads", 1);
  CHECK(same_bits(tensor(session, kMeanWeights).flat(), tensor(session, label_of(Site::weights)).flat()));
}

TEST_CASE("multi-head: a head that is off leaves zeros, and W_o carries its absence into every column") {
  lessons::Session session = open();
  for (const int heads : {1, 2, 4, 8})
    for (const int off : {0, 1}) {
      set(session, "heads", heads);
      set(session, "head_off", off);
      const int width = 8 / heads;
      const int head = off == 0 ? 0 : heads - 1;
      const core::TensorView rows = tensor(session, label_of(Site::concatenated));
      for (int t = 0; t < kWords; ++t)
        for (int j = 0; j < 8; ++j)
          CHECK((core::bits_of(rows.values[t * 8 + j]) == 0) == (j / width == head));
      set(session, "identity", 0);
      CHECK(changed_columns(session.run().tape()) == 8);
      set(session, "identity", 1);
      CHECK(changed_columns(session.run().tape()) == width);
      const core::TensorView change = tensor(session, kChange);
      for (int j = 0; j < 8; ++j) CHECK((change.values[j] != 0.0f) == (j / width == head));
    }
  set(session, "head_off", -1);
  CHECK(changed_columns(session.run().tape()) == 0);
}

TEST_CASE("multi-head: a cell of the change explains itself as the output less the output with every head") {
  lessons::Session session = open();
  for (const int off : {-1, 0, 1}) {
    set(session, "head_off", off);
    const tape::Tape& tape = session.run().tape();
    const tape::Explanation cell = tape::explain(tape, tape.find(kChange), {2, 5});
    CHECK(cell.form == tape::Form::difference);
    REQUIRE(cell.terms.size() == 2);
    CHECK(cell.terms[0].a.label == label_of(Site::attention));
    CHECK(cell.terms[1].a.label == kWithEveryHead);
    CHECK(tape::symbol_of(cell.terms[0].a.label.site) != tape::symbol_of(cell.terms[1].a.label.site));
  }
}

TEST_CASE("multi-head: readers count heads from 1, in the text as in the selector") {
  lessons::Session session = open();
  for (const int heads : {1, 2, 8}) {
    set(session, "heads", heads);
    for (const int off : {-1, 0, 1}) {
      set(session, "head_off", off);
      const std::string last = std::to_string(heads);
      for (const lessons::Step& step : session.run().steps) {
        const std::string en = step.narration.en, zh = step.narration.zh;
        CAPTURE(en, zh);
        CHECK(en.find("ead 0") == std::string::npos);
        CHECK(zh.find("头 0") == std::string::npos);
        CHECK(zh.find("第 0 头") == std::string::npos);
      }
      CHECK(session.run().steps[kMix].narration.en.find("head " + last + " in columns") != std::string::npos);
      CHECK(session.run().steps[kMix].narration.zh.find("第 " + last + " 头在") != std::string::npos);
      CHECK(session.run().steps[kMix].formula.text.find("head₁, …, headₕ)") != std::string::npos);
      CHECK(session.run().steps[kMix].formula.mathml.find("<mn>0</mn>") == std::string::npos);
      CHECK(session.run().steps[kSplit].formula.text.find("i = 1 … h") != std::string::npos);
      const std::string& switched = session.run().steps[kSwitch].narration.en;
      if (off >= 0) CHECK(switched.find("head " + (off == 0 ? "1" : last) + " is set") != std::string::npos);
    }
  }
}

TEST_CASE("multi-head: every shown cell that is computed recomputes to its own bits") {
  lessons::Session session = open();
  for (const int off : {-1, 1}) {
    set(session, "head_off", off);
    const tape::Tape& tape = session.run().tape();
    for (const lessons::Sheet& sheet : session.run().board->sheets)
      for (const lessons::Block& block : sheet.blocks) {
        const tape::Value value = tape.find(block.tensor);
        if (tape.entry(value).op == tape::Op::leaf) continue;
        const core::Shape shape = tape.tensor(value).shape;
        CAPTURE(tape::to_string(block.tensor));
        for (int i = 0; i < shape.size(); ++i) {
          std::array<int, 4> index{};
          for (int axis = shape.rank() - 1, rest = i; axis >= 0; rest /= shape[axis--])
            index[static_cast<std::size_t>(axis)] = rest % shape[axis];
          const tape::Explanation explanation = tape::explain(tape, value, index);
          CHECK(core::bits_of(tape::recompute(explanation)) == core::bits_of(explanation.result.value));
        }
      }
  }
}

TEST_CASE("multi-head: the question is right with one head and W_o = I, wrong with either alone") {
  lessons::Session session = open();
  REQUIRE(session.go_to_step(kQuestion).ok());
  CHECK(session.step().answer == lessons::Answer::open);
  set(session, "seed", 5);
  CHECK(session.step().answer == lessons::Answer::open);
  set(session, "heads", 1);
  CHECK(session.step().answer == lessons::Answer::wrong);
  set(session, "heads", 4);
  CHECK(session.step().answer == lessons::Answer::wrong);
  set(session, "identity", 1);
  CHECK(session.step().answer == lessons::Answer::wrong);
  set(session, "heads", 1);
  CHECK(session.step().answer == lessons::Answer::right);
  CHECK(session.step().narration.en.find("{eq|equal to the bit}") != std::string::npos);
  set(session, "head_off", 0);
  CHECK(session.step().answer == lessons::Answer::wrong);
}

TEST_CASE("multi-head: the overview has every tensor from X to the output, each fed by the one before") {
  lessons::Session session = open();
  const lessons::Sheet& sheet = session.run().board->sheets[kOverview];
  const tape::Tape& tape = session.run().tape();
  CHECK(session.step().sheet == kOverview);
  for (const Site site : {Site::embedding, Site::query, Site::key, Site::value, Site::scores, Site::weights,
                          Site::context, Site::concatenated, Site::output_weight, Site::attention})
    CHECK(std::any_of(sheet.blocks.begin(), sheet.blocks.end(),
                      [&](const lessons::Block& block) { return block.tensor == label_of(site); }));
  const tape::Explanation output = tape::explain(tape, tape.find(label_of(Site::attention)), {3, 0});
  CHECK(output.terms[0].a.label == label_of(Site::concatenated));
  CHECK(output.terms[0].b.label == label_of(Site::output_weight));
}

TEST_CASE("multi-head: additions and divisions are counted; what grows with the heads are the weights") {
  lessons::Session session = open();
  CHECK(table_of(session, kCounts).rows.size() == kCountedRows);
  // d = 8, four words: 4·(4·8·8) in the linear layers, 2·(4·4·8) for scores and context, softmax 2·16 a head.
  for (int i = 0; i < 4; ++i) {
    const auto heads = static_cast<float>(kHeadCounts[i]);
    CHECK(counted(session, kAdditions, 1 + i) == 1024.0f + 256.0f + 32.0f * heads);
    CHECK(counted(session, kDivisions, 1 + i) == 32.0f * heads);
    CHECK(counted(session, kExponentials, 1 + i) == 16.0f * heads);
  }
  CHECK(counted(session, kAdditions, 0) == 1024.0f - 256.0f + 256.0f + 32.0f);
}

TEST_CASE("multi-head: a wrong answer is explained by distances of the run") {
  lessons::Session session = open();
  REQUIRE(session.go_to_step(kQuestion).ok());
  const auto says = [&](const std::string& text) {
    return session.step().narration.en.find(text) != std::string::npos;
  };
  const auto before_mixing = [&] {
    return distance_between(session.run().tape(), label_of(Site::concatenated), single_label(Site::context));
  };
  set(session, "heads", 1);
  CHECK(before_mixing().ulp == 0);
  CHECK(says("The concatenation is there: {eq|0 ULP}. But W_o still follows."));
  set(session, "heads", 4);
  CHECK(says("4 heads have 4 softmaxes: " + distance_text(before_mixing().largest) + " apart"));
  set(session, "identity", 1);
  CHECK(says("and end up " + distance_text(before_mixing().largest) + " apart"));
  set(session, "heads", 1);
  CHECK(session.step().answer == lessons::Answer::right);
  REQUIRE(session.edit_cell({label_of(Site::output_weight), 0, 0, 1}, 1.0f).ok());
  CHECK(session.step().answer == lessons::Answer::wrong);
  CHECK(says("numbers of yours keep W_o from being I"));
  set(session, "head_off", 0);
  CHECK(says("its 8 columns are all 0"));
}
