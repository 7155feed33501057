// Steps 1 to 5: why one masked pass equals the passes over prefixes.
#include "lessons/mask_equivalence/formulas.h"
#include "lessons/mask_equivalence/narration.h"
#include "lessons/mask_equivalence/phrases.h"

namespace attn::lessons::mask_equivalence {

using tape::Block;
using tape::Site;
using tape::Stack;

Step two_ways(const Facts& facts, const Settings& settings) {
  const std::string length = number(settings.length);
  const std::string seed = number(settings.seed);
  const RunText verdict = overall(facts);
  Step step;
  step.title = {"同一个模型，两种算法", "One model, computed in two ways"};
  step.narration = {
      "训练时，整句目标 {code|" + facts.tokens + "} {strong|一次}送进解码器，" + length +
          " 行一起算完。推理时每次多送一个词。为了比较，两边用同一串词、同一个模型（种子 " + seed +
          "）。\n格子里是{scores|分数}：行是在看的词，列是被看的词。结果：" + verdict.zh + "为什么？",
      "In training the whole target {code|" + facts.tokens +
          "} enters the decoder {strong|at once}: " + plural(settings.length, "row") +
          " together. Inference starts with one token, then two. To compare, both get the same tokens and "
          "model, seed " +
          seed + ".\nCells are {scores|scores}: rows look, columns are looked at. Result: " + verdict.en +
          " Why?"};
  step.brief = {"左边一次送进 " + length + " 个词，右边现在只送了 " + number(settings.prefix) + " 个。",
                "The left side gets " + plural(settings.length, "token") + " at once, the right side " +
                    number(settings.prefix) + " so far."};
  step.try_it = {"从左到右点下面的词，一个一个送进去。",
                 "Click the tokens below from left to right, one after another."};
  step.focus = {self_attention(0, Site::scores), 0, 0, 0};
  return step;
}

Step masked_row(const Facts& facts, const Settings& settings) {
  const std::string row = number(facts.newest);
  const std::string d_k = number(facts.d_k);
  const std::string verdict = verdict_markup(facts.newest_scores);
  Step step;
  step.title = {"掩码挡住的，正是还不存在的", "The mask hides what does not exist yet"};
  step.narration =
      settings.training_mask
          ? RunText{"位置从 0 数起，看行 " + row +
                        "。左边的斜线格被{strong|掩码}挡住：这一行看不见后面的词；右边后面的词还没送进来。",
                    "Counting from 0, look at row " + row +
                        ". Hatched cells on the left are {strong|masked}: later tokens, unseen by this row. "
                        "On the right they aren't there yet."}
          : RunText{"位置从 0 数起，看行 " + row +
                        "。左边的{strong|掩码}现在关着：这一行也看得见后面的词；右边后面的词还没送进来。",
                    "Counting from 0, look at row " + row +
                        ". The {strong|mask} on the left is off: this row sees later tokens too. On the "
                        "right they aren't there yet."};
  step.narration.zh += about_masks(facts).zh;
  step.narration.en += " " + about_masks(facts).en;
  step.narration.zh += "\n{scores|分数}由查询 {q|q[" + row +
                       "]} 与键 {k|k[j]} 做内积，再除以 √d_k（每头 d_k = " + d_k +
                       "），不用别的词，所以两边共有的格子相差 " + verdict + "。";
  step.narration.en += "\nA {scores|score} is the dot product of {q|q[" + row +
                       "]} and {k|k[j]} over √d_k (d_k = " + d_k +
                       " a head), nothing else: common cells differ by " + verdict + ".";
  step.brief = {
      "分数只由 {q|q[" + row + "]} 和一个 {k|k[j]} 决定，两边相差 " + verdict + "。",
      "A score needs only {q|q[" + row + "]} and one {k|k[j]}; the sides differ by " + verdict + "."};
  step.try_it = {"点一格，看它怎样算出来。", "Pick a cell and see how it is computed."};
  step.formula = score_formula();
  step.focus = {self_attention(0, Site::scores), 0, facts.newest, 0};
  return step;
}

Step same_denominator(const Facts& facts, const Settings& settings) {
  const std::string row = number(facts.newest);
  const std::string left = number(facts.training_sees);
  const std::string right = number(facts.inference_sees);
  const std::string heads = number(settings.n_heads);
  const std::string verdict = verdict_markup(facts.newest_weights);
  const bool same = facts.training_sees == facts.inference_sees;
  Step step;
  step.title = {"softmax 的分母只加看得见的词", "Softmax adds up only what is visible"};
  step.narration = {
      "softmax 把一行{scores|分数}变成{weights|权重}，分母只加{strong|看得见}的格子；被挡住的格子权重恰好是 "
      "0。\n" +
          (same ? "行 " + row + " 左边看得见 " + left + " 个词，右边也是 " + right + " 个，相加的次序也相同。"
                : "行 " + row + " 左边看得见 " + left + " 个词，右边只有 " + right +
                      " 个，分母不是同一个和。") +
          "这一行的权重，" + heads + " 个头里最多相差 " + verdict + "。",
      "Softmax turns a row of {scores|scores} into {weights|weights}. Its denominator adds only "
      "{strong|visible} cells; a "
      "masked cell's "
      "weight is exactly 0.\n" +
          (same ? "Row " + row + " sees " + plural(facts.training_sees, "token") + " on the left, " + right +
                      " on the right, added in the same order."
                : "Row " + row + " sees " + plural(facts.training_sees, "token") + " on the left but " +
                      right + " on the right: not the same sum.") +
          " Over all heads its weights differ by at most " + verdict + "."};
  step.brief = {"分母只加看得见的格子，这一行最多相差 " + verdict + "。",
                "Only visible cells enter the sum; this row differs by at most " + verdict + "."};
  step.try_it =
      settings.training_mask
          ? RunText{"关掉左边的掩码，看分母里多出什么。", "Unmask the left side and see what joins the sum."}
          : RunText{"打开左边的掩码，看哪些项消失。", "Mask the left side and see which terms go."};
  step.formula = softmax_formula(settings.training_mask);
  step.focus = {self_attention(0, Site::weights), 0, facts.newest, 0};
  return step;
}

Step layer_by_layer(const Facts& facts, const Settings& settings) {
  const std::string verdict = verdict_markup(facts.output);
  const std::string count = number(facts.output.compared);
  const bool equal = facts.output.equal();
  const bool complete = settings.prefix == settings.length;
  Step step;
  step.title = complete ? RunText{"一层层推下去，直到最后一个词", "Layer by layer, to the last token"}
                        : RunText{"一层层推下去", "Layer by layer"};
  step.narration = {
      "右边已走到 " + number(settings.prefix) + " 行。" +
          (equal ? "第 1 层的输出相同，第 2 层的输入就相同，一层层推下去，最终的 {out|output} 也相同："
                 : "某一层有了差异，后面各层的输入就不同，一直传到最终的 {out|output}：") +
          count + " 个 float32 相差 " + verdict +
          "。\n{strong|ULP} 数两个 float32 之间隔几步，每步走到相邻的数；0 ULP 即 32 个比特全同。",
      "The right side now has " + plural(settings.prefix, "row") + ". " +
          (equal ? "Equal outputs of layer 1 are equal inputs of layer 2, and so on: the "
                 : "Once a layer differs, the inputs of all later layers do: the ") +
          count + " float32 values of {out|output} differ by " + verdict +
          ".\n{strong|ULPs} count the steps between neighbouring floats; 0 ULP means all 32 bits agree."};
  step.brief = {"最终的 {out|output}，" + count + " 个数相差 " + verdict + "。",
                "The " + count + " values of {out|output} differ by " + verdict + "."};
  step.try_it = {"把目标长度改成 32，再按播放。", "Make the target 32 tokens long and press play."};
  step.focus = {kOutput, 0, facts.newest, 0};
  return step;
}

Step every_tensor(const Facts& facts, const Settings& settings) {
  const RunText verdict = overall(facts);
  Step step;
  step.title = {"每一层，每一个张量", "Every layer, every tensor"};
  step.narration = {
      "编码器、解码器各 " + number(settings.n_layers) + " 层，每张数表（张量）都比一遍，只比已算出的行。" +
          verdict.zh +
          "\n编码器读源句，源句一开始就全给出，不需要因果掩码。它的输出 {mem|memory} "
          "供解码器的交叉注意力取{k|键}和{v|值}，两边相同。",
      "Every table of numbers (tensor) in encoder and decoder, " + plural(settings.n_layers, "layer") +
          " each, is compared in the rows computed so far. Result: " + verdict.en +
          "\nThe encoder reads the source, all known from the start: no causal mask. Its output, "
          "{mem|memory}, which the decoder's cross-attention reads, is equal on both sides."};
  step.brief = {"逐个张量比对：" + verdict.zh, "Every tensor compared: " + verdict.en};
  step.try_it = {"点图上任意一格，打开那个张量。", "Click any tile of the map to open its tensor."};
  step.focus = {
      {Stack::decoder, settings.n_layers - 1, Block::cross_attention, Site::weights}, 0, facts.newest, 0};
  return step;
}

}  // namespace attn::lessons::mask_equivalence
