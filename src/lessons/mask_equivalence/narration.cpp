#include "lessons/mask_equivalence/narration.h"

#include "lessons/mask_equivalence/facts.h"
#include "lessons/mask_equivalence/formulas.h"

namespace attn::lessons::mask_equivalence {
namespace {

using tape::Block;
using tape::Site;
using tape::Stack;

std::string number(int value) { return std::to_string(value); }

std::string plural(int count, const std::string& noun) {
  return number(count) + " " + noun + (count == 1 ? "" : "s");
}

/// "0–2", or "0" when there is one row.
std::string rows_up_to(int last) { return last == 0 ? "0" : "0–" + number(last); }

/// As `overall`, for narrow screens.
RunText overall_brief(const Facts& facts) {
  const std::string count = number(facts.equal) + " / " + number(facts.total);
  if (facts.all_equal) return {"{eq|" + count + " 个张量相等}。", "{eq|" + count + " tensors are equal}."};
  return {
      "{ne|最先不同}：{strong|" + facts.first_place.zh + "}，相差 {ne|" + facts.first_difference + "}。",
      "{ne|First to differ}: {strong|" + facts.first_place.en + "}, by {ne|" + facts.first_difference + "}."};
}

/// What all compared tensors say: equal, or which is the first that isn't.
RunText overall(const Facts& facts) {
  if (facts.all_equal) {
    const std::string count = number(facts.equal) + " / " + number(facts.total);
    return {"{eq|" + count + " 个张量相等}，0 ULP。", "{eq|" + count + " tensors are equal}, 0 ULP."};
  }
  return {"{ne|第一个不同}的是{strong|" + facts.first_place.zh + "}，最大相差 {ne|" + facts.first_difference +
              "}，即 " + facts.first_ulp + " ULP。",
          "{ne|First to differ}: {strong|" + facts.first_place.en + "}, by up to {ne|" +
              facts.first_difference + "}, which is " + facts.first_ulp + " ULP."};
}

Step two_ways(const Facts& facts, const Settings& settings) {
  Step step;
  const std::string length = number(settings.length);
  step.title = {"同一个模型，两种算法", "One model, computed in two ways"};
  step.narration = {
      "训练时，整句目标 {code|" + facts.tokens + "} {strong|一次}送进解码器，" + length +
          " 行一起算完。推理时还没有整句：先送 1 个词，再送 2 个，逐步加长。\n"
          "两边是同一个 {code|nn.Transformer(d_model=8)}，随机种子 " +
          number(settings.seed) + "，权重就是 PyTorch 抽到的那一组。结果会一样吗？",
      "In training the decoder gets the whole target {code|" + facts.tokens +
          "} {strong|at once} and computes " + plural(settings.length, "row") +
          " together. At inference there is no sentence yet: one token goes in, then two, then three.\n"
          "Both use the same {code|nn.Transformer(d_model=8)}, seed " +
          number(settings.seed) + ", with the weights PyTorch draws. Will they agree?"};
  step.brief = {"左边一次送进 " + length + " 个词，右边现在只有 " + number(settings.prefix) + " 个。",
                "The left side gets " + plural(settings.length, "token") + " at once, the right side " +
                    number(settings.prefix) + " so far."};
  step.try_it = {"点下面的词，一个一个往后算。", "Click the tokens below and go on one by one."};
  step.focus = {self_attention(0, Site::scores), 0, 0, 0};
  return step;
}

Step masked_row(const Facts& facts, const Settings& settings) {
  Step step;
  const std::string row = number(facts.newest);
  step.title = {"掩码挡住的，正是还不存在的", "The mask hides what does not exist yet"};
  step.narration = {
      settings.training_mask
          ? "看第 " + row +
                " 行。左边画斜线的格子被{strong|掩码}挡住：它后面的词一个也看不见。右边，后面的词还没有。"
          : "左边的{strong|掩码}现在关着：第 " + row + " 行也看得见后面的词。右边，后面的词还没有。",
      settings.training_mask ? "Look at row " + row +
                                   ". On the left the hatched cells are {strong|masked}: no later token may "
                                   "be seen. On the right "
                                   "later tokens don't exist yet."
                             : "The {strong|mask} on the left is off now: row " + row +
                                   " sees later tokens too. On the right they don't exist yet."};
  step.narration.zh += "\n每个分数都是 {q|q[" + row +
                       "]} 与某个 {k|k[j]} 的内积，与别的词无关，所以两边都有的格子相差 " +
                       verdict_markup(facts.newest_scores) + "。";
  step.narration.en +=
      "\nEach score is {q|q[" + row +
      "]} times one {k|k[j]} and involves no other token, so the cells both sides have differ by " +
      verdict_markup(facts.newest_scores) + ".";
  step.brief = {"分数只由 {q|q[" + row + "]} 和一个 {k|k[j]} 决定，两边相差 " +
                    verdict_markup(facts.newest_scores) + "。",
                "A score needs only {q|q[" + row + "]} and one {k|k[j]}; the sides differ by " +
                    verdict_markup(facts.newest_scores) + "."};
  step.try_it = {"选一个格子，看它怎样算出来。", "Pick a cell and read its sum."};
  step.formula = score_formula();
  step.focus = {self_attention(0, Site::scores), 0, facts.newest, 0};
  return step;
}

Step same_denominator(const Facts& facts, const Settings& settings) {
  Step step;
  const std::string row = number(facts.newest);
  const std::string left = number(facts.training_sees);
  const std::string right = number(facts.inference_sees);
  const bool same = facts.training_sees == facts.inference_sees;
  step.title = {"softmax 的分母只加看得见的词", "Softmax sums only what is visible"};
  step.narration = {
      "softmax 的分母只加{strong|看得见}的格子；被挡住的格子权重恰好是 0。\n" +
          (same ? "第 " + row + " 行左边看得见 " + left + " 个词，右边也是 " + right +
                      " 个，相加的次序也一样。"
                : "第 " + row + " 行左边看得见 " + left + " 个词，右边看得见 " + right +
                      " 个，分母不是同一个和。") +
          "这一行的权重相差 " + verdict_markup(facts.newest_weights) + "。",
      "The denominator of softmax adds only {strong|visible} cells; a masked cell's weight is exactly 0.\n" +
          (same ? "Row " + row + " sees " + plural(facts.training_sees, "token") + " on the left and " +
                      right + " on the right, added in the same order."
                : "Row " + row + " sees " + plural(facts.training_sees, "token") + " on the left but " +
                      right + " on the right: not the same sum.") +
          " The weights of this row differ by " + verdict_markup(facts.newest_weights) + "."};
  step.brief = {
      "分母只加看得见的格子，这一行相差 " + verdict_markup(facts.newest_weights) + "。",
      "Only visible cells enter the sum; this row differs by " + verdict_markup(facts.newest_weights) + "."};
  step.try_it = {"选中斜线格子，看它为什么是 0。", "Pick a hatched cell and see why it is 0."};
  step.formula = softmax_formula(settings.training_mask);
  step.focus = {self_attention(0, Site::weights), 0, facts.newest, 0};
  return step;
}

Step whole_sentence(const Facts& facts, const Settings& settings) {
  Step step;
  const std::string prefix = number(settings.prefix);
  step.title = facts.output.equal()
                   ? RunText{"走到最后一个词，输出也相同", "To the last token, the outputs agree"}
                   : RunText{"走到最后一个词，输出不同了", "At the last token, the outputs differ"};
  step.narration = {
      "逐词走到现在，右边有了 " + prefix + " 行。比较解码器的最后输出 {out|output}：" +
          number(facts.output.compared) + " 个 float32 相差 " + verdict_markup(facts.output) +
          "。\n{strong|ULP} 数的是从一个 float32 走到另一个要经过几个可表示的数；0 ULP 就是 32 "
          "个二进制位全部相同。",
      "Token by token the right side has reached " + plural(settings.prefix, "row") +
          ". The decoder's final {out|output}, " + number(facts.output.compared) +
          " float32 values, differs by " + verdict_markup(facts.output) +
          ".\nA {strong|ULP} counts representable numbers from one float to another; 0 ULP means all 32 bits "
          "agree."};
  step.brief = {
      "最后输出的 " + number(facts.output.compared) + " 个数相差 " + verdict_markup(facts.output) + "。",
      "The " + number(facts.output.compared) + " output values differ by " + verdict_markup(facts.output) +
          "."};
  step.try_it = {"把目标长度改成 32，再看一遍。", "Make the target 32 tokens long and look again."};
  step.focus = {kOutput, 0, facts.newest, 0};
  return step;
}

Step every_tensor(const Facts& facts, const Settings& settings) {
  Step step;
  const std::string layers = number(settings.n_layers);
  const RunText verdict = overall(facts);
  step.title = {"每一层，每一个张量", "Every layer, every tensor"};
  step.narration = {"编码器 " + layers + " 层，解码器 " + layers + " 层，每一个张量都逐位比过：" +
                        verdict.zh +
                        "\n编码器不需要因果掩码，源句本来就全看得见。交叉注意力的 {k|k} 和 {v|v} 来自 "
                        "{mem|memory}，两边是同样的数。",
                    "All tensors of " + plural(settings.n_layers, "encoder and decoder layer") +
                        " were compared bit by bit. " + verdict.en +
                        "\nThe encoder needs no causal mask: the source is all there. Cross-attention takes "
                        "{k|k} and {v|v} from "
                        "{mem|memory}, the same numbers on both sides."};
  const RunText brief = overall_brief(facts);
  step.brief = {"每个张量都比过：" + brief.zh, "Every tensor was compared: " + brief.en};
  step.try_it = {"点图上任意一格，打开那个张量。", "Click any tile of the map to open its tensor."};
  step.focus = {
      {Stack::decoder, settings.n_layers - 1, Block::cross_attention, Site::weights}, 0, facts.newest, 0};
  return step;
}

Step training_unmasked(const Facts& facts, const Settings& settings) {
  Step step;
  const RunText verdict = overall(facts);
  step.title = {"训练时去掉掩码，未来就漏进来", "Unmask training and the future leaks in"};
  step.narration =
      settings.training_mask
          ? RunText{"训练的掩码又开着了。" + verdict.zh +
                        "\n关掉它，未来的词就会进入前面各行的 softmax 分母。",
                    "The training mask is on again. " + verdict.en +
                        "\nSwitch it off and future tokens enter the softmax sums of earlier rows."}
          : RunText{
                "左边的掩码关了，前面各行的 softmax 分母里多出了{ne|未来的词}。" + verdict.zh +
                    "\n差异从这里传到后面每一层。编码器不受影响。这样训练出来的模型学会了偷看，推理时却无处可"
                    "看。",
                "The mask on the left is off: the softmax sums of earlier rows now contain {ne|future "
                "tokens}. " +
                    verdict.en +
                    "\nEvery later decoder layer inherits this. A model trained so learns to peek, and at "
                    "inference finds nothing to peek at."};
  step.brief = overall_brief(facts);
  step.try_it = {"再打开左边的掩码，看差异消失。",
                 "Switch the left mask on again and watch the differences go."};
  step.focus = facts.first_focus.value_or(Focus{self_attention(0, Site::weights), 0, 0, 0});
  return step;
}

Step inference_unmasked_one_layer(const Facts& facts, const Settings& settings) {
  Step step;
  const std::string newest = number(facts.newest);
  const RunText verdict = overall(facts);
  step.title = {"推理时还要掩码吗？先看一层", "Does inference need the mask? One layer"};
  step.narration = {"最新的词后面什么也没有，那推理时还要掩码吗？右边的掩码" +
                        std::string(settings.inference_mask ? "现在开着" : "现在关着") +
                        "，解码器有 {strong|" + number(settings.n_layers) + " 层}。只看最新的第 " + newest +
                        " 行：" + verdict.zh + "\n前面的行里，有 " + number(facts.changed_older_rows) +
                        " 行的权重已经变了。",
                    "Nothing follows the newest token, so does inference need a mask? On the right it is " +
                        std::string(settings.inference_mask ? "on" : "off") + ", with {strong|" +
                        plural(settings.n_layers, "decoder layer") + "}. The newest row, " + newest +
                        ", alone: " + verdict.en + "\nOf the rows before it, " +
                        number(facts.changed_older_rows) + " have other weights already."};
  const RunText brief = overall_brief(facts);
  step.brief = {"只看第 " + newest + " 行，" + brief.zh, "Row " + newest + " alone: " + brief.en};
  step.try_it = {"把层数改成 2。", "Set the number of layers to 2."};
  step.focus = {self_attention(0, Site::weights), 0, facts.newest, 0};
  return step;
}

Step inference_unmasked_two_layers(const Facts& facts, const Settings& settings) {
  Step step;
  const std::string newest = number(facts.newest);
  const RunText verdict = overall(facts);
  const bool drifts = !facts.all_equal;
  step.title =
      drifts ? RunText{"从第二层起，最新的一行也会漂移", "From two layers on, even the newest row drifts"}
             : RunText{"最新的一行没有漂移", "The newest row has not drifted"};
  step.narration = {"现在有 {strong|" + number(settings.n_layers) + " 层}，仍只看最新的第 " + newest +
                        " 行。" + verdict.zh +
                        (drifts ? "\n第 1 层里变了的旧行，在第 2 层成了 {k|k} 和 "
                                  "{v|v}，而最新的一行正要看它们。所以推理时也要掩码。"
                                : "\n旧行没有变，最新的一行就没有理由变。"),
                    "Now with {strong|" + plural(settings.n_layers, "layer") +
                        "}, and still the newest row, " + newest + ", alone. " + verdict.en +
                        (drifts ? "\nRows that changed in layer 1 become {k|k} and {v|v} in layer 2, and the "
                                  "newest row looks at "
                                  "them. That is why the mask stays at inference."
                                : "\nWhere the older rows haven't changed, the newest has no reason to.")};
  const RunText brief = overall_brief(facts);
  step.brief = {"只看第 " + newest + " 行，" + brief.zh, "Row " + newest + " alone: " + brief.en};
  step.try_it = {"打开右边的掩码，漂移就没有了。", "Switch the right mask on and the drift is gone."};
  step.focus = facts.first_focus.value_or(Focus{self_attention(0, Site::scores), 0, facts.newest, 0});
  return step;
}

Step poked_token(const Facts& facts, const Settings& settings) {
  Step step;
  const int first = facts.first_poked_row;
  step.title = {"扰动一个词，哪些行会动？", "Poke a token: which rows move?"};
  RunText effect{"现在没有词被扰动。", "No token is poked now."};
  if (settings.poke >= 0 && first == 0)
    effect = {"左边的输出从第 0 行起就变了。", "On the left the output changes from row 0 on."};
  if (settings.poke >= 0 && first > 0)
    effect = {
        "左边的输出，第 " + rows_up_to(first - 1) + " 行{eq|纹丝不动}，从第 " + number(first) + " 行起才变。",
        "On the left, output row" + std::string(first > 1 ? "s " : " ") + rows_up_to(first - 1) +
            " {eq|stay" + (first > 1 ? "" : "s") + " equal to the bit}; from row " + number(first) +
            " on they change."};
  const RunText verdict = overall(facts);
  step.narration = {
      (settings.poke >= 0 ? "位置 " + number(settings.poke) + " 的嵌入加上了一个各维不等的小向量。"
                          : std::string()) +
          effect.zh + "\n因果掩码的意思正是：后面的词影响不到前面的行。左右两边得到同样的扰动，比较的结果：" +
          verdict.zh,
      (settings.poke >= 0
           ? "The embedding at position " + number(settings.poke) + " got a small uneven vector. "
           : std::string()) +
          effect.en +
          "\nThat is what causal means: a later token can't reach an earlier row. Left against right: " +
          verdict.en};
  step.brief = effect;
  step.try_it = {"扰动词 0，再关掉左边的掩码扰动最后一个词。",
                 "Poke token 0; then unmask the left side and poke the last token."};
  step.focus = {kOutput, 0, settings.poke >= 0 ? settings.poke : facts.newest, 0};
  return step;
}

}  // namespace

std::vector<Step> narrate(const Run& run, const Settings& settings) {
  const Facts facts = facts_of(run, settings);
  return {two_ways(facts, settings),
          masked_row(facts, settings),
          same_denominator(facts, settings),
          whole_sentence(facts, settings),
          every_tensor(facts, settings),
          training_unmasked(facts, settings),
          inference_unmasked_one_layer(facts, settings),
          inference_unmasked_two_layers(facts, settings),
          poked_token(facts, settings)};
}

}  // namespace attn::lessons::mask_equivalence
