#include "support/sample_sizes.h"

#include <cmath>

namespace attn::test {
namespace {

const lessons::StepPlan kPlan[kSampleSizes] = {};

tape::Label mask_label(int step) {
  return {tape::Stack::encoder, step, tape::Block::self_attention, tape::Site::mask};
}

core::Result<lessons::Run> run(const lessons::Inputs&, const lessons::Run*) {
  lessons::Run run;
  run.board.emplace();
  run.board->title = {"大小", "Sizes"};
  for (int step = 0; step < kSampleSizes; ++step) {
    const int rows = kSampleSizeOf[step].rows;
    const int columns = kSampleSizeOf[step].columns;
    core::Tensor values(core::Shape{rows, columns});
    core::Tensor mask(core::Shape{rows, columns});
    const auto at = [columns](const SampleSize& cell) { return cell.rows * columns + cell.columns; };
    for (int i = 0; i < rows * columns; ++i) {
      values.values()[i] = std::sin(static_cast<float>(i) / 37.0f);
      mask.values()[i] = 1.0f;
    }
    if (rows * columns > 1) {
      mask.values()[at(hidden_of({rows, columns}))] = 0.0f;
      values.values()[at(hidden_of({rows, columns}))] = 0.0f;
    }
    values.values()[at(spike_of({rows, columns}))] = kSpike;
    run.board->tape.leaf(values.view(), sample_size_label(step));
    run.board->tape.leaf(mask.view(), mask_label(step));
    run.board->sheets.push_back(
        {{{.tensor = sample_size_label(step), .title = {"矩阵", "Matrix"}, .mask = mask_label(step)}}});
    run.steps.push_back({.title = {"一步", "A step"},
                         .narration = {"看图。", "Look."},
                         .brief = {"看。", "Look."},
                         .focus = {sample_size_label(step), 0, rows / 2, columns / 2},
                         .sheet = step});
  }
  return run;
}

const lessons::Lesson kSizes{.slug = "sample-sizes",
                             .title = {"大小", "Sizes"},
                             .short_title = {"大小", "Sizes"},
                             .promise = {"从一格到 512×512。", "From one cell to 512×512."},
                             .parameters = {},
                             .plan = kPlan,
                             .run = run};

}  // namespace

const lessons::Lesson& sample_sizes() { return kSizes; }

tape::Label sample_size_label(int step) {
  return {tape::Stack::encoder, step, tape::Block::self_attention, tape::Site::scores};
}

SampleSize spike_of(const SampleSize& size) { return {size.rows * 3 / 5, size.columns / 7}; }
SampleSize hidden_of(const SampleSize& size) { return {size.rows / 5, size.columns * 2 / 3}; }

}  // namespace attn::test
