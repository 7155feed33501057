#include "lessons/loops_to_matrices/narration.h"

#include "lessons/loops_to_matrices/board.h"
#include "lessons/numbers.h"
#include "lessons/self_attention/formulas.h"

namespace attn::lessons::loops_to_matrices {
namespace {

using tape::Site;

std::string count(const Run& run, Figure which, int row, int column) {
  return thousands(static_cast<std::uint32_t>(figure(run, which, row, column)));
}

Step on(Picture picture, tape::Label tensor) {
  Step step;
  step.sheet = static_cast<int>(picture);
  step.focus = {tensor, 0, -1, -1};
  return step;
}

Step on(Picture picture, tape::Label tensor, int row, int column) {
  Step step = on(picture, tensor);
  step.focus.row = row;
  step.focus.column = column;
  return step;
}

Step three_loops(const Run& run, const Settings& settings) {
  Step step = on(Picture::loops, label_of(Site::scores), settings.n - 1, 0);
  step.title = {"三层循环", "Three loops, one inside the other"};
  step.narration =
      fill({"照实写，分数要三层循环：每个{q|查询}词 i，每个{k|键}词 j，再让每个特征 k 相乘、累加。$0 "
            "个词、宽 $1，最里面那一行要执行 $2 次。\n"
            "点一格分数：亮起的一行 {q|Q} 和一行 {k|K}，就是一趟内层循环。",
            "Written out, scores are three loops: for each {q|query} i, for each {k|key} j, multiply "
            "and add feature by feature. With $0 words of width $1 the innermost line runs $2 times."
            "\n"
            "Click a score: the lit row of {q|Q} and row of {k|K} are one run of the inner loop."},
           {settings.n, settings.d, count(run, Figure::loops, 2, 0)});
  step.brief = {"一格分数就是一趟内层循环：一行 {q|Q} 乘一行 {k|K}。",
                "One score is one run of the inner loop: a row of {q|Q} times a row of {k|K}."};
  step.try_it = {"加一个词：三层循环各多执行多少次？", "Add one word: how many more runs for each loop?"};
  step.formula = self_attention::score_formula();
  return step;
}

/// What the two outputs have in common, for settings in which the loops go backward.
RunText backward_verdict(const Settings& settings, const Comparison& found) {
  if (found.different > 0)
    return fill({"循环正从最后一项往前加：$1 格里{ne|$0 格不同}，最多差 $2 ULP。",
                 "The loops now add from the last term to the first: {ne|$0 of $1 cells differ}, by up to "
                 "$2 ULP."},
                {found.different, found.cells, static_cast<int>(found.largest_ulp)});
  if (settings.n <= 2 && settings.d <= 2)
    return {
        "循环正倒着加，却仍是 {eq|0 ULP}：每个和最多两项，而 a + b = b + a 对浮点数也成立。三项起"
        "才有先后之分。",
        "The loops add backward, yet {eq|0 ULP}: every sum has at most two terms, and a + b = b "
        "+ a holds for floats too. From three terms on the order counts."};
  return {"循环正倒着加；这一次舍入碰巧都一样，{eq|0 ULP}。换个随机种子再看。",
          "The loops add backward; this time all roundings happen to agree, {eq|0 ULP}. Try "
          "another seed."};
}

Step same_bits(const Run& run, const Settings& settings) {
  Step step = on(Picture::outputs, label_of(Figure::ulp), settings.n - 1, 0);
  step.title = {"同样的数，一行公式", "The same numbers in one line"};
  const Comparison found = compare_outputs(run);
  step.narration =
      settings.order == Order::forward
          ? fill({"同一个 X，一个输出由循环算出，一个由矩阵公式算出；右边数每格差几个 "
                  "ULP（相邻两个浮点数的距离）：$0 格{"
                  "eq|全是 0}。\n"
                  "因为每个和两边都按同一顺序加，连 softmax 的四路累加也一样，所以最后一位也相同。",
                  "One X, one output by loops, one by matrices; right, how many ULP (steps between "
                  "neighbouring "
                  "floats) each cell is off: {eq|all $0 are 0}.\n"
                  "Both ways add every sum in the same order, softmax even in the same four lanes, so the "
                  "last bit agrees too."},
                 {found.cells})
          : backward_verdict(settings, found);
  step.brief = settings.order == Order::forward
                   ? RunText{"循环与矩阵的{out|输出}{eq|一个比特都不差}。",
                             "Loops and matrices give the {eq|same bits}."}
                   : RunText{"把求和顺序换回来，两边就一样。", "Put the order back and both agree."};
  step.try_it = {"改 X 或任何一个 W 的一格：两个输出还一样吗？",
                 "Change a cell of X or of a W: do both still agree?"};
  step.formula = self_attention::matrix_formula();
  return step;
}

Step other_order(const Run& run, const Settings& settings) {
  Step step = on(Picture::outputs, label_of(Figure::ulp), settings.n - 1, 0);
  step.title = {"换个顺序，末位就变", "Another order, other last bits"};
  const Comparison found = compare_outputs(run);
  if (settings.order == Order::forward) {
    step.narration = {
        "循环按矩阵核的顺序加，从第一项到最后一项：{eq|0 ULP}。把上方的顺序换成“从最后一项加起”。",
        "The loops add in the kernels' order, first term first: {eq|0 ULP}. Switch the order "
        "above to the last term first."};
  } else {
    step.narration = backward_verdict(settings, found);
    if (found.different > 0)
      step.narration +=
          {"\n"
           "数学上和不变，但浮点数每加一次就舍入一次。别处“有缓存与没缓存差一点点”“换块显卡末位就变”，"
           "多半因为求和顺序变了，不是算错。",
           "\n"
           "Mathematically nothing changed, but floats round after every addition. When other "
           "frameworks differ a little with a cache or on another device, it is mostly another "
           "order, not an error."};
  }
  step.brief = {"求和的顺序决定最后几位。", "The order of a sum decides its last bits."};
  step.try_it = {"把 n 和 d 都设为 2：倒着加也一样，为什么？",
                 "Set n and d to 2: adding backward changes nothing. Why?"};
  step.formula = {
      "(a + b) + c ≠ a + (b + c)",
      "<mrow><mo>(</mo><mi>a</mi><mo>+</mo><mi>b</mi><mo>)</mo><mo>+</mo><mi>c</mi><mo>≠</mo><mi>a</"
      "mi><mo>+</mo><mo>(</mo><mi>b</mi><mo>+</mo><mi>c</mi><mo>)</mo></mrow>"};
  return step;
}

Step counted_steps(const Run& run, const Settings& settings) {
  Step step = on(Picture::steps, label_of(Figure::steps));
  step.title = {"数一数：运算没有变少", "Count them: no work is saved"};
  const auto pairs = figure(run, Figure::steps, 1, 0) + figure(run, Figure::steps, 3, 0);
  step.narration =
      fill({"这是引擎记录下来的每一步，运算逐个数过。$0 次乘法里，投影占 $1 次，分数与加权占 $2 次；"
            "指数只有 softmax 用，共 $3 个，每对词一个。\n"
            "循环做的乘法、除法、指数与此一次不差：写成矩阵，省的不是运算。",
            "These are the steps as the engine recorded them, each operation counted. Of $0 "
            "multiplications the projections take $1, scores and context $2; softmax alone takes "
            "exponentials, $3, one a pair.\n"
            "The loops multiply, divide and exponentiate just as often: matrices don't save "
            "operations."},
           {count(run, Figure::steps, 4, 0), count(run, Figure::steps, 0, 0),
            thousands(static_cast<std::uint32_t>(pairs)), settings.n * settings.n});
  step.brief = {"循环与矩阵的运算次数相同。", "Loops and matrices do equally many operations."};
  step.try_it = {"先加词数，再加宽：哪几行长得快？", "Raise n, then d: which rows grow fastest?"};
  return step;
}

Step growth(const Run& run, const Settings& settings) {
  Step step = on(Picture::growth, label_of(Figure::growth));
  step.title = {"词数翻倍，成对的账变四倍", "Twice the words, four times the pairs"};
  step.narration =
      fill({"每个词都要和每个词算一次。从 8 个词到 16 个词，投影的乘法从 $0 到 $1，{strong|两倍}；分"
            "数与加权从 $2 到 $3，{strong|四倍}。\n"
            "说“注意力是 O(n²)”，就是指弯上去的那条线。竖线是现在的 n = $4。",
            "Every word meets every word. From 8 words to 16 the projections go from $0 to $1 "
            "multiplications, {strong|twice}; scores and context from $2 to $3, {strong|four times}."
            "\n"
            "The steep line is what O(n²) means. The vertical line is your n = $4."},
           {count(run, Figure::growth, 7, 1), count(run, Figure::growth, 15, 1),
            count(run, Figure::growth, 7, 2), count(run, Figure::growth, 15, 2), settings.n});
  step.brief = {"分数与加权随 n² 增长，投影只随 n 增长。",
                "Scores and context grow with n², projections with n."};
  return step;
}

Step waiting(const Run& run, const Settings& settings) {
  Step step = on(Picture::waiting, label_of(Figure::waiting));
  step.title = {"谁要等谁", "Who waits for whom"};
  step.narration =
      fill({"RNN 一词接一词，每个 h 要等前一个 h：$0 个词，有 $1 个运算必须一个接一个。自注意力不论多"
            "长都是 $2 个：投影、分数、softmax、加权；其中各行互不等待。\n"
            "所以它算得多，却能同时算。（一个矩阵运算算一个。）",
            "An RNN goes word by word, each h waits for the one before: with $0 words, $1 operations "
            "in a row. Attention has $2 at any length: projection, scores, softmax, context; inside "
            "each, rows don't wait.\n"
            "More work, but work that can go side by side. (A matrix operation counts as one.)"},
           {settings.n, count(run, Figure::waiting, settings.n - 1, 1),
            count(run, Figure::waiting, settings.n - 1, 2)});
  step.brief = {"RNN 的等待随 n 增长，自注意力的不变。",
                "An RNN's waiting grows with n, attention's doesn't."};
  step.formula = {
      "h[t] = tanh(W·x[t] + U·h[t−1])",
      "<mrow><msub><mi>h</mi><mi>t</mi></msub><mo>=</mo><mi>tanh</mi><mo>(</mo><mi>W</mi><msub><mi>x</"
      "mi><mi>t</mi></msub><mo>+</mo><mi>U</mi><msub><mi>h</mi><mrow><mi>t</mi><mo>−</mo><mn>1</mn></"
      "mrow></msub><mo>)</mo></mrow>"};
  return step;
}

Step timed(const Run&, const Settings&) {
  Step step = on(Picture::timed, label_of(Figure::timed));
  step.title = {"在你的设备上计时", "Timed on your device"};
  step.narration = {
      "打开这一课时，两种写法在这台设备上各跑了几遍：8 到 64 个词，宽 16，取中位数。\n"
      "两边运算一样多，都只用一个线程。矩阵核一条指令算几格、顺着内存读，所以通常快得多：省的是"
      "时间，不是运算。浏览器的时钟较粗，小数字别太当真。",
      "When you opened this lesson, both ways ran here: 8 to 64 words of width 16, medians of "
      "a few runs.\n"
      "Equally many operations, one thread each. The matrix kernels compute several cells per "
      "instruction and read memory in order, so they usually win: time is saved, not work. "
      "Browser clocks are coarse; distrust small numbers."};
  step.brief = {"运算一样多，时间却不同。", "Equally many operations, different times."};
  return step;
}

/// Answered by doing: when do the pairs cost more than the projections?
Step question(const Run& run, const Settings& settings) {
  constexpr Settings kInitial;
  Step step = on(Picture::growth, label_of(Figure::growth));
  const int row = settings.n - 1;
  const float projections = figure(run, Figure::growth, row, 1);
  const float pairs = figure(run, Figure::growth, row, 2);
  step.title = {"问题：成对的账何时超过投影？", "Question: when do the pairs cost more?"};
  step.narration =
      fill({"现在 n = $0，d = $1：投影 $2 次乘法，分数与加权 $3 次。改词数或宽，让后者超过前者。",
            "Now n = $0 and d = $1: the projections take $2 multiplications, scores and context $3. "
            "Change n or d until the second number is the larger one."},
           {settings.n, settings.d, count(run, Figure::growth, row, 1), count(run, Figure::growth, row, 2)});
  const std::string by_pairs = count(run, Figure::growth, row, 2);
  const std::string by_words = count(run, Figure::growth, row, 1);
  if (pairs > projections) {
    step.answer = Answer::right;
    step.narration +=
        fill({"\n{eq|对了。}$0 > $1：2n²d > 3nd²，只要 n > 1.5·d = $2。句子比宽度长得多时，n² "
              "才成为负担：长文本贵就贵在这里。",
              "\n{eq|Right.} $0 > $1: 2n²d > 3nd² as soon as n > 1.5·d = $2. Only when texts are long "
              "compared with the width does n² become the burden."},
             {by_pairs, by_words, six_digits(1.5f * static_cast<float>(settings.d))});
  } else if (settings.n != kInitial.n || settings.d != kInitial.d) {
    step.answer = Answer::wrong;
    step.narration +=
        pairs == projections
            ? fill({"\n{ne|还差一点。}现在都是 $0 次。", "\n{ne|Almost.} Now they are equal: $0 each."},
                   {by_pairs})
            : fill({"\n{ne|还没有。}还差 $0 次。投影随 n·d² 长，分数与加权随 n²·d 长：哪一个该大些？",
                    "\n{ne|Not yet,} $0 are missing. Projections grow with n·d², the pairs with n²·d: which "
                    "of the two should be larger?"},
                   {thousands(static_cast<std::uint32_t>(projections - pairs))});
  } else {
    step.answer = Answer::open;
  }
  step.brief = {"改 n 或 d，让分数与加权的乘法多过投影。",
                "Change n or d until scores and context multiply more than the projections."};
  return step;
}

}  // namespace

std::vector<Step> narrate(const Run& run, const Settings& settings) {
  std::vector<Step> steps;
  for (Step (*const tell)(const Run&, const Settings&) :
       {three_loops, same_bits, other_order, counted_steps, growth, waiting, timed, question})
    steps.push_back(tell(run, settings));
  return steps;
}

}  // namespace attn::lessons::loops_to_matrices
