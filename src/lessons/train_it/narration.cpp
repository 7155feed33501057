#include "lessons/train_it/narration.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lessons/numbers.h"
#include "lessons/train_it/board.h"

namespace attn::lessons::train_it {
namespace {

using tape::Label;
using tape::Site;
using training::TaskKind;

const training::Trainer& honest_of(const Experiment& experiment) { return experiment.shown->honest->trainer; }

int done_of(const Experiment& experiment) { return honest_of(experiment).steps_done(); }

/// Mean loss of the newest steps.
float newest_loss(const Bench& bench) {
  constexpr std::size_t kNewest = 20;
  const std::span<const training::StepRecord> history = bench.history();
  const std::span<const training::StepRecord> newest = history.last(std::min(history.size(), kNewest));
  float sum = 0.0f;
  for (const training::StepRecord& step : newest) sum += step.loss;
  return sum / static_cast<float>(newest.size());
}

RunText rule_of(TaskKind task) {
  switch (task) {
    case TaskKind::copy:
      return {"照抄一串字母", "copy letters"};
    case TaskKind::reverse:
      return {"把一串字母倒过来", "reverse letters"};
    case TaskKind::sort:
      return {"把一串数字从小到大排好", "sort digits"};
    case TaskKind::translate:
      return {"把英文句子译成中文", "translate English into Chinese"};
  }
  return {};
}

Step task(const Experiment& experiment, const Settings& settings) {
  const int wrong = static_cast<int>(std::count_if(experiment.samples.begin(), experiment.samples.end(),
                                                   [](const Sample& one) { return one.said != one.target; }));
  Step step;
  step.title = {"要学会什么", "What there is to learn"};
  step.narration =
      fill({"任务是{strong|$0}。模型只有例子，没有规则：$1 个参数一开始全是随机数。",
            "The task is to {strong|$0}. The model gets examples, no rule, and its $1 parameters start out "
            "random."},
           {rule_of(settings.recipe.task),
            thousands(static_cast<std::uint32_t>(nn::parameter_count(experiment.shown->model)))});
  step.narration +=
      fill({"\n表里是它{strong|从没见过}的 $2 个例子。训练到第 $0 步，错了 $1 个。",
            "\nThe table has $2 examples it {strong|never sees} in training. After $0 steps it gets "
            "$1 of them wrong."},
           {done_of(experiment), wrong, kSamples});
  step.brief = {"只给例子，不给规则。", "Examples only, no rule."};
  step.try_it = {"按播放开始训练，看表里的错怎样一个个消失。",
                 "Press play to train, and watch the mistakes go one by one."};
  step.focus = {kSaid, 0, -1, -1};
  step.sheet = kTaskSheet;
  return step;
}

Step one_step(const Experiment& experiment, const Settings&) {
  const training::StepRecord& newest = experiment.shown->honest->history().back();
  const training::TrainerOptions& options = honest_of(experiment).options();
  Step step;
  step.title = {"一步训练做四件事", "Four things make a step"};
  step.narration = fill(
      {"取 $0 个例子；算每个词的损失，平均；反向算出每个参数的梯度；Adam 按学习率 $1 挪一小步。\n"
       "最近一步：损失 $2，全部梯度连起来长 $3。",
       "Take $0 examples; compute each token's loss and average; go back for the gradient of every "
       "parameter; let "
       "Adam move each a little, at learning rate $1.\nThe newest step: loss $2, all gradients together have "
       "norm $3."},
      {options.batch_size, six_digits(newest.learning_rate), fixed(newest.loss, 3),
       fixed(newest.gradient_norm, 3)});
  step.brief = {"取例子、算损失、求梯度、挪参数。", "Examples, loss, gradients, update."};
  step.try_it = {"用“只走一步”走几步，看损失每一步怎么跳。", "Take single steps: see how the loss jumps."};
  step.formula = {"θ ← θ − η · m̂ / (√v̂ + ε)",
                  "<mrow><mi>θ</mi><mo>←</mo><mi>θ</mi><mo>−</mo><mi>η</mi><mo>·</mo><mfrac><mi>m̂</"
                  "mi><mrow><msqrt><mi>v̂</mi></msqrt><mo>+</mo><mi>ε</mi></mrow></"
                  "mfrac></mrow>"};
  step.focus = {kHistory, 0, -1, -1};
  step.sheet = kStepSheet;
  return step;
}

Step curve(const Experiment& experiment, const Settings&) {
  const Bench& bench = *experiment.shown->honest;
  const float guess = std::log(static_cast<float>(experiment.shown->model.config.vocabulary));
  Step step;
  step.title = {"损失往下走", "The loss goes down"};
  step.narration = fill(
      {"乱猜 $0 个词里的一个，损失约 ln $0 = $1。现在第 $2 步，最近几步平均是 $3。\n"
       "左图的纵轴每格差许多倍，所以降到很小也看得见；右图只数{strong|整串全对}的。",
       "A blind guess among $0 tokens costs ln $0 = $1. This is step $2; the newest steps average $3.\nThe "
       "left "
       "axis counts in factors, so small losses stay visible. The right one counts only sequences that are "
       "{strong|right throughout}."},
      {experiment.shown->model.config.vocabulary, fixed(guess, 2), done_of(experiment),
       six_digits(newest_loss(bench))});
  step.brief = fill({"第 $0 步，损失 $1。", "Step $0, loss $1."},
                    {done_of(experiment), six_digits(newest_loss(bench))});
  step.try_it = {"换个学习率重新训练：太小学得慢，太大学不成。",
                 "Train again with another learning rate: too small is slow, too large fails."};
  step.focus = {kHistory, 0, -1, -1};
  step.sheet = kCurveSheet;
  return step;
}

Step attention(const Experiment& experiment, const Settings& settings) {
  const int sources = static_cast<int>(experiment.samples[0].source.size());
  Step step;
  step.title = {"注意力自己找到规则", "Attention finds the rule by itself"};
  step.narration = {
      "每行是说出的一个词，看它望向源序列的哪里。没人告诉模型该看哪，权重是梯度推出来的。",
      "Each row is a token about to be said, and where in the source it looks. Nobody told the model "
      "where: gradients did."};
  if (experiment.on_rule >= 0.0f)
    step.narration +=
        fill({"\n按规则该看的那一格，第 $0 个头平均给了 {mem|$1 %}；乱看只有 $2 %。",
              "\nWhere the rule says to look, head $0 puts {mem|$1 %} on average; at random it would be "
              "$2 %."},
             {experiment.best_head + 1, fixed(100.0f * experiment.on_rule, 0),
              fixed(100.0f / static_cast<float>(sources), 0)});
  step.brief = {"该看哪里，是训练出来的。", "Where to look is learned."};
  constexpr float kClear = 1.5f;  // times what looking at random gives
  if (experiment.on_rule < kClear / static_cast<float>(sources))
    step.try_it = {"多训练一会儿，再看图样。", "Train a while longer, then look again."};
  else if (settings.recipe.task == TaskKind::reverse)
    step.try_it = {"看到反对角线了吗？换成“照抄”再训练一次。",
                   "Do you see the anti-diagonal? Train “copy” instead."};
  else
    step.try_it = {"换一个任务再训练，图样跟着变。", "Train another task: it makes another pattern."};
  step.focus = {{tape::Stack::decoder, experiment.layer, tape::Block::cross_attention, Site::weights},
                experiment.best_head,
                0,
                -1};
  step.sheet = kAttentionSheet;
  return step;
}

Step gradients(const Experiment& experiment, const Settings&) {
  const core::TensorView figures = experiment.run.tape().tensor(kGradients);
  const auto largest = std::max_element(figures.values, figures.values + figures.size());
  Step step;
  step.title = {"梯度：往哪边挪，挪多少", "Gradients: which way, how much"};
  step.narration = {
      "左边每一格是损失对 {q|W_q} 里一个数的导数：正的就把那个数调小，负的就调大。",
      "Each cell on the left is the derivative of the loss by one number of {q|W_q}: where it is "
      "positive the number goes down, where negative, up."};
  if (*largest > 0.0f)
    step.narration += fill({"\n最近一步，梯度最大的是{strong|$0}，每个数约 $1。",
                            "\nIn the newest step they are largest in the {strong|$0}, about $1 a number."},
                           {kGroups[largest - figures.values], exponent(*largest)});
  else
    step.narration +=
        {"\n还没走过一步，所以梯度还没有算。", "\nNo step has been taken yet, so there are none."};
  step.brief = {"梯度指出每个参数该往哪边挪。", "The gradient says which way each parameter should go."};
  step.try_it = {"走一步，再走一步：正负号变了吗？", "Take a step, then another: do signs change?"};
  step.focus = {kQueryGradient, 0, -1, -1};
  step.sheet = kGradientSheet;
  return step;
}

Step held_out(const Experiment& experiment, const Settings&) {
  const training::Task& task = honest_of(experiment).task();
  Step step;
  step.title = {"没见过的也会吗", "Does it know what it never saw?"};
  step.narration =
      fill({"$0 个例子留着不训练。每 $1 步拿 $2 个来考：从 <bos> 开始自己生成，{strong|错一个词就算错}。\n"
            "最近一次考了 {strong|$3 %}。会做没见过的，才是学会，不是背下来。",
            "$0 examples are kept out of training. Every $1 steps $2 of them are a test: generated from "
            "<bos> on, and "
            "{strong|one wrong token fails}.\nLast time {strong|$3 %} passed. Only what works on new ones "
            "was learned "
            "rather than memorised."},
           {static_cast<int>(task.held_out.size()), kEvaluateEvery, kEvaluated,
            fixed(exact_percent(experiment.run), 0)});
  step.brief = fill({"没见过的例子，$0 % 全对。", "Of unseen examples $0 % are right."},
                    {fixed(exact_percent(experiment.run), 0)});
  step.focus = {kEvaluations, 0, -1, -1};
  step.sheet = kCurveSheet;
  return step;
}

Step mistake(const Experiment& experiment, const Settings& settings) {
  Step step;
  step.title = {"作弊的训练", "Training that cheats"};
  step.focus = {kHistory, 0, -1, -1};
  step.sheet = kMistakeSheet;
  if (experiment.shown->beside == nullptr) {
    step.narration = {
        "旁边再训练一个做错了的模型：{strong|不用掩码}，或{strong|答案没错位}。选一个。",
        "Train a model with a mistake beside it: {strong|without the mask}, or with answers that are "
        "{strong|not shifted}. Choose one."};
    step.brief = {"选一种错误，在旁边训练。", "Choose a mistake to train beside."};
    return step;
  }
  const Bench& other = *experiment.shown->beside;
  step.narration =
      settings.recipe.mistake == Mistake::no_mask
          ? RunText{"有错的模型没有因果掩码：要答的词就摆在它看得见的地方，抄来就行。",
                    "The flawed model has no causal mask: the token it is asked for lies in plain sight, so "
                    "it copies."}
          : RunText{"有错的模型问的就是刚喂进去的词：抄来就行。",
                    "The flawed model is asked for the token it has just been fed, so it copies."};
  step.narration +=
      fill({"\n第 $0 步，它的损失 {ne|$1}，正常的 {eq|$2}。可是一生成，没有答案可抄：没见过的例子，"
            "它对 {ne|$3 %}，正常的对 {eq|$4 %}。",
            "\nAt step $0 its loss is {ne|$1}, the honest one's {eq|$2}. But generating, there is "
            "nothing to copy: of new examples it gets {ne|$3 %}, the honest one {eq|$4 %}."},
           {other.trainer.steps_done(), six_digits(newest_loss(other)),
            six_digits(newest_loss(*experiment.shown->honest)), fixed(exact_percent(experiment.run, true), 0),
            fixed(exact_percent(experiment.run), 0)});
  step.brief = {"损失低不等于学会：要看生成。", "A low loss isn't learning: look at what it generates."};
  step.try_it = {"按播放，两个一起训练，走到几百步再比。",
                 "Press play: both train together; compare after some hundred."};
  return step;
}

Step question(const Experiment& experiment, const Settings&) {
  const training::Trainer& trainer = honest_of(experiment);
  const float percent = exact_percent(experiment.run);
  const bool right = percent >= kGoal && trainer.steps_done() > 0;
  const bool over = trainer.finished();
  Step step;
  step.title = {"问题：能考到 99 % 吗？", "Question: can you get to 99 %?"};
  step.narration = {
      "让没见过的例子{strong|至少 99 % 全对}。任务、学习率、宽度、层数随你选，训练多久也随你。",
      "Get {strong|at least 99 %} of new examples right. Task, learning rate, width and layers are "
      "yours to choose, and how long to train."};
  if (right)
    step.narration +=
        fill({"\n{eq|对了。}第 $0 步的考试，$1 % 全对，学习率最高 $2。",
              "\n{eq|Right.} In the test at step $0, $1 % were right; the learning rate's peak is $2."},
             {trainer.evaluations().back().step, fixed(percent, 0),
              six_digits(static_cast<float>(trainer.options().schedule.peak))});
  else if (over)
    step.narration +=
        fill({"\n{ne|还不够。}训练完了，只有 $0 %。换个学习率，或者宽一点、深一点，再来。",
              "\n{ne|Not enough.} Training is over at $0 %. Change the learning rate, or go wider or deeper, "
              "and try again."},
             {fixed(percent, 0)});
  else
    step.narration +=
        fill({"\n现在第 $0 步，最近一次考了 $1 %。", "\nThis is step $0; the last test gave $1 %."},
             {trainer.steps_done(), fixed(percent, 0)});
  step.brief = fill({"目标 99 %，现在 $0 %。", "Goal 99 %, now $0 %."}, {fixed(percent, 0)});
  step.focus = {kEvaluations, 0, -1, -1};
  step.sheet = kCurveSheet;
  step.answer = right ? Answer::right : over ? Answer::wrong : Answer::open;
  return step;
}

}  // namespace

std::vector<Step> narrate(const Experiment& experiment, const Settings& settings) {
  std::vector<Step> steps;
  for (Step (*const tell)(const Experiment&, const Settings&) :
       {task, one_step, curve, attention, gradients, held_out, mistake, question})
    steps.push_back(tell(experiment, settings));
  return steps;
}

}  // namespace attn::lessons::train_it
