// The fields of TrainerOptions by name, for a checkpoint.
#pragma once

#include "nn/config_fields.h"
#include "training/trainer.h"

namespace attn::training {

/// As nn::for_each_field; the model's config is not among them.
template <class Options, class Visit>
void for_each_field(Options& options, Visit&& visit) {
  visit("adam.beta1", options.adam.beta1);
  visit("adam.beta2", options.adam.beta2);
  visit("adam.epsilon", options.adam.epsilon);
  visit("adam.l2_penalty", options.adam.l2_penalty);
  visit("adam.weight_decay", options.adam.weight_decay);
  visit("adam.post_decay", options.adam.post_decay);
  visit("adam.amsgrad", options.adam.amsgrad);
  visit("adam.form", options.adam.form, 3);
  visit("schedule.peak", options.schedule.peak);
  visit("schedule.warm_up", options.schedule.warm_up);
  visit("schedule.decay", options.schedule.decay, 3);
  visit("steps", options.steps);
  visit("batch_size", options.batch_size);
  visit("label_smoothing", options.label_smoothing);
  visit("clip_norm", options.clip_norm);
  visit("seed", options.seed);
  visit("causal_mask", options.causal_mask);
  visit("target", options.target, 2);
  visit("evaluate_every", options.evaluate_every);
  visit("evaluated", options.evaluated);
}

}  // namespace attn::training
