#include "lessons/multi_head/narration.h"

#include <algorithm>
#include <cmath>

#include "lessons/multi_head/board.h"
#include "lessons/multi_head/formulas.h"
#include "lessons/numbers.h"

namespace attn::lessons::multi_head {
namespace {

using tape::Site;

int word_count(const Run& run) { return static_cast<int>(run.source_words.size()); }

/// The word whose weights are read out: the last.
int asking(const Run& run) { return word_count(run) - 1; }

int width_of_head(const Settings& settings) { return settings.d_model / settings.heads; }

/// The features of one head: "4–7", "3".
std::string columns_of(const Settings& settings, int head) {
  const int width = width_of_head(settings);
  const std::string first = std::to_string(head * width);
  return width == 1 ? first : first + "–" + std::to_string((head + 1) * width - 1);
}

RunText heads(int count) { return counted(count, {"个头", "head"}, "heads"); }

float figure(const Run& run, const tape::Label& label, int row, int column) {
  const core::TensorView figures = run.tape().tensor(label);
  return figures.values[row * figures.shape[1] + column];
}

std::string count_of(const Run& run, Counted row, int column) {
  return thousands(static_cast<std::uint32_t>(figure(run, kCountFigures, row, column)));
}

/// The word a head's asking row gives the largest weight, and that weight.
struct Favourite {
  int word;
  float weight;
};

Favourite favourite_of(const Run& run, int head) {
  const core::TensorView weights = run.tape().tensor(label_of(Site::weights));
  const int words = word_count(run);
  const float* row = weights.values + (head * words + asking(run)) * words;
  const float* largest = std::max_element(row, row + words);
  return {static_cast<int>(largest - row), *largest};
}

/// Whether W_o is I, cell by cell: as the switch makes it, or the reader.
bool mixes_nothing(const Run& run) {
  const core::TensorView weight = run.tape().tensor(label_of(Site::output_weight));
  const int width = weight.shape[0];
  for (int i = 0; i < weight.size(); ++i)
    if (weight.values[i] != (i / width == i % width ? 1.0f : 0.0f)) return false;
  return true;
}

Step overview(const Run& run, const Settings& settings) {
  Step step;
  step.title = {"从 X 到输出，一页看完", "From X to the output on one page"};
  step.narration = fill(
      {"X 变出{q|查询}、{k|键}、{v|值}。$0算出分数、权重和{out|上下文}，拼起来，再乘 W_o。\n"
       "这里画的是一个头。亮起的是输出的一格用到的数，一路追到 X。后面几步一段一段地看。",
       "X becomes {q|queries}, {k|keys} and {v|values}. $0 scores, weights and a {out|context}; "
       "concatenated, they are multiplied by W_o.\nDrawn is one head. Lit is what one cell of the output "
       "uses, all the way back to X. The next steps take it part by part."},
      {settings.heads == 1 ? RunText{"这一个头", "The one head makes"}
                           : fill({"$0 个头各自", "Each of the $0 heads makes its own"}, {settings.heads})});
  step.brief = {"每个头各自注意，拼起来再乘 W_o。", "Each head attends; side by side, they meet W_o."};
  step.try_it = {"点一格权重，再换一个头：哪些块变，哪些不变？",
                 "Click a weight, then switch heads: which blocks change, which don't?"};
  step.focus = {label_of(Site::attention), 0, asking(run), 0};
  step.sheet = kOverview;
  return step;
}

Step split(const Run& run, const Settings& settings) {
  const int shown = std::min(1, settings.heads - 1);
  const RunText several = counted(settings.heads, {"份", "head"}, "heads");
  const RunText columns = counted(width_of_head(settings), {"列", "column"}, "columns");
  Step step;
  step.title = {"把特征切给几个头", "Cut the features into heads"};
  step.narration = fill(
      {"{q|Q} 照旧是 X 乘 {q|W_q}，共 $0 列。多头只多切一刀：沿特征方向切成 $1，每个头 $2。第 $3 头拿列 "
       "$4。\n"
       "{k|K}、{v|V} 也这样切。切的是特征，不是句子：每个头都看得到全部 $5 个词。",
       "{q|Q} is X times {q|W_q} as always, $0 columns. Multi-head adds one cut, along the features: $1 with "
       "$2 each. Head $3 owns columns $4.\n{k|K} and {v|V} are cut the same way. Features are cut, not the "
       "sentence: every head sees all $5 words."},
      {settings.d_model, several, columns, shown + 1, columns_of(settings, shown), word_count(run)});
  const tape::Value rows = run.tape().entry(run.tape().find(label_of(Site::query))).inputs[0];
  if (run.tape().entry(rows).op == tape::Op::replace)
    step.narration += {"你改过的格子除外。", " Cells you changed stay as you put them."};
  step.brief = fill({"{q|Q} 的 $0 列分给 $1。", "The $0 columns of {q|Q} are dealt out to $1."},
                    {settings.d_model, heads(settings.heads)});
  step.try_it = {"换一个头：{q|W_q} 亮起的是另外几行，X 亮起的还是整行。",
                 "Switch heads: other rows of {q|W_q} light up, and still the whole row of X."};
  step.formula = split_formula();
  step.focus = {label_of(Site::query), shown, asking(run), 0};
  step.sheet = kSplit;
  return step;
}

Step attend(const Run& run, const Settings& settings) {
  const int width = width_of_head(settings);
  Step step;
  step.title = {"每个头各算各的", "Each head attends for itself"};
  step.narration = fill(
      {"一个头里就是自注意力，只是窄一些：dₖ = $0 / $1 = $2，分数除以 √$2 = "
       "$3。{q|查询}只与同一个头的{k|键}做内积，"
       "权重只混合同一个头的{v|值}。\n头与头之间到这里还互不相干。",
       "Inside a head it is self-attention, only narrower: dₖ = $0 / $1 = $2, so scores are divided by √$2 = "
       "$3. {q|Queries} meet the {k|keys} of their own head, weights mix its {v|values}.\nSo far no head "
       "knows "
       "of another."},
      {settings.d_model, settings.heads, width, fixed(std::sqrt(static_cast<float>(width)), 2)});
  step.brief = fill({"每个头用自己的 $0做一遍自注意力。", "Each head does self-attention on its own $0."},
                    {counted(width, {"列", "column"}, "columns")});
  step.try_it = {"换一个头：数换了，形状不变。", "Switch heads: the numbers change, no shape does."};
  step.formula = head_formula();
  step.focus = {label_of(Site::weights), 0, asking(run), favourite_of(run, 0).word};
  step.sheet = kAttend;
  return step;
}

Step look(const Run& run, const Settings& settings) {
  const Favourite first = favourite_of(run, 0);
  const Favourite last = favourite_of(run, settings.heads - 1);
  const auto word = [&](int index) { return run.source_words[static_cast<std::size_t>(index)]; };
  Step step;
  step.title = {"头与头各有看法", "Each head has a view of its own"};
  if (settings.heads == 1) {
    step.narration =
        fill({"现在只有一个头：行 $0 最看重 $1（$2），{strong|各头的平均}就是它自己。把头数调大再看。",
              "There is one head now: row $0 looks most at $1 ($2), and the {strong|mean of heads} is "
              "this head itself. Take more heads and look again."},
             {asking(run), word(first.word), fixed(first.weight, 2)});
  } else {
    step.narration = fill(
        {"看行 $0（$1）：第 1 头最看重 $2（$3），第 $4 头最看重 "
         "$5（$6）。同一句话，每个头有自己的一张权重表。\n"
         "右边是{strong|各头的平均}：没有哪个头用它来算，PyTorch 默认交还的“权重”却正是它。",
         "Row $0, $1: head 1 looks most at $2 ($3), head $4 at $5 ($6). One sentence, a table of weights for "
         "each head.\nOn the right is the {strong|mean of heads}. No head computes with it, yet it is what "
         "PyTorch returns as weights by default."},
        {asking(run), word(asking(run)), word(first.word), fixed(first.weight, 2), settings.heads,
         word(last.word), fixed(last.weight, 2)});
  }
  step.brief = {"每个头有自己的权重，{strong|平均}只是给人看的。",
                "Each head has weights of its own; their {strong|mean} is only for looking at."};
  step.try_it = {"换着头看弧线，再和平均的弧线比。",
                 "Switch heads, and compare their arcs with those of the mean."};
  step.focus = {label_of(Site::weights), 0, asking(run), first.word};
  step.sheet = kLook;
  return step;
}

Step mix(const Run& run, const Settings& settings) {
  Step step;
  step.title = {"拼起来，再乘 W_o", "Concatenate, then W_o"};
  step.narration = fill(
      {"$0的{out|上下文}并排放好，又是 $1 列：第 $2 头在列 $3。",
       "The {out|contexts} of $0 are put side by side, $1 columns again: head $2 in columns $3."},
      {heads(settings.heads), settings.d_model, settings.heads, columns_of(settings, settings.heads - 1)});
  step.narration +=
      mixes_nothing(run)
          ? RunText{"\n现在 W_o = I：输出就是拼接本身，没有人把各头的结果合起来。",
                    "\nNow W_o = I: the output is the concatenation itself, and nothing brings "
                    "the heads together."}
          : fill({"\n输出的每一格用 {output_weight|W_o} 的一行乘拼接的整行，$0 "
                  "列都用上：各头的结果在这里才混到一起。",
                  "\nEach cell of the output is a row of {output_weight|W_o} times a whole row of these "
                  "$0 columns: only here do the heads come together."},
                 {settings.d_model});
  step.brief = {"拼接把各头并排，{output_weight|W_o} 把它们混合。",
                "Concatenation puts the heads side by side, {output_weight|W_o} mixes them."};
  step.try_it = {"点输出的一格，看它从拼接的哪几列来。",
                 "Click a cell of the output: from which columns of the concatenation does it come?"};
  step.formula = output_formula();
  step.focus = {label_of(Site::attention), 0, asking(run), 0};
  step.sheet = kMix;
  return step;
}

Step shapes(const Run& run, const Settings&) {
  constexpr int kDocument = core::Shape::kMaxRank;  // the first column of the document's extents
  const auto extent = [&](int row, int axis) {
    return static_cast<int>(figure(run, kShapeFigures, row, kDocument + axis));
  };
  const int width = extent(0, 3);
  const int count = extent(2, 1);
  const int in_head = extent(2, 3);
  Step step;
  step.title = {"每个箭头处的形状", "The shape at every arrow"};
  step.narration =
      fill({"左列是你的尺寸，右列是文档里的批量 $0、$1 个词、$2 维、$3 个头。两列都是真跑一遍读出来的。\n"
            "切头只是重新分组：$2 = $3 × "
            "$4，一个数不多，一个数不少。最后又回到输入的形状，所以这样的层可以一层叠一层。",
            "On the left your sizes, on the right the document's: a batch of $0, $1 words, width $2, $3 "
            "heads. Both are "
            "read off a real run.\nCutting only regroups: $2 = $3 × $4, no number more or less. The output "
            "has the "
            "shape of the input, so layers can be stacked."},
           {extent(0, 1), extent(0, 2), width, count, in_head});
  step.brief = fill({"切头只是重新分组：$0 = $1 × $2。", "Cutting into heads only regroups: $0 = $1 × $2."},
                    {width, count, in_head});
  step.try_it = {"改头数：只有中间四行的形状会变。",
                 "Change the number of heads: only the four rows in the middle change."};
  step.focus = {kShapeFigures, 0, -1, -1};
  step.sheet = kShapes;
  return step;
}

Step counts(const Run& run, const Settings&) {
  Step step;
  step.title = {"头多，参数不多", "More heads, no more parameters"};
  step.narration = fill(
      {"几个头都是 $0 个参数，$1 次乘法。自注意力是 $2 次，差的 $3 次全在 W_o。随头数增加的是权重表，"
       "一个头一张：除法、指数、少许加法。\n"
       "FLOPs（小写 s）数{strong|运算次数}，FLOPS 说每秒多少次；两个都不是时间。",
       "However many heads: $0 parameters, $1 multiplications. Self-attention takes $2; the other $3 are "
       "W_o. What grows with the heads is their tables of weights: divisions, exponentials, a few "
       "additions.\nFLOPs are a {strong|number of operations}, FLOPS operations a second: neither is a "
       "time."},
      {count_of(run, kParameterCount, 1), count_of(run, kMultiplications, 1),
       count_of(run, kMultiplications, 0), count_of(run, kOutput, 1)});
  step.brief = fill({"不管几个头，都是 $0 个参数。", "With any number of heads there are $0 parameters."},
                    {count_of(run, kParameterCount, 1)});
  step.try_it = {"改特征宽 d：参数按 d² 长。", "Change the width d: the parameters grow with d²."};
  step.focus = {kCountFigures, 0, -1, -1};
  step.sheet = kCounts;
  return step;
}

Step switched_off(const Run& run, const Settings& settings) {
  const int off = head_off(settings);
  const int changed = changed_columns(run.tape());
  Step step;
  step.title = {"关掉一个头", "Switch one head off"};
  if (off < 0) {
    step.narration = {"所有的头都开着，变化处处是 0。选一个头关掉。",
                      "All heads are on, so the change is 0 everywhere. Choose a head to switch off."};
  } else {
    step.narration = fill({"第 $0 头的上下文在拼接前全部置 0（列 "
                           "$1）。现在的输出减去所有头都开着时的（unchanged），$2 列里有 $3 列不是 0。",
                           "The context of head $0 is set to 0 before W_o (columns $1). The output less the "
                           "one with every head on (unchanged): $3 of $2 columns aren't 0."},
                          {off + 1, columns_of(settings, off), settings.d_model, changed});
    step.narration +=
        mixes_nothing(run) ? RunText{"\nW_o = I 时谁也不混谁：一个头只管得到自己那几列。",
                                     "\nWith W_o = I nothing is mixed: a head reaches its own columns only."}
        : changed == settings.d_model
            ? RunText{"\n一个头{strong|没有专属的输出列}：W_o 把它的几列加权送到了整行。",
                      "\nA head {strong|owns no part of the output}: W_o sends its few columns all over the "
                      "row."}
            : RunText{"\n照你改过的数，其余的列里看不到这个头。",
                      "\nWith your numbers nothing of this head shows in the other columns."};
  }
  step.brief = {"关掉一个头，看{out|输出}的哪些列变。",
                "Switch a head off: which columns of the {out|output} change?"};
  step.try_it =
      settings.identity
          ? RunText{"再关掉 W_o = I：变的列数一样吗？", "Take W_o = I back: do as many columns change?"}
          : RunText{"打开 W_o = I：还有几列会变？", "Set W_o = I: how many columns still change?"};
  step.focus = {kChange, 0, asking(run), 0};
  step.sheet = kSwitch;
  return step;
}

/// Why the two outputs differ.
RunText reason(const Run& run, const Settings& settings) {
  const Distance before =
      distance_between(run.tape(), label_of(Site::concatenated), single_label(Site::context));
  const std::string apart = distance_text(before.largest);
  if (settings.off != Off::none)
    return fill({"有一个头关着：拼接里它那 $0 列全是 0。", "A head is off: its $0 columns are all 0."},
                {width_of_head(settings)});
  if (before.ulp == 0)
    return settings.identity
               ? RunText{"拼接已经相同：{eq|0 ULP}。可 W_o 里有你改的数，它不是 I。",
                         "The concatenation is there: {eq|0 ULP}. But numbers of yours keep W_o from being "
                         "I."}
               : RunText{"拼接已经相同：{eq|0 ULP}。可后面还乘着 W_o。",
                         "The concatenation is there: {eq|0 ULP}. But W_o still follows."};
  if (mixes_nothing(run))
    return fill({"W_o 不再起作用，可 $0 个头各做各的 softmax，拼接仍相差 $1。",
                 "W_o does nothing now, but $0 heads have $0 softmaxes, and end up $1 apart."},
                {settings.heads, apart});
  return fill({"$0 个头各做各的 softmax，还没乘 W_o 就已相差 $1。",
               "$0 heads have $0 softmaxes: $1 apart even before W_o."},
              {settings.heads, apart});
}

Step question(const Run& run, const Settings& settings) {
  const Distance apart = distance_between(run.tape(), label_of(Site::attention), single_label(Site::context));
  const bool right = apart.ulp == 0;
  const bool untouched = settings.heads == kQuestionHeads && !settings.identity && settings.off == Off::none;
  Step step;
  step.title = {"问题：多头何时就是自注意力？", "Question: when is multi-head just self-attention?"};
  step.narration = {"左右用同样的 {q|Q}、{k|K}、{v|V}。", "Both sides use the same {q|Q}, {k|K} and {v|V}."};
  step.narration +=
      right ? RunText{"现在两边{eq|一个比特都不差}：0 ULP。", " Now they are {eq|equal to the bit}: 0 ULP."}
            : fill({"现在最大相差 {ne|$0}。让它们一个比特都不差。",
                    " Now they differ by up to {ne|$0}. Make them equal to the bit."},
                   {distance_text(apart.largest)});
  if (right && settings.heads == 1 && mixes_nothing(run))
    step.narration +=
        {"\n{eq|对了。}不切，也不混。所以单头的多头注意力并不等于自注意力：差别就是 W_o。",
         "\n{eq|Right:} nothing cut, nothing mixed. So multi-head attention with one head isn't "
         "self-attention; W_o is the difference."};
  else if (right)
    step.narration += {"\n{eq|对了。}换上你改的数，切不切头、乘不乘 W_o，在这里都没有差别。",
                       "\n{eq|Right:} with your numbers neither the cut nor W_o makes a difference here."};
  else if (!untouched) {
    step.narration += {"\n{ne|还不是。}", "\n{ne|Not yet.} "};
    step.narration += reason(run, settings);
  }
  step.brief = {"让多头的输出与自注意力一个比特都不差。",
                "Make multi-head and self-attention equal to the bit."};
  step.try_it = {"改头数，开关 W_o = I。", "Change the number of heads, and set W_o = I or not."};
  step.focus = {label_of(Site::attention), 0, asking(run), 0};
  step.sheet = kCompare;
  step.answer = right ? Answer::right : untouched ? Answer::open : Answer::wrong;
  return step;
}

}  // namespace

std::vector<Step> narrate(const Run& run, const Settings& settings) {
  std::vector<Step> steps;
  for (Step (*const tell)(const Run&, const Settings&) :
       {overview, split, attend, look, mix, shapes, counts, switched_off, question})
    steps.push_back(tell(run, settings));
  return steps;
}

}  // namespace attn::lessons::multi_head
