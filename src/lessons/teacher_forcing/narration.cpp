#include "lessons/teacher_forcing/narration.h"

#include <algorithm>
#include <cmath>

#include "core/bits.h"
#include "lessons/numbers.h"
#include "lessons/teacher_forcing/board.h"

namespace attn::lessons::teacher_forcing {
namespace {

using tape::Site;

constexpr int kReadRow = 1;  // the row whose numbers are read out: after <bos> 我

int length_of(const Experiment& experiment) { return static_cast<int>(experiment.sentence.fed.size()); }

int ignored_rows(const Experiment& experiment) {
  const std::vector<int>& asked = experiment.sentence.asked;
  return static_cast<int>(std::count(asked.begin(), asked.end(), static_cast<int>(kPad)));
}

std::string ulp_text(std::uint32_t ulp) { return (ulp == 0 ? "{eq|" : "{ne|") + thousands(ulp) + " ULP}"; }

Step tokens(const Experiment&, const Settings& settings) {
  Step step;
  add(step.title, {"一句话，两种用法", "One sentence, used twice"});
  add(step.narration,
      {"目标是 {strong|<bos> 我 爱 你 <eos>}：<bos> 是句首，<eos> 是句尾，不够长就补 <pad>。{strong|tgt} "
       "去掉最后一个，喂给解码器；",
       "The target is {strong|<bos> 我 爱 你 <eos>} (I love you): <bos> begins a sentence, <eos> ends it, "
       "<pad>s fill it up. {strong|tgt} drops the last token and goes into the decoder; "});
  add(step.narration,
      settings.shifted
          ? Text{"{strong|tgt_y} 去掉第一个，当答案。\n竖着读，一列一道题：读完 <bos> "
                 "该说“我”，读完“我”该说“爱”。",
                 "{strong|tgt_y} drops the first and is the answer.\nRead down a column: after "
                 "<bos> say 我, after 我 say 爱. Every column is an exercise."}
          : Text{"{strong|tgt_y} 没错位，就是 tgt 自己。\n竖着读：读完 <bos> 该说 <bos>。{ne|答案就在题里。}",
                 "{strong|tgt_y} isn't shifted, it is tgt itself.\nRead down a column: after <bos> "
                 "say <bos>. {ne|The answer stands in the question.}"});
  add(step.brief, {"{strong|tgt} 去尾，{strong|tgt_y} 去头。",
                   "{strong|tgt} drops the last token, {strong|tgt_y} the first."});
  add(step.try_it,
      {"改 <pad> 的个数，再看哪几列变了。", "Change the number of <pad>s: which columns change?"});
  step.focus = {kTokenFigures, 0, -1, -1};
  step.sheet = kTokens;
  return step;
}

Step at_once(const Experiment& experiment, const Settings& settings) {
  const float* row =
      experiment.run.tape().tensor(one_pass(Site::probabilities)).values + kReadRow * kVocabulary;
  const int best = static_cast<int>(std::max_element(row, row + kVocabulary) - row);
  Step step;
  add(step.title, {"一次喂完，一次出齐", "All in at once, all out at once"});
  add(step.narration,
      {"$0 个词一起进解码器，一遍出来 $0 行概率，每行都在答“下一个是什么”。",
       "$0 tokens go in together, and one pass gives $0 rows of probabilities, each for the next "
       "token."},
      {length_of(experiment)});
  add(step.narration, settings.causal
                          ? Text{"因果掩码让每一行只看得到自己和前面的词。",
                                 " The causal mask lets a row see itself and what is before it."}
                          : Text{"{ne|因果掩码关着}：每一行把后面的词也看了。",
                                 " {ne|The causal mask is off}: every row sees the later tokens too."});
  add(step.narration,
      {"\n模型还没训练：行 $0 最可能的是 $1，$2，只是随机种子的意思。",
       "\nNothing is trained yet: that row $0 favours $1 with $2 is the seed's doing."},
      {kReadRow, word_of(best), fixed(row[best], 2)});
  add(step.brief, {"一遍算出 $0 个位置的分布。", "One pass gives the distributions of $0 positions."},
      {length_of(experiment)});
  add(step.try_it, {"点一格概率：它由同一行的 logits 经 softmax 得来。",
                    "Click a probability: it is the softmax of its row of logits."});
  step.formula = {"p[t] = P(· | tgt[0 … t], src)",
                  "<mrow><msub><mi>p</mi><mi>t</mi></msub><mo>=</mo><mi>P</mi><mo>(</mo><mo>·</mo><mo>|</"
                  "mo><msub><mi mathvariant=\"normal\">tgt</mi><mrow><mn>0</mn><mo>…</mo><mi>t</mi></mrow></"
                  "msub><mo>,</mo><mi mathvariant=\"normal\">src</mi><mo>)</mo></mrow>"};
  step.focus = {one_pass(Site::probabilities), 0, kReadRow, best};
  step.sheet = kOnePass;
  return step;
}

Step word_by_word(const Experiment& experiment, const Settings& settings) {
  const int length = length_of(experiment);
  const int equal = equal_rows(experiment.run);
  Step step;
  add(step.title, {"和逐词算一个样", "The same as word by word"});
  add(step.narration,
      {"左边一遍算完。右边照推理的样子跑 $0 遍：第 1 遍只给 <bos>，以后每遍多给一个词，只取最新一行。",
       "On the left one pass. On the right $0 passes, as in inference: the first is given <bos> alone, "
       "each later "
       "one a token more, and only its newest row is kept."},
      {length});
  add(step.narration,
      equal == length
          ? Text{"\n$0 行{eq|全是 0 ULP}，一个比特都不差。所以训练用不着逐词跑。",
                 "\nAll $0 rows agree, {eq|0 ULP}. So training needn't go word by word."}
          : Text{"\n{ne|掩码关着}，只有 $1 行还一样：其余各行偷看了后面的词，逐词跑时还没有那些词。",
                 "\n{ne|Without the mask} $1 of $0 rows agree: the others peeked at tokens that "
                 "aren't there yet word by word."},
      {length, equal});
  add(step.brief,
      {"一遍带掩码的计算等于逐词的许多遍。", "One masked pass equals many passes, word by word."});
  add(step.try_it,
      settings.causal ? Text{"关掉因果掩码：哪几行不再相等？", "Take the causal mask off: which rows differ?"}
                      : Text{"再打开因果掩码。", "Put the causal mask back."});
  step.focus = {stepwise(Site::probabilities), 0, kReadRow, kAi};
  step.sheet = kStepwise;
  return step;
}

Step losses(const Experiment& experiment, const Settings&) {
  const int answer = experiment.sentence.asked[kReadRow];
  const float p =
      experiment.run.tape().tensor(one_pass(Site::probabilities)).values[kReadRow * kVocabulary + answer];
  const float loss = experiment.run.tape().tensor(one_pass(Site::losses)).values[kReadRow];
  Step step;
  add(step.title, {"损失：答案拿到多少概率", "The loss: how probable was the answer?"});
  add(step.narration,
      {"行 $0 的答案是“$1”，模型给它 $2，损失是 −ln p = $3。全押在答案上是 0；$4 "
       "个词均匀乱猜是 ln $4 = $5。\n"
       "每一行各算各的，一遍就有了所有位置的损失。",
       "The answer of row $0 is $1. The model gave it $2, so the loss is −ln p = $3. All "
       "on the answer would be "
       "0, an even guess among $4 tokens ln $4 = $5.\nEach row has its own loss, all of "
       "them after one pass."},
      {kReadRow, word_of(answer), fixed(p, 3), fixed(loss, 3), static_cast<int>(kVocabulary),
       fixed(std::log(static_cast<float>(kVocabulary)), 3)});
  add(step.brief,
      {"每个位置的损失是 −ln（答案的概率）。", "The loss of a position is −ln of its answer's probability."});
  step.formula = {"loss[t] = −ln p[t, tgt_y[t]]",
                  "<mrow><msub><mi mathvariant=\"normal\">loss</mi><mi>t</mi></msub><mo>=</mo><mo>−</mo><mi "
                  "mathvariant=\"normal\">ln</mi><msub><mi>p</mi><mrow><mi>t</mi><mo>,</mo><msub><mi "
                  "mathvariant=\"normal\">tgt_y</mi><mi>t</mi></msub></mrow></msub></mrow>"};
  step.focus = {one_pass(Site::probabilities), 0, kReadRow, answer};
  step.sheet = kLosses;
  return step;
}

Step padding(const Experiment& experiment, const Settings&) {
  const int ignored = ignored_rows(experiment);
  const int last = length_of(experiment) - 1;
  Step step;
  add(step.title, {"补位：照算，不算数", "Padding: computed, not counted"});
  if (ignored == 0)
    add(step.narration, {"现在没有一行的答案是 <pad>，每一行都计入损失。加几个 <pad> 看看。",
                         "No row's answer is <pad> now, so every row counts. Add some <pad>s."});
  else
    add(step.narration,
        {"最后 $0的答案是 <pad>。分布照样算出，损失却记 0：ignore_index 让这些行不计入，梯度也恰好是 0。",
         "In the last $0 the answer is <pad>. Their distributions are computed like any other, but "
         "ignore_index leaves them out: loss 0, and gradient exactly 0."},
        {counted(ignored, {"行", "row"}, "rows")});
  add(step.brief,
      {"<pad> 的行照算，但不计入损失。", "Rows that ask for <pad> are computed and left out of the loss."});
  add(step.try_it, {"改 <pad> 的个数：前面各行的损失变吗？",
                    "Change the number of <pad>s: does a loss further up change?"});
  step.focus = {one_pass(Site::probabilities), 0, last,
                experiment.sentence.asked[static_cast<std::size_t>(last)]};
  step.sheet = kLosses;
  return step;
}

Step sums(const Experiment& experiment, const Settings&) {
  const float once = experiment.run.tape().tensor(kOnePassSum).values[0];
  const float many = experiment.run.tape().tensor(kStepwiseSum).values[0];
  const float in_order = sum_in_order(experiment.run.tape().tensor(one_pass(Site::losses)).flat());
  const std::uint32_t apart = core::ulp_distance(once, in_order);
  Step step;
  add(step.title, {"损失的和也一样", "The sums agree too"});
  if (core::bits_of(once) == core::bits_of(many)) {
    add(step.narration,
        {"逐位置的损失两边 {eq|0 ULP}，按同一次序相加，和也{eq|一个比特都不差}：$0。",
         "Position by position the losses are {eq|0 ULP} apart. Added in one and the same order, so "
         "are the sums: {eq|$0}."},
        {six_digits(once)});
    add(step.narration,
        apart == 0
            ? Text{"\n引擎分四路相加；从头到尾挨个加，这回碰巧也是同样的比特。",
                   "\nThe engine adds in four lanes; from first to last it happens to be the same "
                   "bits here."}
            : Text{"\n引擎分四路相加；从头到尾挨个加是 $0，差 $1 ULP。那是加法次序的舍入，与掩码无关。",
                   "\nThe engine adds in four lanes. From first to last it is $0, $1 ULP away: "
                   "rounding by the order of addition, nothing to do with the mask."},
        {six_digits(in_order), thousands(apart)});
  } else {
    add(step.narration,
        {"{ne|掩码关着}：一遍算出的和是 $0，逐词是 $1。一次训练就不再等于逐词训练。",
         "{ne|The mask is off}: in one pass the sum is $0, word by word $1. One pass no longer stands "
         "for training word by word."},
        {six_digits(once), six_digits(many)});
  }
  add(step.brief, {"每个位置的损失相等，和也就相等。", "Equal losses at every position give equal sums."});
  step.focus = {kLossFigures, 0, -1, -1};
  step.sheet = kSums;
  return step;
}

Step read_at(const Experiment& experiment, const Settings& settings) {
  const Reading& reading = experiment.reading;
  Step step;
  add(step.title, {"补过位，下一个词在哪一行读？", "Padded: which row has the next token?"});
  if (settings.pads == 0)
    add(step.narration,
        {"现在没有补位，最后一行就是“你”，下一个词就在那里读。加几个 <pad> 看看。",
         "Nothing is padded now: the last row is that of 你, and the next token is read there. Add "
         "some <pad>s."});
  else
    add(step.narration,
        {"成批生成时，短的提示要补位。下一个词在最后一个{strong|真词}那一行读：“你”在行 $0，logits "
         "与不补位相差 $1。",
         "A batch is padded to one length. The next token is read in the row of the last "
         "{strong|real} token: 你 is row $0, its logits $1 from those without padding."},
        {reading.row, ulp_text(reading.ulp)});
  if (settings.pads > 0 && !settings.pads_left)
    add(step.narration,
        {"\n补在右边，最后一行在 <pad> 之后，最多差 {ne|$0}：在那里读就错了。",
         "\nWith <pad>s on the right the last row comes after a <pad>, up to {ne|$0} "
         "away: reading there is a "
         "bug."},
        {fixed(reading.last_difference, 2)});
  else if (settings.pads > 0)
    add(step.narration,
        {"\n补在左边，最后一行正是“你”；但 <pad> 在前面，因果掩码挡不住，要再用填充掩码遮住。",
         "\nWith <pad>s on the left the last row is that of 你; but the causal mask can't hide what comes "
         "before: a padding mask must."});
  add(step.brief,
      {"下一个词要在最后一个真词那一行读。", "The next token is read in the row of the last real token."});
  add(step.try_it, {"把 <pad> 换到另一边，再改个数：“你”那一行变吗？",
                    "Put the <pad>s on the other side, change how many: does the row of 你 change?"});
  step.focus = {kReadFigures, 0, -1, -1};
  step.sheet = kRead;
  return step;
}

bool repeats(const std::vector<int>& said) {
  return said.size() > 1 && std::count(said.begin(), said.end(), said[0]) == static_cast<int>(said.size());
}

Step unshifted(const Experiment& experiment, const Settings&) {
  const Training& shifted = *experiment.shifted;
  const Training& copying = *experiment.copying;
  Step step;
  add(step.title, {"忘了错位会怎样", "If the shift is forgotten"});
  add(step.narration,
      {"tgt_y 就是 tgt 时，答案是同一列的输入，照抄就行。两种各用 Adam 训 $0 步：错一位，$1 → "
       "$2；没错位，$3 → "
       "{ne|$4}。\n再从 <bos> 生成：错一位说“$5”，没错位说“{ne|$6}”",
       "When tgt_y is tgt, copying the input is enough. After $0 steps of Adam each: shifted $1 → $2, "
       "not shifted $3 "
       "→ {ne|$4}.\nThen from <bos> on, the first says “$5”, the second “{ne|$6}”"},
      {static_cast<int>(shifted.losses.size()) - 1, fixed(shifted.losses.front(), 3),
       fixed(shifted.losses.back(), 3), fixed(copying.losses.front(), 3), fixed(copying.losses.back(), 3),
       sentence_text(shifted.said), sentence_text(copying.said)});
  add(step.narration,
      repeats(copying.said) ? Text{"：只会重复。", ": it only repeats itself."} : Text{"。", "."});
  add(step.brief, {"没错位：损失 $0 → $1，说的是“$2”。", "Not shifted: loss $0 → $1, and it says “$2”."},
      {fixed(copying.losses.front(), 3), fixed(copying.losses.back(), 3), sentence_text(copying.said)});
  add(step.try_it,
      {"改训练步数：两条线各从哪里分开？", "Change the steps of training: where do the two lines part?"});
  step.focus = {kTrainingFigures, 0, -1, -1};
  step.sheet = kUnshifted;
  return step;
}

/// Answered by the bits of the sum, beside those of the sum with what the step sets.
Step question(const Experiment& experiment, const Settings& settings) {
  const float now = experiment.run.tape().tensor(kOnePassSum).values[0];
  const std::uint32_t ulp = core::ulp_distance(now, experiment.asked_sum);
  const bool touched = !settings.shifted || !settings.causal || settings.pads != kQuestionPads;
  Step step;
  add(step.title, {"问题：动哪个，损失的和不变？", "Question: which one leaves the sum alone?"});
  add(step.narration,
      {"<pad> $1 个、答案错一位、因果掩码开着，一遍算出的损失之和是 "
       "$0。三样里只动一个，让和{strong|一个比特都不变}。",
       "With $1 <pad>s, shifted answers and the causal mask, the losses of one pass sum to $0. Change one of "
       "the three so that the sum keeps {strong|every bit}."},
      {six_digits(experiment.asked_sum), kQuestionPads});
  if (touched && ulp == 0)
    add(step.narration,
        {"\n{eq|对了，$0 ULP。}<pad> 在后面，因果掩码让前面的行看不见它；它自己的行又不计入损失。",
         "\n{eq|Right, $0 ULP.} <pad>s come last, so the mask hides them from the rows before, and their own "
         "rows don't count."},
        {static_cast<int>(ulp)});
  else if (touched)
    add(step.narration,
        {"\n{ne|还不是。}现在是 $0，差 $1 ULP。", "\n{ne|Not yet.} Now it is $0, $1 ULP away. "},
        {six_digits(now), thousands(ulp)});
  if (touched && ulp != 0)
    add(step.narration, !settings.causal
                            ? Text{"没有掩码，前面的行看到了后面的词，分布变了。",
                                   "Without the mask rows see later tokens, so their distributions change."}
                            : Text{"分布没变，问的却是别的答案了。",
                                   "The distributions stay, but other answers are asked for."});
  add(step.brief, {"只动一个开关，让损失的和一个比特都不变。",
                   "Move one switch so that the sum of the losses keeps every bit."});
  step.focus = {kLossFigures, 0, -1, -1};
  step.sheet = kSums;
  step.answer = !touched ? Answer::open : ulp == 0 ? Answer::right : Answer::wrong;
  return step;
}

}  // namespace

std::vector<Step> narrate(const Experiment& experiment, const Settings& settings) {
  std::vector<Step> steps;
  for (Step (*const tell)(const Experiment&, const Settings&) :
       {tokens, at_once, word_by_word, losses, padding, read_at, sums, unshifted, question})
    steps.push_back(tell(experiment, settings));
  return steps;
}

}  // namespace attn::lessons::teacher_forcing
