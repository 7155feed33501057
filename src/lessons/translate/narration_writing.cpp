// How a sentence is written, one token after the other.
#include "lessons/numbers.h"
#include "lessons/translate/formulas.h"
#include "lessons/translate/narration.h"

namespace attn::lessons::translate {
namespace {

std::string shown_text(const Experiment& experiment) {
  return shortened(text_of(experiment, experiment.shown));
}

std::string own_text(const Experiment& experiment) { return shortened(text_of(experiment, experiment.own)); }

std::string ulp(std::uint32_t distance) { return thousands(distance) + " ULP"; }

/// {eq|0 ULP} or {ne|… ULP}.
std::string judged_ulp(std::uint32_t distance) {
  return (distance == 0 ? "{eq|" : "{ne|") + ulp(distance) + "}";
}

/// How the writing ended: with <eos>, or stopped.
RunText ending(const Experiment& experiment) {
  const int steps = static_cast<int>(experiment.shown.tokens.size());
  if (experiment.shown.ended())
    return fill({"直到写出 {strong|<eos>}，共 $0 步", "until {strong|<eos>} is written, $0 steps in all"},
                {steps});
  return fill({"写满 $0 步还没有 {strong|<eos>}，停在这里",
               "and is stopped after $0 steps without an {strong|<eos>}"},
              {steps});
}

}  // namespace

Step loop_step(const Experiment& experiment, const Settings& settings) {
  const std::string& first = experiment.run.target_words.front();
  const std::uint32_t apart = distance_of_passes(experiment);
  Step step;
  step.title = {"写一个，喂回去，再写下一个", "Write one, feed it back, write the next"};
  step.narration = fill(
      {"喂 {strong|<bos>}，写出“$0”；再喂“$0”，写下一个；$1。\n生成时有 KV "
       "缓存，每步只算新的一行；表里的概率却出自一遍带因果掩码的计算。两种算法的 logits 相差 $2。",
       "Fed {strong|<bos>}, it writes $0; fed $0, the next one; $1.\nWhile it writes, a KV cache leaves one "
       "new "
       "row to compute a step; the table comes from one pass with a causal mask. Their logits are $2 apart."},
      {first, ending(experiment), judged_ulp(apart)});
  step.brief = fill({"每个字喂回去再写下一个；逐步与一遍相差 $0。",
                     "Each character is fed back; step by step and in one pass: $0 apart."},
                    {judged_ulp(apart)});
  step.try_it = {"按播放，看它一个字一个字写出来。", "Press play and watch it write."};
  step.focus = {attention_of(settings), 0, static_cast<int>(experiment.shown.tokens.size()) - 1, 0};
  step.sheet = kLoop;
  return step;
}

Step choice_step(const Experiment& experiment) {
  Step step;
  step.title = {"换一个候选，换一句话", "Another candidate, another sentence"};
  int position = least_sure(experiment);
  if (experiment.taken.empty()) {
    const std::vector<Candidate> top = candidates_of(experiment, position, 2);
    step.narration = fill(
        {"不必总写第一名。第 $0 个字的第二名是“$1”（$2）。点它，解码器就把它当成自己写的，接着往下写。\n"
         "前面的字不受影响：因果掩码让每一行只看得到它之前的字。",
         "The decoder need not write the first. At character $0 the runner-up is $1 ($2). Choose it, and the "
         "decoder "
         "takes it for its own and goes on from there.\nWhat stands before is not touched: by the "
         "causal mask "
         "a row sees only what was written before it."},
        {position + 1, symbol_of(experiment, top[1].token), fixed(top[1].probability, 3)});
    step.brief = fill(
        {"点第二名“$0”，看解码器怎样接着写。", "Choose the runner-up $0 and see how the decoder goes on."},
        {symbol_of(experiment, top[1].token)});
  } else {
    const Taken& taken = experiment.taken.front();
    position = taken.position;
    step.narration = fill(
        {"你把第 $0 个字定为“{strong|$1}”，解码器接着写成“$2”；它自己会写“$3”。\n到这一行为止，logits "
         "与原来相差 $4：因果掩码让每一行只看得到它之前的字。后面的行读到了新的字，就不同了。",
         "You made character $0 a {strong|$1}, and the decoder went on to “$2”; by itself it writes "
         "“$3”.\nUp "
         "to that row the logits are $4 from what they were: by the causal mask a row sees only what was "
         "written before it. The rows after it read something new."},
        {position + 1, symbol_of(experiment, taken.token), shown_text(experiment), own_text(experiment),
         judged_ulp(distance_from_own(experiment, position + 1))});
    step.brief = fill({"第 $0 个字换成“{strong|$1}”，接着写成“$2”。",
                       "With {strong|$1} as character $0 it goes on to “$2”."},
                      {position + 1, symbol_of(experiment, taken.token), shown_text(experiment)});
  }
  step.focus = {kProbabilities, 0, position, experiment.shown.tokens[static_cast<std::size_t>(position)]};
  step.sheet = kWrite;
  return step;
}

Step sampling_step(const Experiment& experiment, const Settings& settings) {
  const Candidate best = candidates_of(experiment, 0, 1).front();
  const std::string p = fixed(best.probability, 3);
  const std::string& first = symbol_of(experiment, best.token);
  Step step;
  step.title = {"温度与 top-k", "Temperature and top-k"};
  step.narration = {
      "也可以按概率抽签。先把 logits 除以{strong|温度} T：T 大，概率拉平；T "
      "小，集中到第一名。{strong|top-k} 只留最大的 k 个，重新归一。\n",
      "A token can also be drawn. Logits are divided by the {strong|temperature} T first: a "
      "large T evens the probabilities out, a small one favours the first. {strong|Top-k} keeps "
      "the k largest.\n"};
  if (settings.temperature > 0.0f)
    add(step.narration,
        {"现在第一个字“$0”有 $1，这次抽出“$2”。", "$0 has $1 at the start now; drawn was “$2”."},
        {first, p, shown_text(experiment)});
  else
    add(step.narration,
        {"现在总取第一名：“$0”有 $1，写成“$2”。",
         "Now the first is always taken: $0 has $1, the result “$2”."},
        {first, p, shown_text(experiment)});
  step.brief = fill({"{strong|温度}拉平或集中概率，{strong|top-k} 去掉尾巴：这次写成“$0”。",
                     "{strong|Temperature} and {strong|top-k} shape the draw: this time “$0”."},
                    {shown_text(experiment)});
  step.try_it = {"把 T 调到 2，看写出什么；再让 top-k = 5。随机种子换一次抽签。",
                 "Set T to 2 and see what is written; then top-k to 5. The seed is another draw."};
  step.formula = temperature_formula();
  step.focus = {kProbabilities, 0, 0, experiment.shown.tokens.front()};
  step.sheet = kWrite;
  return step;
}

Step own_sentence_step(const Experiment& experiment) {
  const int words = experiment.translator->source.size() - io::Vocabulary::kSpecials;
  const int characters = experiment.translator->target.size() - io::Vocabulary::kSpecials;
  Step step;
  step.title = {"写你自己的句子", "A sentence of your own"};
  step.narration = fill(
      {"这个模型认识 $0 个英文词，会写 $1 "
       "个汉字，别的都不知道。用这些词写一句；词表里没有的词，会指出是哪一个，并给出最相近的。\n"
       "现在写成“$2”。",
       "This model knows $0 English words and $1 Chinese characters, nothing else. Write a sentence with "
       "them; a word that isn’t there is named, and known ones that are near are offered.\nNow it writes "
       "“$2”."},
      {words, characters, shown_text(experiment)});
  step.brief =
      fill({"它认识 $0 个英文词：用它们写一句。", "It knows $0 English words: write a sentence with them."},
           {words});
  step.try_it = {"试试 I love you，再试试 I saw a saw。", "Try I love you, then I saw a saw."};
  step.focus = {kSourceTokens, 0, 0, 0};
  step.sheet = kVocabulary;
  return step;
}

Step question_step(const Experiment& experiment) {
  const int kept = kept_length(experiment);
  Step step;
  step.title = {"只换一次，改写后半句", "Change the second half with one choice"};
  const RunText task =
      fill({"前 $0不动，只换{strong|一个}候选，让后面变成另一句，并且自己写出 {strong|<eos>}。",
            "Keep the first $0, and with {strong|one} other candidate make the rest another "
            "sentence that ends in {strong|<eos>} by itself."},
           {counted(kept, {"个字", "character"}, "characters")});
  step.answer = Answer::wrong;
  if (experiment.taken.empty()) {
    step.answer = Answer::open;
    step.narration = fill({"它自己写的是“$0”。", "By itself it writes “$0”. "}, {own_text(experiment)});
    step.narration += task;
    add(step.narration, {"\n该在哪一位换？", "\nWhere must you choose?"});
  } else if (experiment.taken.size() > 1) {
    step.narration = fill({"这里换了 $0 次，只许换一次。", "You chose $0 times; once is enough. "},
                          {static_cast<int>(experiment.taken.size())});
    step.narration += task;
  } else if (const Taken& taken = experiment.taken.front(); taken.position < kept) {
    step.narration =
        fill({"你换的是第 $0 个字，还在前 $1 个字里；从那里起每个字都重新写过，成了“$2”。",
              "You chose character $0, which is among the first $1; from there on everything was "
              "written anew: “$2”. "},
             {taken.position + 1, kept, shown_text(experiment)});
    step.narration += task;
  } else if (!experiment.shown.ended()) {
    step.narration = fill({"写满 $0 步也没有 {strong|<eos>}，这不算一句。换一个候选再试。",
                           "After $0 steps there is no {strong|<eos>}: no sentence. Try another candidate."},
                          {kMostCharacters});
  } else {
    step.answer = Answer::right;
    step.narration = fill(
        {"对。第 $0 位写了“{strong|$1}”，整句成了“$2”。\n前 $0 行的 logits 与原来相差 "
         "$3，所以前面的字一个也不会变；后面的行读到“{strong|$1}”，才接出另一种结尾。",
         "Right. With {strong|$1} at position $0 the sentence is “$2”.\nThe logits of the first $0 rows are "
         "$3 "
         "from what they were, so nothing before could change; the rows after read {strong|$1} and found "
         "another ending."},
        {taken.position + 1, symbol_of(experiment, taken.token), shown_text(experiment),
         judged_ulp(distance_from_own(experiment, taken.position + 1))});
  }
  step.brief = fill({"前 $0 个字不动，只换一个候选，改写后面。",
                     "Keep the first $0 and change the rest with one other candidate."},
                    {kept});
  const int position = experiment.taken.empty() ? 0 : experiment.taken.front().position;
  step.focus = {kProbabilities, 0, position, experiment.shown.tokens[static_cast<std::size_t>(position)]};
  step.sheet = kWrite;
  return step;
}

}  // namespace attn::lessons::translate
