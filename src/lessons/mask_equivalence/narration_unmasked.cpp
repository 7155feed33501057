// Steps 6 to 9: what happens without a mask, and to a poked token.
#include "lessons/mask_equivalence/narration.h"
#include "lessons/mask_equivalence/phrases.h"

namespace attn::lessons::mask_equivalence {

using tape::Site;

Step training_unmasked(const Facts& facts, const Settings& settings) {
  const RunText verdict = overall(facts);
  Step step;
  step.title = {"训练时去掉掩码，未来就漏进来", "Unmask training and the future leaks in"};
  if (settings.training_mask) {
    step.narration = {"左边的掩码开着。" + verdict.zh + "\n关掉它，未来的词就会进入前面各行的 softmax 分母。",
                      "The mask on the left is on. Result: " + verdict.en +
                          "\nSwitch it off and future tokens enter the softmax sums of earlier rows."};
    step.try_it = {"关掉左边的掩码。", "Switch the left mask off."};
  } else {
    step.narration = {
        "左边的掩码关了，前面各行的 softmax 分母里多出了{ne|未来的词}。" + verdict.zh +
            "\n差异从这里传到后面的解码器层；编码器不受影响。这样训练，模型学会偷看，推理时却没有未来可看。",
        "The mask on the left is off: softmax sums of earlier rows now contain {ne|future tokens}; " +
            verdict.en +
            "\nLater decoder layers inherit this. A model trained this way learns to peek; at inference "
            "there is nothing to peek at."};
    step.try_it = {"再打开左边的掩码，看差异消失。",
                   "Switch the left mask on again and watch the differences go."};
  }
  step.brief = overall(facts);
  step.focus = facts.first_focus.value_or(Focus{self_attention(0, Site::weights), 0, 0, 0});
  return step;
}

Step inference_unmasked_one_layer(const Facts& facts, const Settings& settings) {
  const RunText rows = scope(facts, settings);
  const RunText verdict = overall(facts);
  const int changed = facts.changed_older_rows;
  Step step;
  step.title = settings.n_layers == 1
                   ? RunText{"推理时还要掩码吗？先看一层", "Does inference need the mask? One layer"}
                   : RunText{"推理时还要掩码吗？", "Does inference need the mask?"};
  step.narration = {"最新的词后面没有别的词，推理时还要掩码吗？右边的掩码" +
                        std::string(settings.inference_mask ? "开着" : "关着") + "，解码器有 {strong|" +
                        number(settings.n_layers) + " 层}（层数一变，权重重抽）。" + about_masks(facts).zh +
                        rows.zh + verdict.zh + "\n最新的行本来就看得见全部词；" +
                        (changed > 0 ? "它前面有 " + number(changed) + " 行看到了后来的词，权重已经变了。"
                                     : "前面的行没有变。"),
                    "Nothing follows the newest token, so why mask inference? On the right the mask is " +
                        std::string(settings.inference_mask ? "on" : "off") + ", with {strong|" +
                        plural(settings.n_layers, "decoder layer") + "}. " + about_masks(facts).en + " " +
                        rows.en + verdict.en + "\nIt sees every token anyway; " +
                        (changed > 0 ? plural(changed, "row") + " before it saw later tokens and changed."
                                     : std::string("no row before it has changed."))};
  step.brief = {rows.zh + verdict.zh, rows.en + verdict.en};
  step.try_it = settings.n_layers == 1 ? RunText{"把层数改成 2。", "Set the number of layers to 2."}
                                       : RunText{"把层数改成 1。", "Set the number of layers to 1."};
  step.focus = {self_attention(0, Site::weights), 0, facts.newest, 0};
  return step;
}

Step inference_unmasked_two_layers(const Facts& facts, const Settings& settings) {
  const RunText rows = scope(facts, settings);
  const RunText verdict = overall(facts);
  const bool drifts = !facts.all_equal && settings.newest_row_only && settings.n_layers > 1;
  RunText reason{"\n右边的掩码关着时，前面的行会看到后来的词。",
                 "\nWhile the right mask is off, earlier rows see later tokens."};
  if (drifts)
    reason = {
        "\n前面的行在第 1 层变了，第 2 层用它们算出的 {k|k}、{v|v} "
        "也变了，最新一行正要看它们。每步都重算整段时，推理也要"
        "掩码。",
        "\nLayer 2 computes {k|k} and {v|v} from rows that changed in layer 1, and the newest row looks at "
        "them. "
        "When every step recomputes the prefix, inference needs the mask too."};
  else if (facts.all_equal)
    reason = {"\n前面的行没变，最新一行自然也不变。",
              "\nWhere no earlier row changed, the newest doesn't either."};
  Step step;
  step.title = drifts
                   ? RunText{"从第二层起，最新的一行也会变", "From layer two on, even the newest row changes"}
                   : RunText{"再看两层", "Now two layers"};
  step.narration = {
      "现在解码器有 {strong|" + number(settings.n_layers) + " 层}。" + rows.zh + verdict.zh + reason.zh,
      "Now with {strong|" + plural(settings.n_layers, "decoder layer") + "}. " + rows.en + verdict.en +
          reason.en};
  step.brief = {rows.zh + verdict.zh, rows.en + verdict.en};
  step.try_it = settings.inference_mask ? RunText{"关掉右边的掩码。", "Switch the right mask off."}
                                        : RunText{"打开右边的掩码，差异就没有了。",
                                                  "Switch the right mask on and the difference is gone."};
  step.focus = facts.first_focus.value_or(Focus{self_attention(0, Site::scores), 0, facts.newest, 0});
  return step;
}

Step poked_token(const Facts& facts, const Settings& settings) {
  const int first = facts.first_poked_row;
  const RunText verdict = overall(facts);
  RunText effect{"现在没有扰动任何位置。", "No position is poked now."};
  if (settings.poke >= 0 && first == 0)
    effect = {"左边的输出从行 0 起就变了（带角标的格子）。",
              "On the left the output changes from row 0 on (marked corners)."};
  if (settings.poke >= 0 && first > 0)
    effect = {"左边的输出，行 " + rows_up_to(first - 1) + " {eq|一个比特都没变}，从行 " + number(first) +
                  " 起才变（带角标的格子）。",
              "On the left, output row" + std::string(first > 1 ? "s " : " ") + rows_up_to(first - 1) +
                  " {eq|" + (first > 1 ? "don't" : "doesn't") + " change by a single bit}; from row " +
                  number(first) + " on they change (marked corners)."};
  RunText brief = effect;
  if (settings.poke >= 0 && first > 0)
    brief = {"左边的输出，行 " + rows_up_to(first - 1) + " {eq|一个比特都没变}，从行 " + number(first) +
                 " 起才变。",
             "Output rows before " + number(first) + " {eq|keep every bit}; from row " + number(first) +
                 " on they change."};
  const RunText lesson = settings.training_mask
                             ? RunText{"这就是“因果”：后面的词影响不到前面的行。",
                                       "That is what causal means: a later token can't reach an "
                                       "earlier row."}
                             : RunText{"左边的掩码关着，后面的词影响得到前面的行。",
                                       "The left mask is off, so a later token reaches earlier "
                                       "rows."};
  const std::string position = number(settings.poke);
  Step step;
  step.title = {"扰动一个词，哪些行会动？", "Poke a token: which rows move?"};
  step.narration = settings.poke < 0
                       ? RunText{effect.zh + "按“扰动一个词”，再点下面的一个词。\n" + lesson.zh,
                                 effect.en + " Press “Poke token”, then a token below.\n" + lesson.en}
                       : RunText{"给位置 " + position + " 的词嵌入加一个小向量。" + effect.zh + "\n" +
                                     lesson.zh + "两边加的是同一个向量，左右相比：" + verdict.zh,
                                 "The embedding at position " + position + " has a small vector added. " +
                                     effect.en + "\n" + lesson.en + " Left against right: " + verdict.en};
  step.brief = brief;
  step.try_it = {"先还原，再扰动位置 0（最左边的词）。",
                 "Undo it, then poke position 0, the leftmost token."};
  step.focus = {kOutput, 0, settings.poke >= 0 ? settings.poke : facts.newest, 0};
  return step;
}

}  // namespace attn::lessons::mask_equivalence
