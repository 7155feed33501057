#include "lessons/scale_by_sqrt_dk/narration.h"

#include <algorithm>
#include <cmath>

#include "lessons/numbers.h"
#include "lessons/scale_by_sqrt_dk/formulas.h"
#include "lessons/scale_by_sqrt_dk/sheets.h"

namespace attn::lessons::scale_by_sqrt_dk {
namespace {

using tape::Site;

constexpr Text kDivisorNames[kDivisors] = {{"1", "1"}, {"√dₖ", "√dₖ"}, {"√d_model", "√d_model"}};

struct Teller {
  const Run& run;
  const Settings& settings;

  std::string std_of(Measured of, int decimals) const { return fixed(measured(run, of).deviation, decimals); }
  float exact() const { return static_cast<float>(std::sqrt(variance_of(settings).total())); }
  float divisor() const { return divisor_of(settings, settings.divisor); }
  bool standard() const { return settings.distribution == kStandard; }
  bool divides() const { return settings.divisor != kNone; }
  std::span<const float> of(Figures figure) const { return run.tape().tensor(figures(figure)).flat(); }
};

/// The largest cell of a matrix, of its first `rows` rows.
Focus largest_cell(const Run& run, const tape::Label& label, int rows) {
  const core::TensorView matrix = run.tape().tensor(label);
  const int columns = matrix.shape[-1];
  const int at =
      static_cast<int>(std::max_element(matrix.values, matrix.values + rows * columns) - matrix.values);
  return {label, 0, at / columns, at % columns};
}

float mean_of(std::span<const float> values) {
  float sum = 0.0f;
  for (const float value : values) sum += value;
  return sum / static_cast<float>(values.size());
}

Step scores(const Teller& tell) {
  const auto raw = tell.run.tape().tensor(label_of(kWhole, Site::scores)).flat();
  const auto [low, high] = std::minmax_element(raw.begin(), raw.end());
  Step step;
  add(step.title, {"内积越长，分数越散", "Longer dot products, wider scores"});
  add(step.narration,
      {"随机取 $0 个{q|查询}和 $0 个{k|键}，各有 $1 个数，标准差 $2 和 $3。每格是一对的内积。\n分数从 $4 到 "
       "$5，标准差 {strong|$6}。",
       "$0 random {q|queries} and $0 {k|keys}, dₖ = $1, with standard deviations $2 and $3. Each cell is one "
       "dot product.\nThe scores run from $4 to $5; their standard deviation is {strong|$6}."},
      {kRows, tell.settings.d_k, tell.std_of(kQuery, 2), tell.std_of(kKey, 2), fixed(*low, 1),
       fixed(*high, 1), tell.std_of(kRaw, 2)});
  add(step.brief, {"每格是一对内积，标准差 $0。", "Each cell is one dot product; their std is $0."},
      {tell.std_of(kRaw, 2)});
  add(step.try_it, {"把 dₖ 改成 4 再看横轴。", "Make dₖ = 4 and watch the horizontal axis."});
  step.formula = score_formula();
  step.focus = {label_of(kWhole, Site::scores), 0, 0, 0};
  step.sheet = kScoresSheet;
  return step;
}

Step variance(const Teller& tell) {
  const float exact = tell.exact();
  const float one = static_cast<float>(variance_of(tell.settings).total() / tell.settings.d_k);
  Step step;
  add(step.title, {"方差相加，标准差按 √dₖ 增长", "Variances add up, so std grows like √dₖ"});
  add(step.narration,
      {"一个分数是 $0 个独立乘积之和，每个乘积的方差是 $1。独立量的方差相加，所以分数的标准差是 √($0 × $1) = "
       "{strong|$2}。\n实测 $3；换一批随机数，通常偏差 $4 左右。",
       "A score adds $0 independent products, each with variance $1. Variances of independent numbers add, "
       "so a score's standard deviation is √($0 × $1) = {strong|$2}.\nMeasured: $3. Another seed moves it by "
       "about $4."},
      {tell.settings.d_k, fixed(one, 2), fixed(exact, 2), tell.std_of(kRaw, 2),
       fixed(static_cast<float>(sampling_error(tell.settings)), 2)});
  add(step.brief,
      {"dₖ = $0 时，理论标准差是 $1，实测 $2。", "For dₖ = $0 theory says std $1; measured is $2."},
      {tell.settings.d_k, fixed(exact, 2), tell.std_of(kRaw, 2)});
  add(step.try_it, {"换几个随机种子：实测值绕着理论值摆动。",
                    "Try some seeds: the measured std moves around the exact one."});
  step.formula = variance_formula();
  step.focus = {figures(kMoments)};
  step.sheet = kVarianceSheet;
  return step;
}

Step divide(const Teller& tell) {
  Step step;
  add(step.title, {"除以 √dₖ", "Divide by √dₖ"});
  add(step.narration,
      tell.divides()
          ? Text{"所有分数除以{strong|$0} = $1：形状不变，只有横轴缩小，标准差从 $2 变成 {strong|$3}。",
                 "All scores over {strong|$0} = $1: the shape stays, only the axis shrinks, and the standard "
                 "deviation goes from $2 to {strong|$3}."}
          : Text{"现在不除，上下两图一样。在上方选 √dₖ。",
                 "Nothing is divided now: both pictures agree. Choose √dₖ above."},
      {kDivisorNames[tell.settings.divisor], fixed(tell.divisor(), 2), tell.std_of(kRaw, 2),
       tell.std_of(kScaled, 3)});
  if (tell.divides())
    add(step.narration,
        !tell.standard()
            ? Text{"\n均值不是 0 时，√dₖ 不会让它回到 1；下一步说为什么。",
                   "\nWith means other than 0, √dₖ doesn't bring it to 1; the next step says why."}
        : tell.settings.divisor == kRootOfDk
            ? Text{"\n均值 0、方差 1 时，dₖ 是多少都回到约 1：换宽度不必重新调 softmax。",
                   "\nWith mean 0 and variance 1 it is about 1 for every dₖ: softmax gets scores of the same "
                   "size at any width."}
            : Text{"\n该除的是 √dₖ：一个头的内积只加 dₖ 项。",
                   "\nThe right divisor is √dₖ: a head's dot product adds only dₖ terms."});
  add(step.brief, {"标准差从 $0 变成 $1。", "The std goes from $0 to $1."},
      {tell.std_of(kRaw, 2), tell.std_of(kScaled, 3)});
  add(step.try_it, {"把 dₖ 改成 64，再改成 512：下图的标准差还在 1 附近吗？",
                    "Set dₖ to 64, then 512: is the lower std still near 1?"});
  step.formula = scaled_formula();
  step.focus = {figures(kScaledHistogram)};
  step.sheet = kDivideSheet;
  return step;
}

Step means(const Teller& tell) {
  const Moments& m = moments_of(tell.settings.distribution);
  const auto terms = tell.of(kTerms);
  const float naive = std::sqrt(static_cast<float>(tell.settings.d_k)) * m.query_deviation * m.key_deviation;
  const float root = divisor_of(tell.settings, kRootOfDk);
  Step step;
  add(step.title, {"均值不是 0，就不再是 √dₖ 倍", "With other means it isn't × √dₖ"});
  add(step.narration,
      tell.standard()
          ? Text{"现在两个均值都是 0，后两项为 0，标准差恰好是 σ_q σ_k 的 √dₖ 倍。在上方换成均值不为 0。",
                 "Both means are 0 now, so the last two terms vanish and the std is exactly √dₖ times σ_q "
                 "σ_k. Choose other means above."}
          : Text{"{q|Q} 的均值是 $0：每个{k|键}的各数之和乘上它，加到整整一列，于是有竖条纹。这一项占方差的 "
                 "$1 %。\n标准差是 {strong|$2}，不是第一行的 √dₖ σ_q σ_k = $3；除以 √dₖ = $5 后是 $4，不是 "
                 "1。",
                 "The numbers of {q|Q} average $0, not 0. So all scores with one {k|key} get the same extra: "
                 "$0 "
                 "times the sum of that key's numbers. These are the stripes, $1 % of the variance.\nThe "
                 "exact "
                 "std is {strong|$2}, not √dₖ σ_q σ_k = $3; over √dₖ = $5 it is $4, not 1."},
      {fixed(m.query_mean, 2), fixed(100.0f * terms[2] / (terms[0] + terms[1] + terms[2]), 1),
       fixed(tell.exact(), 2), fixed(naive, 2), fixed(tell.exact() / root, 2), fixed(root, 2)});
  add(step.brief, {"理论标准差 $0，实测 $1。", "The exact std is $0, the measured one $1."},
      {fixed(tell.exact(), 2), tell.std_of(kRaw, 2)});
  if (!tell.standard())
    add(step.try_it,
        {"换种子：条纹只有 $0 条，所以实测值摆动大得多。",
         "Change the seed: there are only $0 stripes, so the measured std moves a lot."},
        {kRows});
  step.formula = general_variance_formula();
  step.focus = {figures(kTerms)};
  step.sheet = kMeansSheet;
  return step;
}

Step softmax(const Teller& tell) {
  const float largest = mean_of(tell.of(kTopWhole));
  const std::string whole = fixed(largest, 2);
  const std::string divided = fixed(mean_of(tell.of(kTopDivided)), 2);
  Step step;
  add(step.title, {"大分数让 softmax 只选一个", "Large scores make softmax pick one"});
  add(step.narration,
      {"取 8 个{q|查询}、8 个{k|键}做 softmax，右边的数是每行最大的权重。\n不除：平均 {ne|$0}。除以 $1：平均 "
       "{eq|$2}。",
       "Softmax of 8 {q|queries} over 8 {k|keys}; beside each row its largest weight.\nUndivided, {ne|$0} on "
       "average. Divided by $1, {eq|$2}."},
      {whole, fixed(tell.divisor(), 2), divided});
  add(step.narration,
      largest > 0.8f
          ? Text{"\n左边几乎每行只看一个词，还没训练，就已由随机数定死了。",
                 "\nOn the left almost every row sees one word only: random numbers have decided, before any "
                 "training."}
          : Text{"\n这时分数还不大，softmax 还没完全饱和。把 dₖ 调大。",
                 "\nThese scores are still small: softmax isn't fully saturated yet. Make dₖ larger."});
  add(step.brief,
      {"最大权重平均：不除 $0，除以 $1 后 $2。",
       "The largest weight averages $0 undivided and $2 divided by $1."},
      {whole, fixed(tell.divisor(), 2), divided});
  add(step.try_it, {"把 dₖ 改成 4：左右还差多少？", "Make dₖ = 4: how far apart are the two now?"});
  step.focus = largest_cell(tell.run, label_of(kEightWhole, Site::weights), 1);
  step.sheet = kSoftmaxSheet;
  return step;
}

/// The smallest and the largest of a column of the sweep.
struct Range {
  float low, high;
};
Range flat_range(const Run& run, std::array<float, 2> SweepPoint::*column) {
  Range range{1.0f, 0.0f};
  for (const SweepPoint& point : sweep_of(run)) {
    range.low = std::min(range.low, (point.*column)[1]);
    range.high = std::max(range.high, (point.*column)[1]);
  }
  return range;
}

Step saturation(const Teller& tell) {
  const auto& sweep = sweep_of(tell.run);
  const Range flat = flat_range(tell.run, &SweepPoint::largest_weight);
  Step step;
  add(step.title, {"越宽越饱和", "The wider, the more saturated"});
  add(step.narration,
      {"每个宽度取 $6 行 softmax，每行 $7 个键，N(0, 1)。不除时，最大权重平均从 {ne|$0}（dₖ = $1）升到 "
       "{ne|$2}（dₖ = $3）。\n除以 √dₖ，始终在 {eq|$4} 到 {eq|$5} 之间。竖线是现在的 dₖ。",
       "At each width $6 rows of softmax over $7 keys, N(0, 1). Undivided, the largest weight rises on "
       "average from {ne|$0} (dₖ = $1) to {ne|$2} (dₖ = $3).\nDivided by √dₖ it stays between {eq|$4} and "
       "{eq|$5}. The line marks your dₖ."},
      {fixed(sweep.front().largest_weight[0], 2), sweep.front().width,
       fixed(sweep.back().largest_weight[0], 2), sweep.back().width, fixed(flat.low, 2), fixed(flat.high, 2),
       kSweepRows * kSweepRows / kEight, kEight});
  add(step.brief, {"不除时，最大权重从 $0 升到 $1。", "Undivided, the largest weight rises from $0 to $1."},
      {fixed(sweep.front().largest_weight[0], 2), fixed(sweep.back().largest_weight[0], 2)});
  step.focus = {figures(kSweep)};
  step.sheet = kSaturationSheet;
  return step;
}

Step gradient(const Teller& tell) {
  const auto& sweep = sweep_of(tell.run);
  const auto largest = [&](Figures of) {
    const auto values = tell.of(of);
    const float value = *std::max_element(values.begin(), values.end());
    return value > 0.0f && value < 0.0005f ? exponent(value) : fixed(value, 4);
  };
  Step step;
  add(step.title, {"饱和之后，梯度传不回来", "Saturated, it passes no gradient back"});
  add(step.narration,
      {"取上一步的第 0 行：一格是 "
       "∂w/∂s，列里的分数动一点，行里的权重动多少，由反向传播算出。最大的一格：不除 "
       "{ne|$0}，除以 $1 后 {eq|$2}。\n下图取平均：不除时从 $3 降到 {ne|$4}。权重近 0 或 1 处 softmax "
       "是平的，学不动。",
       "Take row 0 of the step before. A cell is ∂w/∂s: how the row's weight moves with the column's score, "
       "by "
       "backpropagation. The largest: {ne|$0} undivided, {eq|$2} over $1.\nBelow, the average: undivided it "
       "falls from $3 to {ne|$4}. Near 0 and 1 softmax is flat, so little is learned."},
      {largest(kSlopesWhole), fixed(tell.divisor(), 2), largest(kSlopesDivided),
       fixed(sweep.front().steepest_slope[0], 3), fixed(sweep.back().steepest_slope[0], 3)});
  add(step.brief,
      {"不除时，最大斜率平均从 $0 降到 $1。", "Undivided, the steepest slope falls from $0 to $1."},
      {fixed(sweep.front().steepest_slope[0], 3), fixed(sweep.back().steepest_slope[0], 3)});
  step.formula = slope_formula();
  step.focus =
      largest_cell(tell.run, figures(kSlopesWhole), tell.run.tape().tensor(figures(kSlopesWhole)).shape[0]);
  step.sheet = kGradientSheet;
  return step;
}

/// Answered by doing: with which number of heads does √d_model do no harm?
Step question(const Teller& tell) {
  const Settings& now = tell.settings;
  const int d_model = now.heads * now.d_k;
  Step step;
  add(step.title, {"问题：√d_model 这个错，何时看不出来？", "Question: when does √d_model go unnoticed?"});
  add(step.narration,
      {"有人写成除以 √d_model = √($0 × $1) = $2。现在除以 $3，标准差 {strong|$4}。\n保持 "
       "√d_model，只改一个设置，让这个错毫无影响。",
       "Some code divides by √d_model = √($0 × $1) = $2. Now the divisor is $3, the std {strong|$4}.\nKeep "
       "√d_model and change one setting so that the bug does no harm."},
      {now.heads, now.d_k, fixed(std::sqrt(static_cast<float>(d_model)), 2), fixed(tell.divisor(), 2),
       tell.std_of(kScaled, 3)});
  const bool kept = now.divisor == kRootOfModel;
  const bool changed = now.heads != kInitialHeads || now.d_k != kInitialWidth;
  const std::uint32_t ulp = ulp_from_root_of_dk(tell.run, now);
  if (kept && ulp == 0) {
    add(step.narration,
        {"\n{eq|对了。}只有一个头时 d_model = dₖ：与除以 √dₖ 的分数相差 {eq|$0 ULP}。所以测试要用多个头。",
         "\n{eq|Right.} With one head d_model = dₖ: {eq|$0 ULP} from the scores over √dₖ. So test with "
         "several heads."},
        {thousands(ulp)});
    step.answer = Answer::right;
  } else if (!changed) {
    step.answer = Answer::open;
  } else if (!kept) {
    add(step.narration,
        {"\n{ne|还不是。}除数要留在 √d_model；现在是 $0。",
         "\n{ne|Not yet.} Keep √d_model as the divisor; now it is $0."},
        {kDivisorNames[now.divisor]});
    step.answer = Answer::wrong;
  } else {
    add(step.narration,
        {"\n{ne|还不是。}除以 √dₖ 的标准差是 $2；√d_model 比它大 √$0 = $1 倍，与 dₖ 无关。",
         "\n{ne|Not yet.} Over √dₖ the std is $2. √d_model is √$0 = $1 times √dₖ, whatever dₖ is."},
        {now.heads, fixed(std::sqrt(static_cast<float>(now.heads)), 2),
         fixed(measured(tell.run, kRaw).deviation / divisor_of(now, kRootOfDk), 3)});
    step.answer = Answer::wrong;
  }
  add(step.brief, {"保持 √d_model，改一个设置，让它与 √dₖ 相等。",
                   "Keep √d_model and change one setting so that it equals √dₖ."});
  step.focus = {figures(kScaledHistogram)};
  step.sheet = kDivideSheet;
  return step;
}

}  // namespace

std::vector<Step> narrate(const Run& run, const Settings& settings) {
  const Teller teller{run, settings};
  std::vector<Step> steps;
  for (Step (*const tell)(const Teller&) :
       {scores, variance, divide, means, softmax, saturation, gradient, question})
    steps.push_back(tell(teller));
  return steps;
}

}  // namespace attn::lessons::scale_by_sqrt_dk
