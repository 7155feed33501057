// The steps about the mask itself: who sees whom, padding, positions.
#include "lessons/mask_lab/scene.h"

#include "lessons/mask_lab/judge.h"
#include "lessons/mask_lab/masks.h"
#include "lessons/numbers.h"

namespace attn::lessons::mask_lab {

using tape::Site;

namespace {

RunText about_padding(const Scene& scene) {
  if (scene.settings.pads == 0) return fill({"\n现在没有填充。", "\nThere is no padding now."});
  RunText text = fill({"\n", "\n"});
  if (scene.settings.wrong_axis)
    text += fill({"{ne|轴用错了}，遮了 <pad> 的行。", "{ne|Wrong axis}: rows of <pad> are hidden. "});
  text += fill({"$1 个 token，$2 个是词，最多给 <pad> $0 %。",
                "Words: $2 of $1 tokens; they give <pad> at most $0 %."},
               {percent(scene.facts.pad_share), kTokens, words_in(scene.settings)});
  if (!scene.settings.wrong_axis)
    text += fill({"淡的行照算，损失不理。", " Pale rows: computed, ignored by the loss."});
  return text;
}

}  // namespace

Step tell_grid(const Scene& scene) {
  static constexpr Text kReaches[] = {{"只看前面的词", "only words before it"},
                                      {"只看自己和前面的词", "itself and the words before it"},
                                      {"还多看后面一个词", "one word ahead as well"}};
  const int diagonal = scene.settings.diagonal;
  Step step;
  step.title = fill({"掩码：谁可以看谁", "A mask: who may look at whom"});
  step.narration = fill(
      {"每一行：谁在看。每一列：看谁。斜线格{strong|看不见}：softmax "
       "只在其余的格里分{weights|权重}，它恰好得 0。",
       "A row is a word that looks, a column a word it looks at. Hatched cells are {strong|hidden}: softmax "
       "shares the row among the others; their {weights|weight} is exactly 0."});
  step.narration +=
      scene.settings.causal
          ? fill({"\n因果{mask|掩码}：每个词$0。可看：下三角（PyTorch 的 "
                  "{code|tril}，diagonal=$1），遮住：上三角（"
                  "{code|triu}，diagonal=$2）。",
                  "\nCausal {mask|mask}: a word sees $0. Visible is the lower triangle (PyTorch's "
                  "{code|tril}, "
                  "diagonal=$1), hidden the upper ({code|triu}, diagonal=$2)."},
                 {kReaches[diagonal + 1], fixed(static_cast<float>(diagonal), 0), diagonal + 1})
          : fill({"\n没有因果掩码：后面的词也看得到。", "\nNo causal mask: later words are visible too."});
  if (scene.facts.empty_row >= 0)
    step.narration +=
        fill({"{ne|行 $0 什么也看不到。}", " {ne|Row $0 sees nothing.}"}, {scene.facts.empty_row});
  step.brief = fill({"斜线格看不见，权重恰好是 0。", "Hatched cells are hidden: their weight is exactly 0."});
  step.try_it =
      fill({"点掩码的一格：这一行的权重怎样重新分？再把“对角线”拨到 −1。",
            "Click a cell of the mask: how is its row shared out now? Then set the diagonal to −1."});
  static constexpr FormulaPart kParts[] = {
      {"$w", "<msub><mi>α′</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub>"},
      {"$m", "<msub><mi>m</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub>"},
      {"$n", "<msub><mi>m</mi><mrow><mi>i</mi><mi>l</mi></mrow></msub>"},
      {"$e", "<msup><mi>e</mi><msub><mi>s</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub></msup>"},
      {"$f", "<msup><mi>e</mi><msub><mi>s</mi><mrow><mi>i</mi><mi>l</mi></mrow></msub></msup>"},
  };
  step.formula = formula_of("α′[i,j] = m[i,j]·exp(s[i,j]) / Σ m[i,l]·exp(s[i,l])",
                            "$w<mo>=</mo><mfrac><mrow>$m$e</mrow><mrow><munder><mo>∑</mo><mi>l</mi></munder>"
                            "$n$f</mrow></mfrac>",
                            kParts);
  step.focus = cell(kReference, Site::weights, 2, 1);
  step.sheet = kGrid;
  return step;
}

Step tell_two_masks(const Scene& scene) {
  Step step;
  step.title = fill({"两种掩码，合成一张", "Two masks, combined into one"});
  step.narration =
      fill({"一起算的句子要等长，短的补 <pad>。一张说{strong|谁看谁}，一张把 <pad> {strong|整列}遮住；"
            "都放行才看得见。PyTorch 的 {code|src_mask}、{code|key_padding_mask}：1 是遮住。",
            "Sentences computed together get one length by adding <pad>. One mask says {strong|who sees "
            "whom}, pair by pair; one hides {strong|whole columns}. A pair is visible when both allow it. "
            "(PyTorch's {code|src_mask} and {code|key_padding_mask}: there 1 = blocked.)"});
  step.narration += about_padding(scene);
  step.brief =
      fill({"填充掩码遮整列：谁也不看 <pad>。", "A padding mask hides columns: no one looks at <pad>."});
  step.try_it = fill(
      {"打开“填充掩码用错轴”，看 <pad> 那一列。", "Switch on the wrong axis and watch the column of <pad>."});
  step.focus = {mask_label()};
  step.sheet = kCombined;
  return step;
}

Step tell_positions(const Scene& scene) {
  static constexpr Text kPaddings[] = {
      {"<pad> 补在左边，每个词的位置编号都加 $0，编码跟着变。",
       "With <pad> on the left every word's position grows by $0, and its encoding changes."},
      {"<pad> 补在右边，词的位置编号没动。", "With <pad> on the right the words keep their positions."},
      {"<pad> 补在左边，但位置从第一个词数起。",
       "<pad> is on the left, but positions count from the first word."}};
  const Facts& facts = scene.facts;
  Step step;
  step.title = fill({"补在左边，位置就移了", "Padding on the left moves the positions"});
  step.narration =
      scene.settings.pads == 0
          ? fill({"现在没有填充，两张表是同一句话。",
                  "There is no padding now: both tables are the same sentence."})
          : fill(kPaddings[static_cast<std::size_t>(scene.settings.padding)], {scene.settings.pads});
  step.narration += facts.shift_ulp == 0
                        ? fill({"\n词与词之间的权重，与没有填充时{eq|一个比特都不差}。",
                                "\nThe weights among the words are {eq|the same bits} as without padding."})
                        : fill({"\n词与词之间的权重{ne|变了}，最多差 $0。掩码只管看不看得见，管不了位置。",
                                "\nThe weights among the words {ne|changed}, by up to $0. A mask decides "
                                "what is visible, not where "
                                "it stands."},
                               {shift_text(facts)});
  step.brief = fill({"左填充会移动位置编号，掩码管不了这件事。",
                     "Left padding shifts the positions, and no mask undoes that."});
  step.try_it =
      fill({"选“左，位置从词数起”，或“右填充”。", "Choose “left, words counted”, or right padding."});
  step.focus = cell(kReference, Site::weights, 2, 1);
  step.sheet = kPositions;
  return step;
}

}  // namespace attn::lessons::mask_lab
