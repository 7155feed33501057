#include "lessons/mask_lab/narration.h"

#include "lessons/mask_lab/judge.h"
#include "lessons/mask_lab/scene.h"
#include "lessons/numbers.h"

namespace attn::lessons::mask_lab {

using tape::Site;

namespace {

float weight_at(const Scene& scene, int table, int row, int column) {
  const core::TensorView weights = scene.run.tape().tensor(label_of(table, Site::weights));
  return weights.values[row * weights.shape[-1] + column];
}

RunText about_readers(const Scene& scene) {
  const auto leak = [&](int table) { return percent(scene.table(table).leak); };
  const int row = scene.facts.hidden_row;
  const int column = scene.facts.hidden_column;
  switch (scene.settings.convention) {
    case Convention::mha: {
      RunText text = fill(
          {"写给 {strong|MultiheadAttention}，1 是遮住。SDPA 和 ONNX 读成可看，图就反了：{ne|漏 $0 %}。",
           "Written for {strong|MultiheadAttention}, 1 is blocked. SDPA and ONNX read it as visible, the "
           "inverse: {ne|$0 % leaks}."},
          {leak(kReadBySdpa)});
      if (row >= 0)
        text += fill(
            {"\n当浮点掩码，1.0 是{strong|加}到分数上：$0 给 $1 的权重，不遮是 $2，反而升到 {ne|$3}。",
             "\nAs a float mask, 1.0 is {strong|added} to the score: the weight $0 gives $1 is $2 unmasked "
             "and rises to {ne|$3}."},
            {scene.word(row), scene.word(column), fixed(weight_at(scene, kUnmasked, row, column), 2),
             fixed(weight_at(scene, kReadAsAdded, row, column), 2)});
      return text;
    }
    case Convention::sdpa:
      return fill(
          {"写给 {strong|SDPA、ONNX}，1 是可看。MHA 读成遮住，图就反了：{ne|漏 $0 "
           "%}。\n当浮点掩码，可看的分数加 "
           "1.0，遮住的加 0，还是能看：{ne|漏 $1 %}。",
           "Written for {strong|SDPA and ONNX}, 1 is visible. MHA reads it as blocked, the inverse: {ne|$0 % "
           "leaks}.\nAs a float mask, visible scores get 1.0 added and hidden ones 0, which hides nothing: "
           "{ne|$1 % leaks}."},
          {leak(kReadByMha), leak(kReadAsAdded)});
    case Convention::added:
      break;
  }
  return fill({"{strong|浮点掩码}加到分数上：0 放行，−∞ 遮住。\n转成布尔，−∞ 变成 True：MHA 碰巧读对，SDPA "
               "正好读反，{ne|漏 "
               "$0 %}。",
               "A {strong|float mask} is added to the scores: 0 lets through, −∞ hides.\nCast to bool, −∞ "
               "becomes True: "
               "right for MHA by luck, the inverse for SDPA, where {ne|$0 % leaks}."},
              {leak(kReadBySdpa)});
}

}  // namespace

RunText row_name(const Scene& scene, int row) {
  return fill({"行 $0（$1）", "row $0 ($1)"}, {row, scene.word(row)});
}

Focus cell(int table, Site site, int row, int column) { return {label_of(table, site), 0, row, column}; }

RunText empty_row_under(const Scene& scene, int table) {
  const Judgement& found = scene.table(table);
  const std::string number = fixed(found.empty, 2);
  return found.empty_equal ? fill({"每格 $0", "$0 everywhere"}, {number})
                           : fill({"掩码失效（最大 $0）", "as if unmasked (up to $0)"}, {number});
}

Step tell_conventions(const Scene& scene) {
  Step step;
  step.title = fill({"True 是遮住，还是可看？", "True: blocked or visible?"});
  step.narration = fill({"同一张掩码，各家写法不同。\n", "One mask, written differently by each library.\n"});
  step.narration += about_readers(scene);
  step.brief = fill({"MHA 的 True 遮住，SDPA 的 True 放行，浮点掩码是加上去的。",
                     "True blocks in MHA and lets through in SDPA; a float mask is added."});
  step.try_it = fill(
      {"换一种“掩码写法”：哪一张表还是 0 ULP？", "Choose another convention: which table stays at 0 ULP?"});
  step.focus = {label_of(kWritten, Site::mask)};
  step.sheet = kConventions;
  return step;
}

std::vector<Step> narrate(const Experiment& experiment, const Settings& settings, bool clicked) {
  const Scene scene{experiment.run, experiment.facts, settings, clicked};
  std::vector<Step> steps;
  for (Step (*const tell)(const Scene&) : {tell_grid, tell_two_masks, tell_before, tell_after, tell_nobody,
                                           tell_conventions, tell_positions, tell_question})
    steps.push_back(tell(scene));
  return steps;
}

}  // namespace attn::lessons::mask_lab
