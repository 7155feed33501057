// Steps 6 to 9: what happens without a mask, and to a poked token.
#include "lessons/mask_equivalence/narration.h"
#include "lessons/mask_equivalence/phrases.h"

namespace attn::lessons::mask_equivalence {

using tape::Site;

Step training_unmasked(const Facts& facts, const Settings& settings) {
  const RunText verdict = overall(facts);
  const bool masked = settings.training_mask;
  Step step;
  add(step.title, {"训练时去掉掩码，未来就漏进来", "Unmask training and the future leaks in"});
  add(step.narration,
      masked
          ? Text{"左边的掩码开着。$0\n关掉它，未来的词就会进入前面各行的 softmax 分母。",
                 "The mask on the left is on. Result: $0\nSwitch it off and future tokens enter the softmax "
                 "sums of earlier rows."}
      : facts.all_equal
          ? Text{"左边的掩码关了，可比较的各行后面都没有词。$0\n多送几个词，再看前面的行。",
                 "The mask on the left is off, but no token follows the rows compared. Result: $0\nFeed more "
                 "tokens and look at earlier rows."}
          : Text{"左边的掩码关了，前面各行的 softmax "
                 "分母里多出了{ne|未来的词}。$0\n差异从这里传到后面的解码器层；编码"
                 "器不受影响。这样训练，模型学会偷看，推理时却没有未来可看。",
                 "The mask on the left is off: softmax sums of earlier rows now contain {ne|future tokens}; "
                 "$0\nLater decoder layers inherit this. A model trained this way learns to peek; at "
                 "inference "
                 "there is nothing to peek at."},
      {verdict});
  add(step.try_it, masked ? Text{"关掉左边的掩码。", "Switch the left mask off."}
                          : Text{"再打开左边的掩码，看差异消失。",
                                 "Switch the left mask on again and watch the differences go."});
  step.brief = verdict;
  step.focus = facts.first_focus.value_or(Focus{self_attention(0, Site::weights), 0, 0, 0});
  return step;
}

Step inference_unmasked_one_layer(const Facts& facts, const Settings& settings) {
  const RunText rows = scope(facts, settings);
  const RunText verdict = overall(facts);
  const int changed = facts.changed_older_rows;
  const bool one = settings.n_layers == 1;
  Step step;
  add(step.title, one ? Text{"推理时还要掩码吗？先看一层", "Does inference need the mask? One layer"}
                      : Text{"推理时还要掩码吗？", "Does inference need the mask?"});
  add(step.narration,
      {"最新的词后面没有词，推理时还要掩码吗？右边的掩码$0，解码器有 {strong|$1 "
       "层}。$2$3$4",
       "Nothing follows the newest token, so why mask inference? On the right the mask is $0, with "
       "{strong|$5}. $2 "
       "$3$4"},
      {settings.inference_mask ? Text{"开着", "on"} : Text{"关着", "off"}, settings.n_layers,
       about_masks(facts), rows, verdict, plural(settings.n_layers, "decoder layer")});
  add(step.narration,
      changed > 0 ? Text{"\n最新的行本来就看得见全部词；它前面有 $0 行看到了后来的词，权重已经变了。",
                         "\nThe newest row sees all tokens; $1 before it saw later tokens and changed."}
                  : Text{"\n最新的行本来就看得见全部词；前面的行没有变。",
                         "\nThe newest row sees all tokens; no row before it has changed."},
      {changed, plural(changed, "row")});
  add(step.brief, {"$0$1", "$0$1"}, {rows, verdict});
  add(step.try_it, {"把层数改成 $0。", "Set the number of layers to $0."}, {one ? 2 : 1});
  step.focus = {self_attention(0, Site::weights), 0, facts.newest, 0};
  return step;
}

Step inference_unmasked_two_layers(const Facts& facts, const Settings& settings) {
  const RunText rows = scope(facts, settings);
  const RunText verdict = overall(facts);
  const bool drifts = !facts.all_equal && settings.newest_row_only && settings.n_layers > 1;
  Step step;
  add(step.title, drifts
                      ? Text{"从第二层起，最新的一行也会变", "From layer two on, even the newest row changes"}
                      : Text{"再看两层", "Now two layers"});
  add(step.narration, {"现在解码器有 {strong|$0 层}。$1$2", "Now with {strong|$3}. $1$2"},
      {settings.n_layers, rows, verdict, plural(settings.n_layers, "decoder layer")});
  add(step.narration,
      drifts
          ? Text{"\n前面的行在第 1 层变了，第 2 层用它们算出的 {k|k}、{v|v} "
                 "也变了，最新一行正要看它们。每步都重算整段时，推理也要掩码。",
                 "\nLayer 2 computes {k|k} and {v|v} from rows that changed in layer 1, and the newest row "
                 "looks at them. When every step recomputes the prefix, inference needs the mask too."}
      : !facts.all_equal ? Text{"\n右边的掩码关着时，前面的行会看到后来的词。",
                                "\nWhile the right mask is off, earlier rows see later tokens."}
      : facts.changed_older_rows > 0
          ? Text{"\n前面的行变了，可只有一层，最新一行用不到它们。",
                 "\nEarlier rows changed, but with one layer the newest never uses them."}
          : Text{"\n前面的行没变，最新一行自然也不变。",
                 "\nWhere no earlier row changed, the newest doesn't either."});
  add(step.brief, {"$0$1", "$0$1"}, {rows, verdict});
  add(step.try_it, settings.inference_mask ? Text{"关掉右边的掩码。", "Switch the right mask off."}
                                           : Text{"打开右边的掩码，差异就没有了。",
                                                  "Switch the right mask on and the difference is gone."});
  step.focus = facts.first_focus.value_or(Focus{self_attention(0, Site::scores), 0, facts.newest, 0});
  return step;
}

Step poked_token(const Facts& facts, const Settings& settings) {
  const int first = facts.first_poked_row;
  const bool poked = settings.poke >= 0;
  const std::string rows = first > 0 ? rows_up_to(first - 1) : "";
  RunText effect, brief;
  add(effect,
      !poked       ? Text{"现在没有扰动任何位置。", "No position is poked now."}
      : first == 0 ? Text{"左边的输出从行 0 起就变了（带角标的格子）。",
                          "On the left the output changes from row 0 on (marked corners)."}
      : first == 1
          ? Text{"左边的输出，行 0 {eq|一个比特都没变}，从行 1 起才变（带角标的格子）。",
                 "On the left, output row 0 {eq|doesn't change by a single bit}; from row 1 on they "
                 "change (marked corners)."}
          : Text{"左边的输出，行 $0 {eq|一个比特都没变}，从行 $1 起才变（带角标的格子）。",
                 "On the left, output rows $0 {eq|don't change by a single bit}; from row $1 on they "
                 "change (marked corners)."},
      {rows, first});
  if (poked && first > 0)
    add(brief,
        {"左边的输出，行 $0 {eq|一个比特都没变}，从行 $1 起才变。",
         "Output rows before $1 {eq|keep every bit}; from row $1 on they change."},
        {rows, first});
  const Text lesson = settings.training_mask
                          ? Text{"这就是“因果”：后面的词影响不到前面的行。",
                                 "That is what causal means: a later token can't reach an earlier row."}
                          : Text{"左边的掩码关着，后面的词影响得到前面的行。",
                                 "The left mask is off, so a later token reaches earlier rows."};
  Step step;
  add(step.title, {"扰动一个词，哪些行会动？", "Poke a token: which rows move?"});
  add(step.narration,
      poked ? Text{"给位置 $0 的词嵌入加一个小向量。$1\n$2两边加的是同一个向量，左右相比：$3",
                   "The embedding at position $0 has a small vector added. $1\n$2 Left against right: $3"}
            : Text{"$1按“扰动一个词”，再点下面的一个词。\n$2",
                   "$1 Press “Poke token”, then a token below.\n$2"},
      {settings.poke, effect, lesson, overall(facts)});
  step.brief = brief.en.empty() ? effect : brief;
  add(step.try_it,
      {"先还原，再扰动位置 0（最左边的词）。", "Undo it, then poke position 0, the leftmost token."});
  step.focus = {kOutput, 0, poked ? settings.poke : facts.newest, 0};
  return step;
}

}  // namespace attn::lessons::mask_equivalence
