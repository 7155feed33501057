#include "lessons/why_attention/narration.h"

#include <algorithm>

#include "lessons/numbers.h"

namespace attn::lessons::why_attention {
namespace {

using tape::Site;

std::string number(const Run& run, Layer layer, Site site, int row, int column) {
  return six_digits(row_of(run, label_of(layer, site), row)[static_cast<std::size_t>(column)]);
}

Step sentence(const Run&, const Settings& settings) {
  Step step;
  step.title = fill({"I saw a saw：同一个 saw，两个意思", "I saw a saw: one spelling, two meanings"});
  step.narration = fill(
      {"{strong|I saw a saw}，我看见一把锯子。前一个 saw 是“看见”，后一个是“锯子”，写法一模一样。",
       "{strong|I saw a saw.} The first saw is a verb, the second is a tool, and they are spelled alike."});
  step.narration +=
      settings.look_around
          ? fill({"\n你一眼就能分清，因为你看了{strong|旁边的词}。弧线画的就是这个：右边是在看的词（{q|查询}"
                  "），左边是被看的词（{k|键}）。前一个 saw "
                  "主要看 I，后一个主要看 a。",
                  "\nYou know which is which because you look at {strong|the words around it}. The arcs show "
                  "it: words on the right ({q|queries}) look at words on the left ({k|keys}), the first saw "
                  "mostly at I, the second mostly at a."})
          : fill({"\n现在每个词{ne|只看自己}：两个 saw 分不开了。",
                  "\nNow each word looks {ne|only at itself}, and nothing tells the two apart."});
  step.brief = fill({"看了旁边的词，才分得清两个 saw。", "Only the words around tell the two saws apart."});
  step.try_it = fill({"关掉“看旁边的词”，再打开。", "Switch “Look around” off, and on again."});
  step.focus = {label_of(kGoal, Site::weights), 0, kSecondSaw, 2};
  step.sheet = kSentence;
  return step;
}

Step alone(const Run&, const Settings&) {
  Step step;
  step.title = fill({"只看一个词，永远分不开", "One word alone can never tell"});
  step.narration = fill(
      {"先把词写成数：每个词一行，只有一个 1，I 是 {code|[1, 0, 0]}，saw 是 {code|[0, 1, 0]}，a 是 "
       "{code|[0, 0, 1]}。\n再找一个函数，每次只给它一个词。同样的数进去，同样的数出来：两个 saw "
       "的结果{eq|一个比特都不差}（0 ULP）。换哪个函数都一样，所以必须看旁边的词。",
       "First, words as numbers, each a row with a single 1: I is {code|[1, 0, 0]}, saw {code|[0, 1, "
       "0]}, a {code|[0, 0, 1]}.\nNow give one word at a time to some function. The same numbers go "
       "in, so the same come out: both saws get {eq|the same bits} (0 ULP). No function helps; the words "
       "around are needed."});
  step.brief = fill({"同样的数进去，同样的数出来。", "The same numbers in, the same numbers out."});
  step.try_it = fill({"改 W 的一格，或换随机种子：两个 saw 分得开吗？",
                      "Change a cell of W, or the seed: do the two saws part?"});
  step.focus = {function_label(Site::feed_forward), 0, kSecondSaw, 0};
  step.sheet = kAlone;
  return step;
}

/// "an acute angle, so it is positive", in the words of the sign.
RunText about_sign(const Angle& angle) {
  if (!angle.exists()) return fill({"零向量没有方向", "a zero vector has no direction"});
  if (angle.sign() == 0)
    return angle.product == 0.0f ? fill({"正好垂直，内积是 0", "a right angle, where it is 0"})
                                 : fill({"垂直，这点零头只是舍入，不超过 |u||w|·2⁻²² = $0",
                                         "a right angle, this being rounding, at most |u||w|·2⁻²² = $0"},
                                        {exponent(angle.rounding())});
  return angle.sign() > 0 ? fill({"小于 90°，内积为正", "less than 90°, so it is positive"})
                          : fill({"大于 90°，内积为负", "more than 90°, so it is negative"});
}

Formula product_formula() {
  return {"u·w = u₀w₀ + u₁w₁ = |u| |w| cos θ",
          "<mrow><mi>u</mi><mo>·</mo><mi>w</mi><mo>=</mo><msub><mi>u</mi><mn>0</mn></msub><msub><mi>w</mi>"
          "<mn>0</mn></msub><mo>+</mo><msub><mi>u</mi><mn>1</mn></msub><msub><mi>w</mi><mn>1</mn></msub>"
          "<mo>=</mo><mo>|</mo><mi>u</mi><mo>|</mo><mo>|</mo><mi>w</mi>"
          "<mo>|</mo><mi>cos</mi><mi>θ</mi></mrow>"};
}

Step inner_product(const Run& run, const Settings&) {
  const Angle angle = angle_of(run);
  Step step;
  step.title = fill({"两个向量合不合：内积", "Do two vectors agree? The inner product"});
  step.narration = fill(
      {"看旁边的词，也要分轻重。怎样给两个向量打分？用{strong|内积}：对应的数相乘，再加起来。\n现在 u·w = "
       "{strong|$0}，夹角 $1：$2。向量越长，内积的绝对值也越大。",
       "Words around count more or less. How to score two vectors? By the {strong|inner product}: multiply "
       "number by number, and add.\nNow u·w = {strong|$0}, at $1: $2. Longer vectors make it larger in "
       "size."},
      {fixed(angle.product, 2), degrees_text(angle, 0), about_sign(angle)});
  step.brief = fill({"内积：对应的数相乘再相加，长短不变时方向越近越大。",
                     "Multiply number by number and add: at equal lengths, closer directions give more."});
  step.try_it = fill(
      {"拖一个箭头，让它转到与另一个垂直。", "Drag one arrow until it is at a right angle to the other."});
  step.formula = product_formula();
  step.focus = {vectors_label()};
  step.sheet = kAngle;
  return step;
}

Step alike(const Run& run, const Settings&) {
  Step step;
  step.title = fill({"直接做内积：saw 只认 saw", "Plain inner products: saw finds only saw"});
  step.narration = fill(
      {"每两个词做一次内积。后一个 saw 与 I 得 $0，与 a 也得 $1；与前一个 saw 却得 {ne|$2}，和跟自己一样高。"
       "\n一样的词当然最合。可它该看的是 a：光比“像不像”不够。",
       "The inner product of every pair of words. The second saw scores $0 with I and $1 with a, but "
       "{ne|$2} with the other saw, as much as with itself.\nEqual words fit best, of course. Yet it "
       "should look at a: being alike is not the right question."},
      {number(run, kRaw, Site::scores, kSecondSaw, 0), number(run, kRaw, Site::scores, kSecondSaw, 2),
       number(run, kRaw, Site::scores, kSecondSaw, kFirstSaw)});
  step.brief =
      fill({"直接做内积，saw 给 saw 的分最高。", "By plain inner products saw scores highest with saw."});
  step.focus = {label_of(kRaw, Site::scores), 0, kSecondSaw, kFirstSaw};
  step.sheet = kAlike;
  return step;
}

Step queries(const Run& run, const Settings&) {
  Step step;
  step.title = fill({"先变一变，再做内积：W_q 和 W_k", "Change them first: W_q and W_k"});
  step.narration = fill(
      {"给每个词两个新身份：乘 {q|W_q} 得到提问的{q|查询}，乘 {k|W_k} "
       "得到回答的{k|键}，再做内积。这里的矩阵是手写的，"
       "saw 的最高分给了 {strong|$0}；真的要靠训练。\n两个 saw "
       "的行仍然一样：分先后还要靠位置，开头的弧线就用了它。",
       "Each word gets two roles: {q|W_q} makes its {q|query}, {k|W_k} its {k|key}. These matrices are "
       "written by hand, and saw now scores highest with {strong|$0}; real ones are learned.\nThe two saws' "
       "rows are still equal: that takes positions, which the arcs at the beginning used."},
      {largest_words(run, label_of(kAsked, Site::scores), kSecondSaw)});
  step.brief = fill({"{q|W_q} 管提问，{k|W_k} 管回答：该看谁，可以学。",
                     "{q|W_q} asks and {k|W_k} answers, so whom to look at can be learned."});
  step.try_it = fill({"改 W_k 的一格，让 saw 只看 a。", "Change a cell of W_k so that saw looks only at a."});
  step.formula = {
      "α[i,j] = (W_q x[i]) · (W_k x[j])",
      "<mrow><msub><mi>α</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><mo>=</mo><mo>(</mo><msub><mi>W</mi><mi "
      "class=\"q\">q</mi></msub><msub><mi>x</mi>"
      "<mi>i</mi></msub><mo>)</mo><mo>·</mo><mo>(</mo><msub><mi>W</mi><mi class=\"k\">k</mi></msub><msub>"
      "<mi>x</mi><mi>j</mi></msub><mo>)</mo></mrow>"};
  step.focus = {label_of(kAsked, Site::scores), 0, kSecondSaw, 2};
  step.sheet = kQueries;
  return step;
}

Step sum(const Run& run, const Settings&) {
  const auto score = [&](int column) { return number(run, kSummed, Site::scores, 0, column); };
  Step step;
  step.title = fill({"按分数加起来：还差一点", "Adding up by scores: not quite"});
  const float total = row_of(run, label_of(kSummed, Site::row_sums), 0)[0];
  step.narration =
      fill({"有了分数，就按分数把词加起来。这里不算，直接给 I 四个分数做例子，可以改。I 的新向量：\n"
            "b = $0·I + $1·saw + $2·a + $3·saw\n",
            "With scores, words can be added up. The four scores of I here are an example, given rather than "
            "computed; change them. Its new vector:\nb = $0·I + $1·saw + $2·a + $3·saw\n"},
           {score(0), score(1), score(2), score(3)});
  step.narration += fill(total == 1.0f ? Text{"现在分数之和碰巧是 {eq|1}；改大一个，b 就跟着变。",
                                              "They happen to sum to {eq|1}; raise one, and b follows. "}
                                       : Text{"毛病：分数之和是 {ne|$0}，分数一大，b 就跟着变大。",
                                              "The fault: they sum to {ne|$0}, and b grows with them. "},
                         {six_digits(total)});
  step.narration += {"{eq|softmax} 把分数变成份额，加起来总是 1。",
                     "{eq|Softmax} makes them shares, which always sum to 1."};
  step.brief = fill({"分数之和可以是任何数；softmax 把它们变成份额。",
                     "Scores may sum to anything; softmax turns them into shares."});
  step.try_it = fill(
      {"把分数里的 5 改成 50：哪个 b 变大，哪个不会？", "Make the 5 a 50: which b grows, which doesn't?"});
  step.formula = {"b = Σ α[j] · x[j]",
                  "<mrow><mi class=\"out\">b</mi><mo>=</mo><mo>∑</mo><msub><mi>α</mi><mi>j</mi></msub>"
                  "<msub><mi>x</mi><mi>j</mi></msub></mrow>"};
  step.focus = {label_of(kSummed, Site::context), 0, 0, 0};
  step.sheet = kSum;
  return step;
}

Step values(std::span<const CellEdit> edits) {
  const bool changed = std::any_of(edits.begin(), edits.end(), [](const CellEdit& edit) {
    return edit.tensor == label_of(kLearned, Site::value_weight);
  });
  Step step;
  step.title = fill({"再加一个 W_v：就是自注意力", "One more matrix, W_v: self-attention"});
  step.narration = fill(
      {"第二个毛病：b 只是原来几个词的混合，里面没有可学的东西。\n给每个词再乘一个学出来的 "
       "{v|W_v}（$0），得到要交出的"
       "{v|值}，按份额加{v|值}。打分、变成份额、加起来：这就是{strong|自注意力}，下一课一格一格算。",
       "The second fault: b is only a mixture of the words themselves, with nothing to learn in it.\nA "
       "learned {v|W_v} ($0) makes the {v|value} each word hands over, and the shares add those. "
       "Score, share, add: that is {strong|self-attention}, cell by cell in the next lesson."},
      {changed ? Text{"这里随机，加上你改的数", "here random, and yours"} : Text{"这里随机", "here random"}});
  step.try_it = fill({"改 W_v 的一格：V 和 b 的哪些数跟着变？",
                      "Change a cell of W_v: which numbers of V and b move with it?"});
  step.brief =
      fill({"{v|W_v} 让每个词交出学来的{v|值}。", "{v|W_v} lets each word hand over a learned {v|value}."});
  step.formula = {
      "b = Σ α′[j] · W_v x[j]",
      "<mrow><mi class=\"out\">b</mi><mo>=</mo><mo>∑</mo><msub><mi>α′</mi><mi>j</mi></msub><msub><mi>W</mi>"
      "<mi class=\"v\">v</mi></msub><msub><mi>x</mi><mi>j</mi></msub></mrow>"};
  step.focus = {label_of(kLearned, Site::context), 0, 0, 0};
  step.sheet = kValues;
  return step;
}

/// Answered by doing: where is an inner product negative?
Step question(const Run& run, std::span<const CellEdit> edits) {
  const Angle angle = angle_of(run, Pair::asked);
  const bool moved = std::any_of(edits.begin(), edits.end(), [](const CellEdit& edit) {
    return edit.tensor == vectors_label(Pair::asked);
  });
  const std::string product = fixed(angle.product, 2);
  const std::string degrees = degrees_text(angle, 0);
  Step step;
  step.answer = !moved ? Answer::open : angle.sign() < 0 ? Answer::right : Answer::wrong;
  step.title = fill({"问题：让内积变成负数", "Question: make the inner product negative"});
  step.narration =
      fill({"拖动 u 或 w（或改坐标），让 u·w 小于 0。先猜：要变短，还是要转？",
            "Drag u or w, or change their numbers, until u·w is below 0. Guess first: shorter, or turned?"});
  if (step.answer == Answer::right)
    step.narration +=
        fill({"\n{eq|对了。}现在 u·w = $0，夹角 $1。超过 90°，内积就是负的；长短只改大小，不改正负。",
              "\n{eq|Right.} u·w = $0 at $1. Beyond 90° it is negative; length changes its size, never its "
              "sign."},
             {product, degrees});
  else if (moved && angle.exists())
    step.narration += fill({"\n{ne|还不是。}现在 u·w = $0，夹角 $1：$2。要转过 90°。",
                            "\n{ne|Not yet.} u·w = $0 at $1: $2. Turn it beyond 90°."},
                           {product, degrees, about_sign(angle)});
  else if (moved)
    step.narration += fill({"\n{ne|还不是。}u·w = 0：零向量与谁的内积都是 0。",
                            "\n{ne|Not yet.} With a zero vector u·w is always 0."});
  step.brief = fill({"拖动箭头，让 u·w 小于 0。", "Drag an arrow until u·w is below 0."});
  step.formula = product_formula();
  step.focus = {vectors_label(Pair::asked)};
  step.sheet = kAskedAngle;
  return step;
}

}  // namespace

std::vector<Step> narrate(const Run& run, const Settings& settings, std::span<const CellEdit> edits) {
  std::vector<Step> steps;
  for (Step (*const tell)(const Run&, const Settings&) :
       {sentence, alone, inner_product, alike, queries, sum})
    steps.push_back(tell(run, settings));
  steps.push_back(values(edits));
  steps.push_back(question(run, edits));
  return steps;
}

}  // namespace attn::lessons::why_attention
