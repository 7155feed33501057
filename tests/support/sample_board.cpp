#include "support/sample_board.h"

#include <cmath>
#include <limits>

#include "lessons/numbers.h"

namespace attn::test {
namespace {

using core::Shape;
using core::Tensor;
using lessons::Block;
using lessons::BlockKind;
using lessons::Role;
using lessons::Sheet;

constexpr int kVersions = 4;
constexpr int kWords = 5;
constexpr int kLarge = 60;

constexpr lessons::Parameter kParameters[] = {
    {"size", {"大小", "Size"}, lessons::ParameterKind::number, lessons::ParameterPlace::model, 1, 9, 3},
    {"causal",
     {"因果掩码", "Causal mask"},
     lessons::ParameterKind::toggle,
     lessons::ParameterPlace::board,
     0,
     1,
     1},
};
const lessons::StepPlan kPlan[3] = {{}, {}, {.sets = {}, .hidden = {"causal"}}};
const tape::Label kEditable[] = {kSampleVectors, kSampleMask};
const tape::Label kToggled[] = {kSampleMask};

Sheet vectors_and_table(float product) {
  Block vectors{.kind = BlockKind::vectors, .tensor = kSampleVectors, .title = {"两个向量", "Two vectors"}};
  vectors.row_names = {"u", "w"};
  Block table{
      .kind = BlockKind::table, .tensor = kSampleVectors, .title = {"内积", "Inner product"}, .column = 1};
  table.table.columns = {{"值", "Value"}};
  table.table.rows = {{{"内积 a·b", "Product a·b"},
                       {{lessons::fixed(product, 2), lessons::fixed(product, 2)}},
                       Role::query,
                       true},
                      {{"夹角", "Angle"}, {{"90°", "90°"}}}};
  return {{vectors, table}};
}

Sheet mask_and_fills() {
  Sheet sheet;
  sheet.blocks.push_back({.tensor = kSampleMask, .title = {"掩码", "Mask"}});
  const Role roles[] = {Role::equal, Role::plain, Role::different, Role::different};
  for (int version = 0; version < kVersions; ++version)
    sheet.blocks.push_back({.tensor = sample_weights(version),
                            .title = {"填法", "Filled"},
                            .note = "softmax",
                            .band = 1,
                            .column = version,
                            .mask = kSampleMask,
                            .row_figures = sample_sums(version),
                            .row_figures_title = {"行和", "Sum"},
                            .shows_nan = version == kVersions - 1,
                            .verdict = {{"0 ULP", "0 ULP."}, roles[version]}});
  return sheet;
}

Sheet large_and_plots() {
  Block large{.tensor = kSampleLarge, .title = {"分数", "Scores"}};
  Block bars{.kind = BlockKind::plot, .tensor = kSampleLarge, .title = {"分布", "Histogram"}, .column = 1};
  bars.plot = {.x_name = {"分数", "score"},
               .y_name = {"个数", "count"},
               .series = {{.form = lessons::SeriesForm::bars}}};
  for (int i = -4; i <= 4; ++i) {
    bars.plot.series[0].x.push_back(static_cast<float>(i));
    bars.plot.series[0].y.push_back(static_cast<float>(100 - 6 * i * i));
  }
  Block curve{.kind = BlockKind::plot, .tensor = kSampleCurve, .title = {"随 dₖ", "Against dₖ"}, .column = 1};
  curve.plot = {.x_name = {"dₖ", "d_k"},
                .y_name = {"最大权重", "top weight"},
                .series = {{.name = {"不缩放", "unscaled"}, .role = Role::different},
                           {.name = {"缩放", "scaled"}, .role = Role::equal}},
                .log_x = true,
                .marked_x = 64.0f};
  for (int k = 4; k <= 512; k *= 2) {
    const float x = static_cast<float>(k);
    for (lessons::Series& series : curve.plot.series) series.x.push_back(x);
    curve.plot.series[0].y.push_back(1.0f - 1.0f / std::sqrt(x));
    curve.plot.series[1].y.push_back(0.3f);
  }
  return {{large, bars, curve}};
}

core::Result<lessons::Run> run(const lessons::Inputs& inputs, const lessons::Run*) {
  lessons::Run run;
  run.source_words = {"I", "saw", "a", "saw", "<eos>"};
  run.board.emplace();
  run.board->title = {"样板", "Sample board"};
  tape::Tape& tape = run.board->tape;
  Tensor vectors(Shape{2, 2});
  const float start[] = {1.5f, 0.0f, 0.0f, 1.0f};
  for (std::size_t i = 0; i < 4; ++i) vectors.values()[i] = start[i];
  lessons::apply_edits(inputs.edits, kSampleVectors, vectors);
  const float* v = vectors.values();
  const float product = v[0] * v[2] + v[1] * v[3];
  tape.leaf(vectors.view(), kSampleVectors);
  Tensor mask(Shape{kWords, kWords});
  for (int i = 0; i < kWords; ++i)
    for (int j = 0; j < kWords; ++j)
      mask.values()[i * kWords + j] = j <= i || inputs.values[1] == 0 ? 1.0f : 0.0f;
  lessons::apply_edits(inputs.edits, kSampleMask, mask);
  tape.leaf(mask.view(), kSampleMask);
  for (int version = 0; version < kVersions; ++version) {
    Tensor weights(Shape{1, kWords, kWords});
    Tensor sums(Shape{kWords});
    for (int i = 0; i < kWords; ++i)
      for (int j = 0; j < kWords; ++j) {
        const bool visible = mask.values()[i * kWords + j] != 0.0f;
        const float weight = version == 3 ? std::numeric_limits<float>::quiet_NaN()
                             : visible    ? 1.0f / static_cast<float>(i + 1)
                                          : (version == 2 ? 0.125f : 0.0f);
        weights.values()[i * kWords + j] = weight;
        sums.values()[i] += weight;
      }
    tape.leaf(weights.view(), sample_weights(version));
    tape.leaf(sums.view(), sample_sums(version));
  }
  Tensor large(Shape{kLarge, kLarge});
  for (int i = 0; i < kLarge * kLarge; ++i) large.values()[i] = std::sin(static_cast<float>(i % 97));
  tape.leaf(large.view(), kSampleLarge);
  tape.leaf(Tensor(Shape{8, 2}).view(), kSampleCurve);
  run.board->sheets = {vectors_and_table(product), mask_and_fills(), large_and_plots()};
  const tape::Label focus[] = {kSampleVectors, kSampleMask, kSampleLarge};
  for (int i = 0; i < 3; ++i)
    run.steps.push_back({.title = {"一步", "A step"},
                         .narration = {"看图。", "Look."},
                         .brief = {"看。", "Look."},
                         .focus = {focus[i], 0, 1, 1},
                         .sheet = i});
  return run;
}

const lessons::Lesson kSample{.slug = "sample-board",
                              .title = {"样板", "Sample board"},
                              .short_title = {"板", "Board"},
                              .promise = {"各种图。", "Every kind of block."},
                              .parameters = kParameters,
                              .plan = kPlan,
                              .run = run,
                              .editable = kEditable,
                              .toggled = kToggled};

}  // namespace

const lessons::Lesson& sample_board() { return kSample; }

tape::Label sample_weights(int version) {
  return {tape::Stack::encoder, version, tape::Block::self_attention, tape::Site::weights};
}
tape::Label sample_sums(int version) {
  return {tape::Stack::encoder, version, tape::Block::self_attention, tape::Site::row_sums};
}

}  // namespace attn::test
