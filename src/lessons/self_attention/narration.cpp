#include "lessons/self_attention/narration.h"

#include <algorithm>
#include <cmath>

#include "core/bits.h"
#include "lessons/numbers.h"
#include "lessons/self_attention/batch.h"
#include "lessons/self_attention/columns.h"
#include "lessons/self_attention/formulas.h"

namespace attn::lessons::self_attention {
namespace {

using tape::Site;

constexpr Settings kInitial;

/// Whom the steps speak of, by row.
struct Cast {
  int count;          // words in all
  int query;          // the last one asks
  int key;            // an earlier one answers: the same word, where there is one, else the first
  int first, second;  // the last word that occurs twice, where it first and last stands; −1: none does
  bool own;           // the lesson's own sentence

  bool repeats() const { return second >= 0; }
};

Cast cast_of(const Run& run) {
  const std::vector<std::string>& words = run.source_words;
  Cast cast{static_cast<int>(words.size()),   static_cast<int>(words.size()) - 1, 0, -1, -1,
            words == own_words(kSentenceRule)};
  for (int b = cast.query; b > 0 && !cast.repeats(); --b)
    for (int a = 0; a < b && !cast.repeats(); ++a)
      if (words[static_cast<std::size_t>(a)] == words[static_cast<std::size_t>(b)]) {
        cast.first = a;
        cast.second = b;
      }
  if (cast.second == cast.query) cast.key = cast.first;
  return cast;
}

const std::string& word(const Run& run, int row) { return run.source_words[static_cast<std::size_t>(row)]; }

/// A row of a tensor of the run.
std::span<const float> row_of(const Run& run, Site site, int row) {
  const core::TensorView tensor = run.tape().tensor(label_of(site));
  const auto width = static_cast<std::size_t>(tensor.shape[-1]);
  return tensor.flat().subspan(static_cast<std::size_t>(row) * width, width);
}

float value_at(const Run& run, Site site, int row, int column) {
  return row_of(run, site, row)[static_cast<std::size_t>(column)];
}

bool same_rows(const Run& run, Site site, int a, int b) {
  return core::same_bits(row_of(run, site, a), row_of(run, site, b));
}

/// Where the reader has put numbers into Q, K or V: 1 at those cells; invalid where there are none.
tape::Value marks_of(const Run& run, Site site) {
  const tape::Tape& tape = run.tape();
  const tape::Entry& rows = tape.entry(tape.entry(tape.find(label_of(site))).inputs[0]);
  return rows.op == tape::Op::replace ? rows.inputs[2] : tape::Value{};
}

/// After what a projection's cells are made of, where some are the reader's.
RunText about_edits(const Run& run, Site site) {
  if (!marks_of(run, site).valid()) return {};
  return {"你改过的格子不再这样算。", " Cells you changed stay as you put them."};
}

/// By rows; the texts likewise, with '\1' before a word that columns turn round.
Focus cell(Site site, int row, int column) { return {label_of(site), 0, row, column}; }

/// What the rows of a word that occurs twice have in common.
RunText about_twins(const Run& run, const Cast& cast) {
  if (!cast.repeats())
    return {"没有哪个词出现两次；同一个词写两遍，那两\1行就一样。",
            " No word occurs twice; one written twice has equal \1rows."};
  const bool same = same_rows(run, Site::embedding, cast.first, cast.second);
  const Text equal =
      cast.own ? Text{"两个 $0 是同一个词，所以两\1行一样：光看这一\1行，分不出哪个是动词、哪个是名词。",
                      " Both saws are one word, so their \1rows are equal: the \1row alone can't "
                      "tell the verb from the noun."}
               : Text{"两个 $0 是同一个词，所以\1行 $1 和\1行 $2 一样：光看这一\1行，分不出是哪一个。",
                      " $0 occurs twice, so \1rows $1 and $2 are equal: the \1row alone can't tell "
                      "which one it is."};
  constexpr Text kChanged{"两个 $0 本是同一个词；你改过数，现在两\1行不同了。",
                          " $0 occurs twice; you changed a number, so its \1rows now differ."};
  return fill(same ? equal : kChanged, {word(run, cast.second), cast.first, cast.second});
}

Step words(const Run& run, const Settings& settings) {
  const Cast cast = cast_of(run);
  const RunText width = counted(settings.d_model, {"个数", "number"}, "numbers");
  Step step;
  step.title = {"一个词，一\1行数", "A word is a \1row of numbers"};
  step.narration = fill(cast.own ? Text{"句子 {strong|I saw a saw} 的每个词是 {embedding|X} 的一\1行，$0。",
                                        "Each word of {strong|I saw a saw} is a \1row of {embedding|X}, $0."}
                                 : Text{"你的句子有 $1 个词，每个词是 {embedding|X} 的一\1行，$0。",
                                        "Your sentence has $1 words, each a \1row of {embedding|X}, $0."},
                        {width, cast.count});
  step.narration += about_twins(run, cast);
  step.narration += {"\n自注意力让每个词看看其他词，再写出一个新向量。",
                     "\nSelf-attention lets every word look at the others and write a new vector."};
  step.brief = fill({"每个词是 X 的一\1行，$0。", "Each word is a \1row of X, $0."}, {width});
  step.try_it = {"点一格 X，用 −0.1、+0.1 改它：后面哪些数跟着变？",
                 "Click a cell of X and change it by −0.1 or +0.1: which numbers move with it?"};
  step.focus = cell(Site::embedding, cast.query, 0);
  return step;
}

Step query(const Run& run, const Settings& settings) {
  const Cast cast = cast_of(run);
  Step step;
  step.title = {"查询：这个词在找什么", "The query: what this word is looking for"};
  step.narration = fill(
      {"最后一个词 $1（\1行 $2）先提问：它的\1行与 {q|W_q} 的每一行做内积，得到{q|查询} q，共 $0。\n",
       "The last word, $1 in \1row $2, asks first: the dot products of its \1row with the rows of {q|W_q} "
       "are its {q|query} q, $0.\n"},
      {counted(settings.d_k, {"个数", "number"}, "numbers"), word(run, cast.query), cast.query});
  const tape::Value marks = marks_of(run, Site::query);
  const bool yours = marks.valid() && run.tape().tensor(marks).values[cast.query * settings.d_k] != 0.0f;
  step.narration += yours
                        ? RunText{"这一格是你填的，不是算出来的，所以没有别的格子亮起。",
                                  "This cell is a number of yours, so nothing else is lit."}
                        : RunText{"点亮的就是这一格用到的数：{embedding|X} 的一\1行，W_q 的一行。",
                                  "Lit is what this cell uses: one \1row of {embedding|X}, one row of W_q."};
  if (!yours) step.narration += about_edits(run, Site::query);
  step.brief =
      fill({"$0 的\1行乘 {q|W_q}，得到{q|查询}。", "The \1row of $0 times {q|W_q} gives its {q|query}."},
           {word(run, cast.query)});
  step.try_it = {"点 Q 的另一格：X 和 W_q 里，哪一道还亮着，哪一道换了？",
                 "Click another cell of Q: what stays lit in X and W_q, what moves?"};
  step.formula = query_formula();
  step.focus = cell(Site::query, cast.query, 0);
  return step;
}

Step key(const Run& run, const Settings&) {
  Step step;
  step.title = {"键：每个词拿什么来回答", "The key: what each word answers with"};
  step.narration = {
      "每个词还有一个{k|键} k：同一\1行 {embedding|X}，换成 {k|W_k}。\n不用这两个矩阵、直接拿 X "
      "的\1行做内积，就只比两个"
      "词本身像不像；{q|W_q} 和 {k|W_k} 是学出来的，能学会该看谁。",
      "Each word also has a {k|key} k: the same \1row of {embedding|X}, times {k|W_k}.\nPlain dot products "
      "of \1rows of "
      "X would only ask how alike two words are. {q|W_q} and {k|W_k} are learned, so they can learn "
      "whom to look at."};
  step.narration += about_edits(run, Site::key);
  step.brief = {"每个词用{k|键}来回答别人的查询。", "Each word answers the queries with its {k|key}."};
  step.formula = key_formula();
  step.focus = cell(Site::key, cast_of(run).key, 0);
  return step;
}

Step score(const Run& run, const Settings& settings) {
  const Cast cast = cast_of(run);
  const std::string value = fixed(value_at(run, Site::scores, cast.query, cast.key), 2);
  const std::string root = fixed(std::sqrt(static_cast<float>(settings.d_k)), 2);
  Step step;
  step.title = {"分数：问与答合不合", "The score: does the answer fit the question?"};
  step.narration =
      fill({"\1行 $3 的{q|查询}与\1行 $4 的{k|键}做内积，再除以 √dₖ = √$0 = $1，得到{scores|分数} $2。\n"
            "一共 $5 对词，$5 个分数。除以 √dₖ，分数才不会随 dₖ 变大。",
            "The {q|query} of \1row $3 times the {k|key} of \1row $4, over √dₖ = √$0 = $1, is a "
            "{scores|score}: $2.\n"
            "$5 pairs of words, $5 scores. Dividing by √dₖ keeps them from growing with dₖ."},
           {settings.d_k, root, value, cast.query, cast.key, cast.count * cast.count});
  step.brief = fill(
      {"{q|查询}与{k|键}的内积除以 √dₖ，就是分数 $0。", "{q|Query} times {k|key} over √dₖ is the score, $0."},
      {value});
  step.formula = score_formula(settings.columns);
  step.focus = cell(Site::scores, cast.query, cast.key);
  step.focus.unmasked = true;
  return step;
}

Step weight(const Run& run, const Settings& settings) {
  const int asking = cast_of(run).query;
  const auto row = row_of(run, Site::weights, asking);
  const auto largest = static_cast<int>(std::max_element(row.begin(), row.end()) - row.begin());
  std::string list;
  float total = 0.0f;
  for (const float one : row) {
    list += (list.empty() ? "" : ", ") + fixed(one, 2);
    total += one;
  }
  Step step;
  step.title = {"权重：分数变成份额", "The weights: scores become shares"};
  constexpr std::size_t kListed = 4;  // more would not be read
  step.narration = {
      "softmax 把每一\1行{scores|分数}变成{weights|权重}：没有负数，加起来等于 1。",
      "Softmax turns each \1row of {scores|scores} into {weights|weights}: none negative, with sum 1. "};
  step.narration +=
      fill(row.size() <= kListed ? Text{"\1行 $0：$1，和为 $2；最多的 $3 给了位置 $4 的 $5。",
                                        "\1Row $0: $1, sum $2. Most, $3, goes to position $4, $5."}
                                 : Text{"\1行 $0 的和为 $2，最多的 $3 给了位置 $4 的 $5。",
                                        "\1Row $0 sums to $2. Most, $3, goes to position $4, $5."},
           {asking, list, fixed(total, 2), fixed(row[static_cast<std::size_t>(largest)], 2), largest,
            word(run, largest)});
  if (settings.causal)
    step.narration +=
        {"\n斜线格被因果掩码遮住，权重恰好是 0。", "\nHatched cells are masked; their weight is exactly 0."};
  step.brief = {"每一\1行的权重加起来等于 1。", "The weights of a \1row sum to 1."};
  step.try_it = {"打开“因果掩码”，看哪些份额归零、哪些变大。",
                 "Switch on the causal mask: which shares become 0, which grow?"};
  step.formula = weight_formula(settings.causal, settings.columns);
  step.focus = cell(Site::weights, asking, largest);
  return step;
}

Step value(const Run& run, const Settings& settings) {
  Step step;
  step.title = {"值：每个词交出的内容", "The value: what each word hands over"};
  step.narration =
      fill({"{v|值} v 是每个词要交出去的内容：同一\1行 {embedding|X}，乘 {v|W_v}，共 $0。\n"
            "{weights|权重}说拿多少，值说拿的是什么。",
            "The {v|value} v is what a word hands over: the same \1row of {embedding|X} times {v|W_v}, $0.\n"
            "The {weights|weights} say how much is taken, the values what is taken."},
           {counted(settings.d_v, {"个数", "number"}, "numbers")});
  step.narration += about_edits(run, Site::value);
  step.brief = {"权重说拿多少，{v|值}说拿什么。", "Weights say how much, {v|values} say what."};
  step.formula = value_formula();
  step.focus = cell(Site::value, cast_of(run).key, 0);
  return step;
}

/// Whether a word that occurs twice has one output or two.
RunText about_outputs(const Run& run, const Cast& cast, const Settings& settings) {
  if (!cast.repeats()) return {};
  const bool same_query = same_rows(run, Site::query, cast.first, cast.second);
  if (same_query && same_rows(run, Site::context, cast.first, cast.second))
    return fill({"\n两个 $0 的输出{eq|一个比特都不差}：查询一样，看到的词也一样。要分开它们，还需要位置。",
                 "\nBoth words $0 still get {eq|the same bits}: the same query over the same words. To tell "
                 "them apart the model needs positions."},
                {word(run, cast.second)});
  if (same_rows(run, Site::context, cast.first, cast.second)) return {};
  RunText text = fill({"\n两个 $0 的输出{ne|不同}了。", "\nThe two words $0 now get {ne|different} outputs."},
                      {word(run, cast.second)});
  if (settings.causal)
    text += {"因果掩码下，前一个看不见后面的词。",
             " Under the causal mask the first one can't see the later words."};
  return text;
}

Step output(const Run& run, const Settings& settings) {
  const Cast cast = cast_of(run);
  Step step;
  step.title = {"输出：按份额混合", "The output: a mixture by shares"};
  step.narration = fill(
      {"\1行 $1 的{out|输出} b 是 {v|V} 的各\1行按{weights|权重}相加，第一个数是 $0。",
       "The {out|output} b of \1row $1 is the sum of the \1rows of {v|V}, each times its {weights|weight}; "
       "its first number is $0."},
      {fixed(value_at(run, Site::context, cast.query, 0), 2), cast.query});
  step.narration += about_outputs(run, cast, settings);
  step.brief = {"{out|输出}是各\1行 {v|V} 按权重相加。",
                "The {out|output} adds the \1rows of {v|V} by weight."};
  step.formula = output_formula(settings.columns);
  step.focus = cell(Site::context, cast.query, 0);
  return step;
}

Step all_at_once(const Run& run, const Settings& settings) {
  const int words = cast_of(run).count;
  Step step;
  step.title = {"所有词一次算完", "All words at once"};
  step.narration = fill(
      {"刚才只走了一个词。写成矩阵，每个词都是同一组公式；词与词互不等待，所以能并行。输出有 $0 $1。\n"
       "词也可以写成$2：{strong|$3}，数还是那些数，只是转置了，两边相差 {eq|$4 ULP}。",
       "So far one word. As matrices, all follow the same formulas, and none waits for another. The output "
       "has $0 and $1.\n"
       "Words may also be $2: then it is {strong|$3}, with the same numbers transposed. Both ways are {eq|$4 "
       "ULP} apart."},
      {counted(settings.columns ? settings.d_v : words, {"行", "row"}, "rows"),
       counted(settings.columns ? words : settings.d_v, {"列", "column"}, "columns"),
       settings.columns ? Text{"行", "rows"} : Text{"列", "columns"}, matrix_formula(!settings.columns).text,
       thousands(ulp_between_ways(run.tape()))});
  step.brief = {"写成矩阵，所有词同时算出。", "As matrices, all words come out together."};
  step.try_it = {"把“词写成”换成列，再换回来：哪些数变了？",
                 "Write words as columns, and as rows again: which numbers change?"};
  step.formula = matrix_formula(settings.columns);
  step.focus = cell(Site::context, 0, 0);
  return step;
}

Step batch(const Run& run, const Settings&) {
  const float* figures = run.tape().tensor(kShapeFigures).values;
  const auto extent = [&](int row, int column) {
    return static_cast<int>(figures[row * kShapeColumns + column]);
  };
  Step step;
  step.title = {"一批句子，形状怎样变", "A batch of sentences, shape by shape"};
  step.narration =
      fill({"训练时句子成批地算。这里随机取 $0 句、每句 $1 个词，用同样的 {q|W_q}、{k|W_k}、{v|W_v} "
            "真算一遍。前两个数一路不变；dₖ = $2 只在{q|查询}和{k|键}里出现，{out|输出}的宽是 dᵥ = $3。\n"
            "句子之间互不相干：单独算第 0 句，一个比特都不差。",
            "In training, sentences are computed in batches. Here $0 random ones of $1 words really run "
            "through the same {q|W_q}, {k|W_k} and {v|W_v}. The first two extents stay; dₖ = $2 is seen in "
            "{q|queries} and {k|keys} only, the {out|output} is dᵥ = $3 wide.\nSentences don't meet: "
            "sentence 0 alone has the same bits."},
           {extent(0, 2), extent(0, 3), extent(1, 4), extent(kShapeRows - 1, 4)});
  step.brief = fill({"进去是 ($0, $1, $2)，出来是 ($0, $1, $3)：前两个数不变。",
                     "In goes ($0, $1, $2), out comes ($0, $1, $3): the first two stay."},
                    {extent(0, 2), extent(0, 3), extent(0, 4), extent(kShapeRows - 1, 4)});
  step.try_it = {"改 dₖ，再改 dᵥ：各有哪几行的形状跟着变？",
                 "Change dₖ, then dᵥ: which rows of the table follow?"};
  step.focus = {kShapeFigures, 0, -1, -1};
  step.sheet = kShapes;
  return step;
}

/// Answered by doing: which width decides how many columns the output has?
Step question(const Run& run, const Settings& settings) {
  const auto width = [&](Site site) { return run.tape().tensor(label_of(site)).shape[-1]; };
  const RunText columns = counted(width(Site::context), {"\1列", "\1column"}, "\1columns");
  Step step;
  step.title = {"问题：谁决定输出的宽度？", "Question: what decides the output's width?"};
  step.narration =
      fill({"现在 dₖ = $0，dᵥ = $1，{out|输出}有 $2。只改 dₖ 和 dᵥ 中的一个，让它变多或变少。",
            "Now dₖ = $0 and dᵥ = $1, and the {out|output} has $2. Change one of dₖ and dᵥ so that "
            "this number changes."},
           {settings.d_k, settings.d_v, columns});
  step.answer = width(Site::context) != kInitial.d_v ? Answer::right
                : width(Site::query) != kInitial.d_k ? Answer::wrong
                                                     : Answer::open;
  if (step.answer == Answer::right)
    step.narration +=
        fill({"\n{eq|对了。}输出是 {v|V} 的\1行相加：V 有 $0，输出也就有 $0。dₖ = $1 "
              "个乘积在内积里已经加成了一个数。",
              "\n{eq|Right.} The output adds \1rows of {v|V}, which has $0. The dₖ = $1 "
              "products of a dot product have become one number."},
             {counted(width(Site::value), {"\1列", "\1column"}, "\1columns"), width(Site::query)});
  if (step.answer == Answer::wrong)
    step.narration += fill({"\n{ne|还不是。}dₖ 从 $1 变成 $2，输出还是 $0：内积把 $2 个乘积加成了一个数。",
                            "\n{ne|Not yet.} dₖ went from $1 to $2, and the output still has $0: a dot "
                            "product adds its $2 products to one number."},
                           {columns, kInitial.d_k, width(Site::query)});
  step.brief = {"改 dₖ 或 dᵥ，看哪个会改变{out|输出}的宽度。",
                "Change dₖ or dᵥ: which one changes the width of the {out|output}?"};
  step.focus = cell(Site::context, cast_of(run).query, 0);
  return step;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// A step told by rows, as it is told with a column a word where `columns` says so.
void turn(Step& step, bool columns) {
  struct Turned {
    const char* marked;
    const char* by_rows;
    const char* by_columns;
  };
  constexpr Turned kTurned[] = {{"\1行", "行", "列"},
                                {"\1列", "列", "行"},
                                {"\1row", "row", "column"},
                                {"\1Row", "Row", "Column"},
                                {"\1column", "column", "row"}};
  for (RunText* text : {&step.title, &step.narration, &step.brief, &step.try_it})
    for (const Turned& word : kTurned)
      for (std::string* one : {&text->zh, &text->en})
        replace_all(*one, word.marked, columns ? word.by_columns : word.by_rows);
  if (!columns || step.sheet == kShapes) return;
  const Site site = step.focus.tensor.site;
  step.focus.tensor = columns_label(site);
  std::swap(step.focus.row, step.focus.column);
  step.sheet = kByColumns;
}

}  // namespace

std::vector<Step> narrate(const Run& run, const Settings& settings) {
  std::vector<Step> steps;
  for (Step (*const tell)(const Run&, const Settings&) :
       {words, query, key, score, weight, value, output, all_at_once, batch, question})
    turn(steps.emplace_back(tell(run, settings)), settings.columns);
  return steps;
}

}  // namespace attn::lessons::self_attention
