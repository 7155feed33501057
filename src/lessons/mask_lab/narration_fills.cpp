// The steps about the ways to apply a mask, and the question.
#include "lessons/mask_lab/scene.h"

#include <algorithm>

#include "lessons/mask_lab/judge.h"
#include "lessons/numbers.h"

namespace attn::lessons::mask_lab {

using tape::Site;

Step tell_before(const Scene& scene) {
  const Judgement& added = scene.table(kAdded);
  const Judgement& zero = scene.table(kZeroBefore);
  const char* number = fill_name(scene.settings);
  Step step;
  step.title = fill({"softmax 之前：填什么才算遮住？", "Before softmax: what hides a word?"});
  step.narration = fill({"e 的 −∞ 次方是 0，所以填 {0.weights|−∞} 就遮住了。",
                         "e to the −∞ is 0, so a score of {0.weights|−∞} hides a word."});
  step.narration +=
      added.leak > 0.0f
          ? fill({"\n{ne|加 $0} 等于没加：$1把 $2 % 给了遮住的词。负号写到指数上去了。",
                  "\n{ne|Adding $0} changes next to nothing: $1 gives $2 % to hidden words. "
                  "The minus went into the exponent."},
                 {number, row_name(scene, added.leak_row), percent(added.leak)})
          : fill({"\n只要一行还有键可看，{eq|加 $0} 也得 0：与 −∞ 差 $1 ULP。",
                  "\nWhile a row sees any key, {eq|adding $0} gives 0 as well: $1 ULP from −∞."},
                 {number, static_cast<int>(added.ulp)});
  if (zero.leak > 0.0f)
    step.narration +=
        fill({"\n{ne|填 0} 遮不住：e⁰ = 1，$0还把 $1 % 给了描边的格。",
              "\n{ne|Writing 0} doesn't hide: e⁰ = 1, and $0 gives $1 % to the outlined cells."},
             {row_name(scene, zero.leak_row), percent(zero.leak)});
  step.brief = fill({"填 −∞ 或加 −1e9 遮得住，填 0 遮不住。", "−∞ and −1e9 hide a word; 0 doesn't."});
  step.try_it = fill({"把“加的数”换成 1e−9：一个真实项目里写错过的号。",
                      "Set the number added to 1e−9, a slip from a real project."});
  step.formula = {
      "exp(−∞) = 0,  exp(0) = 1",
      "<mrow><msup><mi>e</mi><mrow><mo>−</mo><mi>∞</mi></mrow></msup><mo>=</mo><mn>0</mn><mo>,</mo>"
      "<msup><mi>e</mi><mn>0</mn></msup><mo>=</mo><mn>1</mn></mrow>"};
  step.focus = cell(kZeroBefore, Site::weights, std::max(zero.leak_row, 0), 0);
  step.sheet = kFiveFills;
  return step;
}

Step tell_after(const Scene& scene) {
  const Judgement& zero = scene.table(kZeroAfter);
  const Judgement& divided = scene.table(kRenormalised);
  Step step;
  step.title = fill({"softmax 之后：乘 0，还差一步", "After softmax: zeroing is half the work"});
  if (zero.smallest_row < 0 || scene.facts.hidden_row < 0)
    step.narration = fill({"现在乘 0 看不出差别：没有一行遮住一部分。",
                           "No row is partly hidden now, so × 0 makes no difference."});
  else
    step.narration =
        fill({"先 softmax 再{ne|乘 0}：漏的没了，剩下的却不会自己补满，$0只加到 $1。",
              "{ne|× 0} after softmax removes the leak, but nothing fills up the rest: $0 sums to only $1."},
             {row_name(scene, zero.smallest_row), sum_text(zero)});
  step.narration +=
      fill({"\n再{eq|除以行和}，就回到 −∞ 的结果，差 $0 ULP 的舍入。只说“权重设为 0”，就漏了这一步。",
            "\n{eq|Dividing by the row sum} restores the result of −∞, within $0 ULP of rounding. "
            "“Set the weights to 0” leaves that out."},
           {static_cast<int>(divided.ulp)});
  if (scene.facts.empty_row >= 0)
    step.narration += fill({"空行是 0 / 0：{ne|NaN}。", " An empty row is 0 / 0: {ne|NaN}."});
  step.brief = fill({"softmax 之后乘 0，行和不到 1，要再归一。",
                     "After × 0 the rows sum to less than 1, until each is divided by its sum."});
  step.try_it = fill({"点掩码最后一行的一格：哪张表的行和跟着变？",
                      "Click a cell in the last row of the mask: which table's row sum follows?"});
  step.focus = cell(kZeroAfter, Site::weights, std::max(zero.smallest_row, 0), 0);
  step.sheet = kFiveFills;
  return step;
}

Step tell_nobody(const Scene& scene) {
  Step step;
  step.title = fill({"一个键也看不到的行", "A row that sees no key at all"});
  if (scene.facts.empty_row < 0)
    step.narration =
        fill({"现在每一行都有键可看。打开因果掩码，左边补一个 <pad>。",
              "Every row sees a key now. Switch on the causal mask and add a <pad> on the left."});
  else
    step.narration =
        fill({"行 $0（$4）什么也看不到。\n−∞ 照公式算：−∞ − (−∞) = {ne|NaN}，会传遍网络。\n加 $1：float32 "
              "里$2；float64 位数更多：$3。\n我们把掩码当判断：权重、{out|输出}、梯度都是 "
              "0，标明{eq|没有可见的键}。",
              "Row $0 ($4) sees nothing.\nBy the formula, −∞ − (−∞) is {ne|NaN}, which spreads through the "
              "network.\n"
              "With $1 added, in float32: $2; in float64, which keeps more digits of the scores: $3.\nHere "
              "the mask "
              "decides who takes part: weights, {out|output}, gradient 0, {eq|no visible key}."},
             {scene.facts.empty_row, fill_name(scene.settings), empty_row_under(scene, kAdded),
              empty_row_under(scene, kAddedInDouble), scene.word(scene.facts.empty_row)});
  step.brief = fill({"空行：−∞ 给 NaN，−1e9 给看似正常的数，我们给 0。",
                     "An empty row is NaN with −∞, plausible numbers with −1e9, and 0 here."});
  step.try_it = fill(
      {"把“加的数”换成 −1e4：float32 里还均匀吗？（PyTorch 的 {code|masked_fill} "
       "不加，是把分数换掉，那样总是均匀。）",
       "Add −1e4 instead: is the row still uniform in float32? (PyTorch's {code|masked_fill} doesn't add, "
       "it replaces the scores: always uniform.)"});
  step.focus = cell(kReference, Site::weights, std::max(scene.facts.empty_row, 0), 0);
  step.sheet = kNobody;
  return step;
}

/// Answered by doing: when do −1e9 and −∞ part?
Step tell_question(const Scene& scene) {
  const Settings& now = scene.settings;
  const bool found = scene.facts.empty_row >= 0;
  const bool tried =
      scene.clicked || !now.causal || now.pads != 0 || now.diagonal != 0 || now.wrong_axis || now.fill != 0;
  Step step;
  step.answer = found ? Answer::right : tried ? Answer::wrong : Answer::open;
  step.title = fill({"问题：−1e9 和 −∞ 何时不同？", "Question: when do −1e9 and −∞ differ?"});
  step.narration =
      fill({"只要每一行都还有键可看，加 −1e9 与填 −∞ 就分不出来。改{mask|掩码}，让这两张表明显不同。",
            "As long as every row sees a key, adding −1e9 and −∞ can't be told apart. Change the "
            "{mask|mask} so that the two tables clearly differ."});
  if (found)
    step.narration +=
        fill({"\n{eq|对了。}行 $0 没有可见的键：我们给 0，加 $1 却给出$2，看着正常，其实全是不该看的词。",
              "\n{eq|Right.} Row $0 has no visible key: here it is 0, but adding $1 makes it $2, which looks "
              "normal and is all hidden words."},
             {scene.facts.empty_row, fill_name(now), empty_row_under(scene, kAdded)});
  else if (scene.table(kAdded).leak > 0.0f)
    step.narration += fill({"\n{ne|还不是。}漏了 $0 %，可那来自加的数，不是掩码。",
                            "\n{ne|Not yet.} $0 % leaks, but because of the number added, not of the mask."},
                           {percent(scene.table(kAdded).leak)});
  else if (tried)
    step.narration +=
        fill({"\n{ne|还不是。}每行还有键可看，只差 $0 ULP。把某一行全遮住试试。",
              "\n{ne|Not yet.} Every row still sees a key: $0 ULP apart. What if a row saw none?"},
             {static_cast<int>(scene.table(kAdded).ulp)});
  step.brief =
      fill({"改掩码，让 −1e9 和 −∞ 两张表明显不同。", "Change the mask until −1e9 and −∞ clearly differ."});
  step.focus = {mask_label()};
  step.sheet = kFiveFills;
  return step;
}

}  // namespace attn::lessons::mask_lab
