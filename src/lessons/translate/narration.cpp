#include "lessons/translate/narration.h"

#include <algorithm>

#include "lessons/numbers.h"
#include "lessons/translate/formulas.h"

namespace attn::lessons::translate {
namespace {

/// Whom a row of the shown attention looks at most.
struct Favourite {
  int word = 0;
  float weight = 0.0f;
};

Favourite favourite_of(const Experiment& experiment, const Settings& settings, int row) {
  const core::TensorView weights = experiment.run.tape().tensor(attention_of(settings));
  const int words = weights.shape[-1];
  const float* first = weights.values + row * words;
  const float* largest = std::max_element(first, first + words);
  return {static_cast<int>(largest - first), *largest};
}

const std::string& word(const Experiment& experiment, int index) {
  return experiment.run.source_words[static_cast<std::size_t>(index)];
}

const std::string& written(const Experiment& experiment, int position) {
  return experiment.run.target_words[static_cast<std::size_t>(position)];
}

int width(const Experiment& experiment) { return experiment.translator->model.config.d_model; }

RunText rows(int count) { return counted(count, {"行", "row"}, "rows"); }

/// What became of the first of the candidates: "概率最大的 机（0.900）写了下来".
RunText outcome(const Experiment& experiment, int position) {
  const Candidate best = candidates_of(experiment, position, 1).front();
  const int token = experiment.shown.tokens[static_cast<std::size_t>(position)];
  const std::string p = fixed(best.probability, 3);
  if (best.token == token)
    return fill({"概率最大的“{strong|$0}”（$1）写了下来", "the most probable, {strong|$0} ($1), is written"},
                {symbol_of(experiment, token), p});
  return fill({"概率最大的是“$0”（$1），写下的是“{strong|$2}”",
               "the most probable is $0 ($1), and {strong|$2} is written"},
              {symbol_of(experiment, best.token), p, symbol_of(experiment, token)});
}

}  // namespace

int least_sure(const Experiment& experiment) {
  const std::size_t count = experiment.shown.tokens.size();
  int found = 0;
  float least = 2.0f;
  for (std::size_t t = 0; t < count; ++t) {
    const float best = candidates_of(experiment, static_cast<int>(t), 1).front().probability;
    const bool character = experiment.shown.tokens[t] != io::Vocabulary::kEos;
    if ((character || count == 1) && best < least) {
      least = best;
      found = static_cast<int>(t);
    }
  }
  return found;
}

std::string shortened(const std::string& text) {
  constexpr std::size_t kMost = 12;
  const std::vector<std::string_view> characters = io::characters_of(text);
  if (characters.size() <= kMost) return text;
  return std::string(text.data(), characters[kMost - 1].data()) + "…";
}

float probability_of(const Experiment& experiment, int position, int token) {
  const core::TensorView tensor = experiment.run.tape().tensor(kProbabilities);
  return tensor.values[position * tensor.shape[-1] + token];
}

int own_length(const Experiment& experiment) {
  return static_cast<int>(experiment.own.tokens.size()) - (experiment.own.ended() ? 1 : 0);
}

int kept_length(const Experiment& experiment) { return (own_length(experiment) + 1) / 2; }

Step input_step(const Experiment& experiment) {
  const int count = static_cast<int>(experiment.source.size());
  Step step;
  step.title = {"词变成编号，编号变成向量", "Words become numbers, numbers become vectors"};
  step.narration = fill(
      {"词表给每个词一个编号：$0 是 $1 号。编号本身不参加计算，只用来查表：取出{strong|嵌入表}里那一行，$2 "
       "个数，再加上它所在位置的{strong|位置编码}。\n这句话有 $3 个词，送进编码器的就是 $4。",
       "The vocabulary has a number for every word: $0 is $1. No sum uses the number; it only picks a row of "
       "the {strong|embedding table}, $2 values, to which the {strong|encoding of the position} is added.\n"
       "The sentence has $3, so $4 go into the encoder."},
      {word(experiment, 0), experiment.source[0], width(experiment),
       count == 1 ? RunText{"1", "1 word"} : fill({"$0", "$0 words"}, {count}), rows(count)});
  step.brief = fill({"每个词查出一行 $0 个数，再加上位置编码。",
                     "Each word picks a row of $0 values; its position’s encoding is added."},
                    {width(experiment)});
  step.formula = embedding_formula();
  step.focus = {kEmbedding, 0, 0, 0};
  step.sheet = kInput;
  return step;
}

Step memory_step(const Experiment& experiment) {
  const int last = static_cast<int>(experiment.source.size()) - 1;
  const int layers = experiment.translator->model.config.n_encoder_layers;
  Step step;
  step.title = {"编码器把整句读成记忆", "The encoder turns the sentence into memory"};
  step.narration = fill(
      {"在 $0 层编码器里，每个词都从全句收集信息。出来的仍是 $1，每行 $2 个数，叫做{mem|记忆}：$3 "
       "那一行已经带着整句的上下文。\n编码器只算这一次；后面每写一个字，都来读它。",
       "In $0 encoder layers every word gathers from the whole sentence. What comes out, again $1 of $2 "
       "values, is the {mem|memory}: the row of $3 carries its context now.\nThe encoder runs once; every "
       "character that is written reads what it left."},
      {layers, rows(last + 1), width(experiment), word(experiment, last)});
  step.brief = {"编码器算一次，给每个英文词留下一行{mem|记忆}。",
                "The encoder runs once and leaves a row of {mem|memory} for each English word."};
  step.focus = {kMemory, 0, last, 0};
  step.sheet = kEncoder;
  return step;
}

Step first_step(const Experiment& experiment, const Settings& settings) {
  const Favourite most = favourite_of(experiment, settings, 0);
  const int tokens = experiment.translator->target.size();
  Step step;
  step.title = {"从 <bos> 开始，写第一个字", "From <bos> to the first character"};
  step.narration = fill(
      {"解码器手里只有起始符 {strong|<bos>}。它的{q|查询}去问{mem|记忆}：弧线越粗，权重越大，这一步最看重 "
       "$0（$1）。\n词表里 $2 个候选各得一个分数，$3。",
       "The decoder has nothing but the start token {strong|<bos>}. Its {q|query} asks the {mem|memory}: a "
       "thicker arc is a larger weight, and $0 has the largest ($1).\nEach of $2 tokens gets a score; $3."},
      {word(experiment, most.word), fixed(most.weight, 2), tokens, outcome(experiment, 0)});
  step.brief = fill({"只凭 {strong|<bos>} 和{mem|记忆}，写出第一个字“$0”。",
                     "From {strong|<bos>} and the {mem|memory} alone, $0 is written."},
                    {written(experiment, 0)});
  step.focus = {attention_of(settings), 0, 0, most.word};
  step.sheet = kWrite;
  return step;
}

Step candidates_step(const Experiment& experiment) {
  const int position = least_sure(experiment);
  const std::vector<Candidate> top = candidates_of(experiment, position, 2);
  Step step;
  step.title = {"概率从哪里来", "Where the probabilities come from"};
  step.narration = fill(
      {"解码器为每个候选算出一个分数，叫 {strong|logit}。softmax 把一行 logits 变成概率，全部 $0 个加起来是 "
       "1。\n写第 $1 个字时它最没把握：“$2”得 $3，第二名“$4”得 $5。",
       "The decoder computes a score for every candidate, its {strong|logit}. Softmax turns a row of logits "
       "into probabilities; all $0 add up to 1.\nIt is least sure of character $1: $2 gets $3, the runner-up "
       "$4 $5."},
      {experiment.translator->target.size(), position + 1, symbol_of(experiment, top[0].token),
       fixed(top[0].probability, 3), symbol_of(experiment, top[1].token), fixed(top[1].probability, 3)});
  step.brief = fill({"softmax 把 $0 个分数变成概率，合起来是 1。",
                     "Softmax turns $0 scores into probabilities that add up to 1."},
                    {experiment.translator->target.size()});
  step.try_it = {"点第二名：译文从这里起重新写。撤销可以回来。",
                 "Choose the runner-up: from there on the translation is written anew. Undo brings it back."};
  step.formula = softmax_formula();
  step.focus = {kProbabilities, 0, position, top[0].token};
  step.sheet = kWrite;
  return step;
}

Step attention_step(const Experiment& experiment, const Settings& settings) {
  const int position = least_sure(experiment);
  const Favourite most = favourite_of(experiment, settings, position);
  const Favourite first = favourite_of(experiment, settings, 0);
  const RunText who =
      settings.mean ? RunText{"各头平均", "The mean of its heads"} : RunText{"第 1 头", "Head 1"};
  const std::string& character = written(experiment, position);
  Step step;
  step.title = fill({"“$0”从哪里来？", "Where does $0 come from?"}, {character});
  step.narration = fill(
      {"写“$0”时，{q|查询}与{mem|记忆}的每一行比对，softmax 得到 $1 个权重。第 $2 层，$3最看重 "
       "$4（$5）；写第一个字“$6”时最看重 $7。\n平均只供人看：各个头各看各的，没有哪个头用平均来算。",
       "To write $0, the {q|query} is compared with each row of the {mem|memory}; softmax makes $1 weights. "
       "$3 in layer $2 looks most at $4 ($5), for $6 at the start most at $7.\nThe mean is for looking only: "
       "each head computes with weights of its own."},
      {character, static_cast<int>(experiment.source.size()), settings.layer + 1, who,
       word(experiment, most.word), fixed(most.weight, 2), written(experiment, 0),
       word(experiment, first.word)});
  step.brief = fill({"写“$0”时，{q|查询}最看重 $1。", "To write $0, the {q|query} looks most at $1."},
                    {character, word(experiment, most.word)});
  step.try_it = {"换一层，再关掉“各头平均”，看每个头各盯着谁。",
                 "Take the other layer, then switch the mean off and see whom each head looks at."};
  step.formula = attention_formula();
  step.focus = {attention_of(settings), 0, position, most.word};
  step.sheet = kWrite;
  return step;
}

std::vector<Step> narrate(const Experiment& experiment, const Settings& settings) {
  return {input_step(experiment),
          memory_step(experiment),
          first_step(experiment, settings),
          candidates_step(experiment),
          attention_step(experiment, settings),
          loop_step(experiment, settings),
          choice_step(experiment),
          sampling_step(experiment, settings),
          own_sentence_step(experiment),
          question_step(experiment)};
}

}  // namespace attn::lessons::translate
