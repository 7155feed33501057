#include "lessons/kv_cache/narration.h"

#include "lessons/kv_cache/board.h"
#include "lessons/kv_cache/timing.h"
#include "lessons/numbers.h"

namespace attn::lessons::kv_cache {
namespace {

using tape::Label;
using tape::Site;

Step on(Picture picture, const Label& tensor, int row = -1, int column = -1) {
  Step step;
  step.sheet = static_cast<int>(picture);
  step.focus = {tensor, 0, row, column};
  return step;
}

std::string ulp_text(std::uint32_t ulp) { return (ulp == 0 ? "{eq|" : "{ne|") + thousands(ulp) + " ULP}"; }

std::string newest(const Experiment& experiment, const Settings& settings, Column column) {
  return thousands(static_cast<std::uint32_t>(figure(experiment.run, settings.length - 1, column)));
}

Step from_scratch(const Experiment& experiment, const Settings& settings) {
  Step step = on(Picture::keys, of_pass(settings, Site::key), settings.length - 1, 0);
  step.title = {"每一步都从头算？", "Start from scratch every step?"};
  step.narration = fill(
      {"模型一次说一个 token，这里是 a 到 $4 的一个字母。若每步都把整串重算，第 $0 步又要算前 $1 个。"
       "上一步最后一层的{k|键}与这一步的，共有的 $1 行相差 $2。\n"
       "因果掩码不让旧 token 看见新来的，所以每一层旧的{k|键}和{v|值}都不再变。",
       "The model says one token at a time, here a letter from a to $4. Recomputing everything, step $0 "
       "does $3 again. The last layer's {k|keys}, one step ago and now, are $2 apart where both have rows.\n"
       "The causal mask hides new tokens from old ones, so in every layer old {k|keys} and "
       "{v|values} never change."},
      {settings.length, settings.length - 1, ulp_text(experiment.findings.shared_rows_ulp),
       counted(settings.length - 1, {"", "earlier token"}, "earlier tokens"),
       std::string(1, letter_of(kVocabulary - 1))});
  step.brief = {"旧的{k|键}每一步都被重算成同样的数。",
                "Old {k|keys} are computed again, to the same numbers."};
  step.try_it = {"改 X 的一个数，或换随机种子：共有的行还一样吗？",
                 "Change a number of X, or the seed: do the shared rows still agree?"};
  return step;
}

Step one_row(const Experiment& experiment, const Settings& settings) {
  Step step = on(Picture::weights, of_steps(settings, Site::weights), settings.length - 1, 0);
  step.title = {"记住键和值，只算新的一行", "Keep keys and values, compute one row"};
  step.narration =
      fill({"把{k|键}和{v|值}存起来，每步只为新 token 算一行{q|查询}、{k|键}、{v|值}，再问所有存着的"
            "键。左边是整遍计算的权重，右边由 $0 步缓存计算各出一行拼成：相差 $1。\n"
            "旧的{q|查询}不用存，它们那一行已经算完。",
            "Keep {k|keys} and {v|values}; each step computes one row of {q|query}, {k|key} and "
            "{v|value} and asks all keys kept. Left: weights of the whole pass. Right: put together "
            "from $0 cached steps, one row each; $1 apart.\n"
            "Old {q|queries} needn't be kept: their rows are done."},
           {settings.length, ulp_text(experiment.findings.weights_ulp)});
  step.brief = {"每步一行，拼起来就是整遍计算的三角形。",
                "One row a step: together they are the triangle of the whole pass."};
  step.formula = {
      "context[t] = softmax(q[t]·K[0…t]ᵀ / √dₖ)·V[0…t]",
      "<mrow><msub><mi>context</mi><mi>t</mi></msub><mo>=</mo><mi>softmax</mi><mo>(</mo><msub><mi "
      "class=\"q\">q</mi><mi>t</mi></msub><msubsup><mi class=\"k\">K</mi><mrow><mn>0</mn><mo>…</mo><mi>t"
      "</mi></mrow><mi>T</mi></msubsup><mo>/</mo><msqrt><msub><mi>d</mi><mi>k</mi></msub></msqrt><mo>)</"
      "mo><msub><mi class=\"v\">V</mi><mrow><mn>0</mn><mo>…</mo><mi>t</mi></mrow></msub></mrow>"};
  return step;
}

Step every_step(const Experiment& experiment, const Settings& settings) {
  Step step = on(Picture::steps, label_of(Figure::steps));
  step.title = {"逐步核对", "Check every step"};
  step.narration =
      fill({"每一步都比较新 token 的{out|输出}：$0 步里最多相差 $1，选出的 token 自然也一样。\n"
            "别的库里有缓存与没缓存常在末位有别：矩阵大小不同，求和的分法就不同。这里每个和的顺序固定，"
            "与行数无关。",
            "At every step the new token's {out|output} is compared: over $0 steps the largest "
            "difference is $1, so the tokens chosen are the same too.\n"
            "Other libraries often differ in the last digits: other sizes, other ways to split a "
            "sum. Here the order of every sum is fixed."},
           {settings.length, ulp_text(experiment.findings.steps_ulp)});
  step.brief = {"用不用缓存，每一步的{out|输出}都一样。",
                "With or without the cache, every {out|output} is the same."};
  step.try_it = {"换层数、头数、宽：还是 0 吗？", "Change layers, heads, width: still 0?"};
  return step;
}

Step growth(const Experiment& experiment, const Settings& settings) {
  Step step = on(Picture::growth, label_of(Figure::steps));
  step.title = {"一个三角形与一条线", "A triangle against a line"};
  step.narration = fill(
      {"第 $0 步，不用缓存要 $1 次乘法，用缓存 $2 次。上图每步：柱子排成三角形，用缓存只慢慢升，"
       "因为要看的旧键多了。下图累计：$3 对 $4。\n"
       "代价是内存：2 × 层 × token × 宽，现在存着 $5 个数。",
       "Step $0 takes $1 multiplications without the cache, $2 with it. Above, each step: the "
       "bars form a triangle; with the cache there are just more old keys to look at. Below, "
       "all steps: $3 against $4.\n"
       "The price is memory: 2 × layers × tokens × width, now $5 numbers."},
      {settings.length, newest(experiment, settings, Column::without_cache),
       newest(experiment, settings, Column::with_cache), newest(experiment, settings, Column::total_without),
       newest(experiment, settings, Column::total_with),
       thousands(static_cast<std::uint32_t>(experiment.findings.cached_numbers))});
  step.brief = {"缓存用内存换掉重复的乘法。", "The cache trades memory for repeated multiplications."};
  step.try_it = fill(
      {"把 token 数调到 $0：两条累计线差多少？", "Raise the tokens to $0: how far apart are the totals?"},
      {kLongest});
  return step;
}

Step timed(const Experiment&, const Settings& settings) {
  Step step = on(Picture::timed, label_of(Figure::steps));
  step.title = {"在你的设备上计时", "Timed on your device"};
  step.narration = settings.timed ? fill({"刚才，一个宽 $0、两层的模型在这台设备上做了第 $1 到第 $2 "
                                          "步，每种反复做三轮，取中位数。\n",
                                          "A model of width $0 with two layers has just done steps $1 to $2 "
                                          "here, in three rounds each; shown are medians.\n"},
                                         {kTimedWidth, kTimedTokens.front(), kTimedTokens.back()})
                                  : fill({"现在没有计时，打开上方的“计时”。\n",
                                          "Nothing is timed now: switch on “Time it” above.\n"});
  step.narration +=
      fill({"不用缓存的一步要算整串，越来越久；用缓存的一步只算一行，倍数会随长度变大。浏览器的时钟较粗，小数"
            "字别太当真。",
            "Without the cache a step does all tokens and takes ever longer; with it, one row. The ratio "
            "should grow "
            "with the length. Browser clocks are coarse: distrust small numbers."});
  step.brief = {"一行比整串快，越长越明显。", "One row beats all rows, the more so the longer the text."};
  step.try_it = {"关掉再打开“计时”：每次都不太一样。",
                 "Switch the timing off and on: no two runs are alike."};
  return step;
}

Step corners(const Experiment&, const Settings& settings) {
  Step step = on(Picture::masks, label_of(Figure::top_left), settings.new_tokens - 1, 0);
  const int keys = settings.length;
  const int queries = settings.new_tokens;
  step.title = {"三角形的角放在哪？", "Where does the triangle have its corner?"};
  step.narration =
      queries < keys
          ? fill(
                {"有了缓存，新{q|查询}有 $0 个，{k|键}却有 $1 个，掩码成了长方形。角对齐右下，最新的查询看"
                 "得见全部 $1 个键；对齐左上，只看得见前 $0 个。\n"
                 "两种都有库叫“因果”：PyTorch 的 {code|is_causal} 是左上，FlashAttention "
                 "是右下。接着解码要右下。",
                 "With a cache there are $1 {k|keys} for $2: the mask is a rectangle. With its corner at "
                 "the bottom right the newest query sees all $1 keys, at the top left only $0.\n"
                 "Libraries call either one causal: PyTorch's {code|is_causal} is top left, FlashAttention's "
                 "bottom right. Decoding needs the bottom right."},
                {queries, keys, counted(queries, {"", "new {q|query}"}, "new {q|queries}")})
          : fill({"现在 $0 个 token 一次全来，没有旧键：掩码是正方形，左上与右下{eq|重合}，看不出差别。把 "
                  "T 调小，两个角就分开了。",
                  "Now all $0 tokens come at once and there are no old keys: the mask is square and both "
                  "corners {eq|coincide}. Lower T and they part."},
                 {keys});
  step.brief = {"新查询少于键时，“因果”要从右下角数起。",
                "With fewer queries than keys, causal must count from the bottom right."};
  step.try_it = {"改“一次新来 T”，看两个三角形怎样移动。", "Change T and watch both triangles move."};
  step.formula = {"j ≤ i + (S − T)",
                  "<mrow><mi>j</mi><mo>≤</mo><mi>i</mi><mo>+</mo><mo>(</mo><mi>S</mi><mo>−</mo>"
                  "<mi>T</mi><mo>)</mo></mrow>"};
  return step;
}

/// Answered by doing: for which T is the wrong corner harmless?
Step question(const Experiment& experiment, const Settings& settings) {
  Step step = on(Picture::corner, corner_weights(), settings.length - 1, 0);
  step.title = {"问题：错的角何时看不出来？", "Question: when does the wrong corner go unnoticed?"};
  step.narration =
      fill({"共 S = $0 个 token，最后 T = $1 个一次送进来。把掩码的角换成左上，再找一个 T，使"
            "{out|输出}仍与整遍计算相差 0 ULP。",
            "Of S = $0 tokens the last T come at once; now T = $1. Switch the corner to the top left "
            "and find a T whose {out|output} still has the bits of the whole pass."},
           {settings.length, settings.new_tokens});
  const std::uint32_t ulp = experiment.findings.newest(Corner::top_left);
  const bool square = settings.new_tokens == settings.length;
  if (settings.corner != Corner::top_left) {
    step.answer = Answer::open;
  } else if (ulp != 0) {
    step.answer = Answer::wrong;
    step.narration +=
        fill({"\n{ne|还不是。}最新一行只看得见前 $0 个键，本该看见 $1 个：{out|输出}最多差 $2（$4 ULP）。",
              "\n{ne|Not yet.} The newest row sees $3 instead of $1; its {out|output} is off by up to $2, $4 "
              "ULP."},
             {settings.new_tokens, settings.length, fixed(experiment.findings.newest_difference[1], 2),
              counted(settings.new_tokens, {"", "key"}, "keys"), thousands(ulp)});
  } else {
    step.answer = Answer::right;
    step.narration += fill(
        square
            ? Text{"\n{eq|对了，$0 ULP。}T = S = $1 "
                   "时没有旧键，掩码是正方形，两个角重合。所以整段送进来时一切正常，逐个"
                   "生成时才出错。",
                   "\n{eq|Right, $0 ULP.} With T = S both corners coincide. The prompt looks fine; later "
                   "steps go wrong."}
            : Text{"\n{eq|$0 ULP。}T = $2 < S = $1：被挡住的键这次权重恰好是 0，才没出错。T = S 时总是这样。",
                   "\n{eq|$0 ULP.} T = $2 is below S = $1, yet the keys cut off happen to have weight 0. "
                   "With "
                   "T = S it is always so."},
        {static_cast<int>(ulp), settings.length, settings.new_tokens});
  }
  step.brief = {"换成左上角，再找一个不出错的 T。", "Switch to the top left and find a T that does no harm."};
  return step;
}

}  // namespace

std::vector<Step> narrate(const Experiment& experiment, const Settings& settings) {
  std::vector<Step> steps;
  for (Step (*const tell)(const Experiment&, const Settings&) :
       {from_scratch, one_row, every_step, growth, timed, corners, question})
    steps.push_back(tell(experiment, settings));
  return steps;
}

}  // namespace attn::lessons::kv_cache
