// Step 10: the question.
#include "lessons/mask_equivalence/narration.h"
#include "lessons/mask_equivalence/phrases.h"

namespace attn::lessons::mask_equivalence {
namespace {

/// What the step sets; anything else is something the reader tried.
bool untouched(const Settings& settings) {
  return settings.prefix == kQuestionPrefix && settings.n_layers == kQuestionLayers &&
         !settings.newest_row_only;
}

Answer answer_of(const Facts& facts, const Settings& settings) {
  if (settings.inference_mask || !settings.training_mask || settings.poke >= 0) return Answer::open;
  if (facts.all_equal) return Answer::right;
  return untouched(settings) ? Answer::open : Answer::wrong;
}

RunText reason(const Facts& facts) {
  if (facts.newest == 0)
    return {"\n{eq|对了。}右边只有一行，后面没有词，关不关掩码都一样。",
            "\n{eq|Right.} One row has nothing after it, so there is nothing for a mask to hide."};
  return fill(
      {"\n{eq|对了。}只有一层时，前面的行虽然变了，最新的行 $0 却只用词嵌入算键和值，用不到它们。",
       "\n{eq|Right.} With one layer, earlier rows change, but the newest row, $0, computes its keys and "
       "values from the embeddings and never uses them."},
      {facts.newest});
}

}  // namespace

Step question(const Facts& facts, const Settings& settings) {
  Step step;
  step.title = {"问题：不开掩码，能让两边相等吗？", "Question: equal without the mask?"};
  step.answer = answer_of(facts, settings);
  step.narration = {
      "左边的掩码开着，右边的关着。不碰这两个开关，也不扰动词，让比较的{strong|每个张量}都相等。",
      "The left mask is on, the right one off. Without touching either, and without poking, make "
      "{strong|every} compared tensor equal."};
  if (step.answer == Answer::right) step.narration += reason(facts);
  if (step.answer == Answer::wrong)
    step.narration += fill({"\n{ne|还不行。}$0想一想：右边哪一行看到了它不该看的词？",
                            "\n{ne|Not yet:} $0 Think: which row on the right sees words it shouldn't?"},
                           {overall(facts)});
  step.brief = {"右边的掩码关着，怎样让每个张量都相等？",
                "With the right mask off, how can every tensor be equal?"};
  step.try_it = {"可以改的：送进的词数、层数、比较哪些行。",
                 "You may change how many tokens are in, the layers, and which rows are compared."};
  step.focus = {self_attention(0, tape::Site::weights), 0, 0, 0};
  return step;
}

}  // namespace attn::lessons::mask_equivalence
