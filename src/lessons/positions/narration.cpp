#include "lessons/positions/narration.h"

#include <cmath>

#include "lessons/numbers.h"
#include "lessons/positions/formulas.h"
#include "lessons/positions/sheets.h"

namespace attn::lessons::positions {
namespace {

using tape::Site;

struct Teller {
  const Run& run;
  const Settings& settings;

  Change change(Compared what) const { return change_of(run, settings, what); }
  bool positioned() const { return settings.kind != kNone; }
  bool written() const { return settings.order == kAsWritten; }
  std::string order() const {
    std::string text;
    for (const std::string& word : run.target_words) text += (text.empty() ? "" : " ") + word;
    return text;
  }
};

/// A wavelength, in positions.
std::string positions_in(float wavelength) {
  return wavelength < 100.0f ? fixed(wavelength, 2)
                             : thousands(static_cast<std::uint32_t>(std::lround(wavelength)));
}

std::string amount(const Change& change) {
  if (change.equal()) return "0 ULP";
  return change.largest < 0.005f ? exponent(change.largest) : fixed(change.largest, 2);
}

/// What the other order did to each word's output.
Text effect(const Teller& tell) {
  if (tell.written())
    return {"\n现在上下次序相同，当然一样：0 ULP。在上方换一个次序。",
            "\nBoth orders are the same now, so nothing changes: 0 ULP. Choose another order above."};
  if (!tell.positioned())
    return {"\n每个词带着自己的输出一起走：同一个词前后最多差 {eq|$0}，只是舍入。没有位置，句子只是一袋词。",
            "\nEach word takes its output along: the same word's rows differ by at most {eq|$0}, mere "
            "rounding. Without positions a sentence is a bag of words."};
  if (tell.change(kOutput).equal())
    return {"\n位置加进了 X，可每个词的权重都压在一个词上，输出仍差 {eq|$0}：数太大，位置淹没了。",
            "\nPositions are part of X, but every word puts all its weight on one: outputs are {eq|$0} "
            "apart. Next "
            "to numbers that large, positions drown."};
  if (tell.settings.order == kSawsSwapped)
    return {
        "\n两个 saw 对调，句子没变，上下两张表完全相同；走动的 saw 拿到了另一个 saw 的输出，相差 {ne|$0}。",
        "\nSwapping the saws leaves the sentence, and the table, as it was; the saw that moved got the other "
        "one's output, {ne|$0} apart."};
  return {"\n位置加进了 X，同一个词换了位置，输出最多差 {ne|$0}：这不是舍入。",
          "\nPositions are part of X, so the same word in another place gets another output, up to {ne|$0} "
          "apart: no rounding."};
}

Step bag_of_words(const Teller& tell) {
  Step step;
  add(step.title, {"注意力不知道次序", "Attention doesn't know the order"});
  add(step.narration,
      {"上排是 {strong|I saw a saw}，下排是 {strong|$0}，同一组权重矩阵。注意力把各个词相加，加法不问次序。",
       "Above {strong|I saw a saw}, below {strong|$0}, through the same head. Attention adds over the words, "
       "and a sum doesn't ask for their order."},
      {tell.order()});
  add(step.narration, effect(tell), {amount(tell.change(kOutput))});
  add(step.brief,
      {"换序后，同一个词的输出最多差 $0。", "Reordered, the same word's output differs by at most $0."},
      {amount(tell.change(kOutput))});
  add(step.try_it, {"在上方换几个次序，看下排每行右边的差。",
                    "Try other orders above and read the change beside each row below."});
  step.formula = output_formula();
  step.focus = {label_of(kReordered, Site::context), 0, 0, 0};
  step.sheet = kOrderSheet;
  return step;
}

Step rounding(const Teller& tell) {
  const Change weights = tell.change(kWeights);
  const Change output = tell.change(kOutput);
  Step step;
  add(step.title, {"差的只是舍入，差在哪里", "Only rounding differs, and where"});
  if (tell.written())
    add(step.narration, {"现在次序没变，七个张量全同。在上方换一个次序。",
                         "The order is the written one, so all seven tensors agree. Choose another above."});
  else if (tell.positioned())
    add(step.narration,
        {"位置开着：X 自己就已相差 {ne|$0}，后面都不是舍入。在上方关掉位置再看。",
         "Positions are on: X itself differs by {ne|$0}, so nothing below is mere rounding. Switch them off "
         "above."},
        {amount(tell.change(kInput))});
  else
    add(step.narration,
        {"Q、K、V、分数只用一个词或一对词，差 {eq|0 ULP}。能不同的只有把四个词加起来的地方：softmax "
         "的分母（权重 {eq|$0}）和{out|输出}（{eq|$1}）。\na + b = b + a，但 (a + b) + c 与 a + (b + c) "
         "舍入可能不同。",
         "Q, K, V and scores use one word or one pair: {eq|0 ULP}. Only sums over words can differ: "
         "softmax's denominator (weights {eq|$0}) and the {out|output} ({eq|$1}).\na + b = b + a, but (a + "
         "b) + c may round unlike a + (b + c)."},
        {size_of(weights), size_of(output)});
  if (tell.positioned() && !tell.written())
    add(step.brief, {"位置开着，X 自己就相差 $0。", "With positions on, X itself differs by $0."},
        {amount(tell.change(kInput))});
  else
    add(step.brief, {"权重差 $0，输出差 $1。", "Weights differ by $0, outputs by $1."},
        {size_of(weights), size_of(output)});
  add(step.try_it,
      {"试 I a saw saw：这里 softmax 两两相加，(0+1)+(2+3)，哪些次序会拆散这两对？",
       "Try I a saw saw: softmax here adds in pairs, (0+1)+(2+3); which orders split the pairs?"});
  step.focus = {label_of(kReordered, Site::context), 0, output.row, output.column};
  step.sheet = kRoundingSheet;
  return step;
}

Step encoding(const Teller& tell) {
  const int last = pairs_of(tell.settings) - 1;
  Step step;
  add(step.title, {"给每个位置一个向量", "A vector for every place"});
  add(step.narration,
      {"一行是一个位置，$0 个数，都在 −1 到 1 之间，直接加到那个词的向量上。\n第 0 对正弦、余弦每 $1 "
       "个位置重复一次，最后的每 $2 个。",
       "A row is a position: $0 numbers between −1 and 1, added to the vector of the word there.\nThe first "
       "sine and cosine repeat every $1 positions, the last every $2."},
      {tell.settings.d_model, positions_in(wavelength(tell.settings, 0)),
       positions_in(wavelength(tell.settings, last))});
  add(step.narration, tell.settings.layout == kInterleaved
                          ? Text{"越往右变得越慢，像钟的秒针、分针、时针。",
                                 " To the right they turn ever more slowly, like the hands of a clock."}
                          : Text{"左半是正弦，右半是余弦，每一半里越往右越慢。",
                                 " Sines left, cosines right; in each half they slow down to the right."});
  add(step.brief, {"每个位置有自己的一行，加到词向量上。",
                   "Each position has a row of its own, added to the word's vector."});
  add(step.try_it, {"比较第 0、1、2 行：只看前几列就能分开。",
                    "Compare rows 0, 1 and 2: the first columns alone tell them apart."});
  step.formula = encoding_formula();
  step.focus = {table_label(kSinusoidalTable), 0, 1, 0};
  step.sheet = kTableSheet;
  return step;
}

Step waves(const Teller& tell) {
  const Settings& now = tell.settings;
  const std::string first = positions_in(wavelength(now, 0));
  const std::string last = positions_in(wavelength(now, pairs_of(now) - 1));
  Step step;
  add(step.title, {"每一对有自己的波长", "Every pair has its own wavelength"});
  add(step.narration,
      {"波长从 2π = $0 起，按等比增长到 $1，够不到 10000·2π = "
       "$2。\n一对正弦和余弦{strong|共用}一个指数，所以 sin² + cos² = 1（最多差 "
       "$3）。常见的错是给余弦另一个指数，这个等式就不成立了。",
       "Wavelengths grow geometrically from 2π = $0 to $1; 10000·2π = $2 isn't reached.\nSine and cosine of "
       "a pair {strong|share} one exponent, so sin² + cos² = 1 (at most $3 off). A common bug gives the "
       "cosine its own exponent, which breaks this."},
      {first, last, positions_in(10000.0f * wavelength(now, 0)), exponent(pair_error(tell.run, now))});
  add(step.brief, {"波长从 $0 到 $1。", "Wavelengths run from $0 to $1."}, {first, last});
  add(step.try_it, {"把 d_model 改成 8：还剩几对，最长的波长变成多少？",
                    "Make d_model = 8: how many pairs are left, and how long is the longest wave?"});
  step.formula = wavelength_formula();
  step.focus = {figures(kWaves)};
  step.sheet = kWavesSheet;
  return step;
}

Step distance(const Teller& tell) {
  const float spread = spread_over_distances(tell.run, kSinusoidalTable);
  const bool odd = tell.settings.d_model % 2 == 1;
  const std::string shown = spread < 0.01f ? exponent(spread) : fixed(spread, 2);
  Step step;
  add(step.title, {"内积只看距离", "The dot product sees the distance only"});
  add(step.narration,
      odd ? Text{"左图几乎沿斜线不变：两个位置的内积差不多只由距离决定。宽度是奇数，最后一个正弦没有余弦配对"
                 "，同一距离最多差 $0。",
                 "Left: nearly constant along diagonals, so two rows' dot product depends on little but "
                 "their distance. The width is odd and the last sine has no cosine: up to $0 apart at one "
                 "distance."}
          : Text{"左图沿斜线不变：两个位置的内积只由距离决定，从哪里数起都一样，同一距离最多差 $0，是舍入。",
                 "Left: constant along diagonals. Two rows' dot product depends on their distance only, "
                 "wherever one starts; at one distance it varies by $0, rounding."},
      {shown});
  add(step.narration,
      {"\n右图是{strong|学习的}表，训练前是随机数，差到 $0；规律要靠训练，第 $1 行之后没有位置。",
       "\nRight: a {strong|learned} table, random before training: it varies by $0. Past row $1 it has no "
       "positions."},
      {fixed(spread_over_distances(tell.run, kLearnedTable), 1), kRows - 1});
  add(step.brief,
      {"正弦表同一距离的内积最多差 $0。", "In the sinusoidal table products at one distance differ by $0."},
      {shown});
  step.formula = distance_formula();
  step.focus = {products_label(kSinusoidalTable), 0, 20, 24};
  step.sheet = kDistanceSheet;
  return step;
}

Step layouts(const Teller& tell) {
  const int d_model = tell.settings.d_model;
  Step step;
  add(step.title, {"奇数宽度，两种排法", "Odd widths, two layouts"});
  add(step.narration,
      {"d_model = $0：正弦 $1 列，余弦 $2 列。", "d_model = $0: columns of sines $1, of cosines $2."},
      {d_model, pairs_of(tell.settings), d_model / 2});
  add(step.narration,
      d_model % 2 == 1 ? Text{"最后一个正弦没有搭档；两边都按 (d + 1)/2 列去填的程序，到这里就报错。",
                              " The last sine has no partner; code that fills as many cosines as sines stops "
                              "here with an error."}
                       : Text{"全都成对。把 d_model 改成奇数试试。", " All in pairs. Try an odd d_model."});
  add(step.narration,
      {"\n左：sin、cos {strong|交错}（论文）。右：先全部 sin，再全部 "
       "cos。数一样，只是列的次序不同；但换了排法，训练好的权重就对不上。",
       "\nLeft {strong|interleaved}, as in the paper; right all sines, then all cosines. The same columns in "
       "another order, but trained weights fit only the one they learned with."});
  add(step.brief, {"正弦 $0 列，余弦 $1 列。", "The sines fill $0 columns, the cosines $1."},
      {pairs_of(tell.settings), d_model / 2});
  add(step.try_it, {"试 d_model = 3、5、7、8。", "Try d_model = 3, 5, 7 and 8."});
  step.focus = {table_label(kInterleavedTable), 0, 1, d_model - 1};
  step.sheet = kLayoutSheet;
  return step;
}

Step order_counts(const Teller& tell) {
  Step step;
  add(step.title, {"有了位置，次序就算数", "With positions the order counts"});
  add(step.narration,
      {"又是 {strong|I saw a saw}（上）和 {strong|$0}（下），{mem|位置}：$1。",
       "Again {strong|I saw a saw} above and {strong|$0} below; {mem|positions}: $1."},
      {tell.order(), tell.settings.kind == kNone         ? Filling(Text{"无", "none"})
                     : tell.settings.kind == kSinusoidal ? Filling(Text{"正弦", "sinusoidal"})
                                                         : Filling(Text{"学习的", "learned"})});
  add(step.narration, effect(tell), {amount(tell.change(kOutput))});
  add(step.brief,
      {"换序后，同一个词的输出最多差 $0。", "Reordered, the same word's output differs by at most $0."},
      {amount(tell.change(kOutput))});
  add(step.try_it, {"把位置关掉又打开，看下排右边的差。",
                    "Switch positions off and on; watch the change beside the lower output."});
  step.formula = sum_formula();
  step.focus = {label_of(kReordered, Site::embedding), 0, 0, 0};
  step.sheet = kOrderSheet;
  return step;
}

/// Answered by doing: what makes the two saws differ?
Step question(const Teller& tell) {
  const Change saws = between_saws(tell.run, tell.settings);
  const auto [first, second] = saws_of(tell.settings.order);
  Step step;
  add(step.title, {"问题：怎样分开两个 saw？", "Question: how to tell the two saws apart?"});
  add(step.narration,
      {"句子 {strong|$0}，两个 saw 在位置 $1 和 $2，{out|输出}相差 "
       "{strong|$3}。自注意力那一课里，它们一个比特都不差。\n拨动上方的一个开关，让两个输出不同。",
       "The sentence: {strong|$0}. Its saws stand at $1 and $2; their {out|outputs} are {strong|$3} apart. "
       "In the lesson on self-attention they had the same bits.\nChange one switch above so that they "
       "differ."},
      {tell.order(), first, second, size_of(saws)});
  if (!saws.equal()) {
    add(step.narration, {"\n{eq|对了。}两行 X 加上了不同的位置，查询、权重、输出也就不同。",
                         "\n{eq|Right.} Different positions make different rows of X, hence other outputs."});
    step.answer = Answer::right;
  } else if (tell.positioned()) {
    add(step.narration,
        {"\n{ne|还不是。}两行 X 已经不同，可权重都压在同一个词上，输出仍差 0 ULP。",
         "\n{ne|Not yet.} The rows of X differ, but both put all weight on one word: outputs 0 "
         "ULP apart."});
    step.answer = Answer::wrong;
  } else if (tell.settings.order != kInitialOrder) {
    add(step.narration,
        {"\n{ne|还不是，0 ULP。}换了次序，两行 X 还是一样，看到的词也一样。",
         "\n{ne|Not yet}, 0 ULP. In any order both rows of X are equal and see the same words."});
    step.answer = Answer::wrong;
  } else {
    step.answer = Answer::open;
  }
  add(step.brief, {"两个 saw 的输出相差 $0。", "The two saws' outputs are $0 apart."}, {size_of(saws)});
  add(step.try_it, {"改词向量的一个数：两个 saw 还是一样吗？",
                    "Change a number of the word vectors: are the two saws still equal?"});
  step.focus = {label_of(kReordered, Site::context), 0, second, 0};
  step.sheet = kSawsSheet;
  return step;
}

}  // namespace

std::vector<Step> narrate(const Run& run, const Settings& settings) {
  const Teller teller{run, settings};
  std::vector<Step> steps;
  for (Step (*const tell)(const Teller&) :
       {bag_of_words, rounding, encoding, waves, distance, layouts, order_counts, question})
    steps.push_back(tell(teller));
  return steps;
}

}  // namespace attn::lessons::positions
