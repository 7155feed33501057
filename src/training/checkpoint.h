// A Trainer as a safetensors file, and back: what is loaded goes on to the same bits as if it had never
// stopped. Model and config as in io/model_file.h; "options.<field>"; "adam.first.<parameter>",
// "adam.second.<parameter>", "adam.largest.<parameter>" (AMSGrad), "adam.beta1_power", "adam.beta2_power";
// "history" (steps, 3): loss, gradient norm, learning rate; "evaluations" (count, 3): step, examples, exact.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/result.h"
#include "training/trainer.h"

namespace attn::training {

/// The state after the last whole step; work on a step that has begun is not in it and is done again.
std::vector<std::uint8_t> save_checkpoint(const Trainer& trainer);

/// Error: not a checkpoint, a field or tensor that is missing or of another shape, options that
/// validate(TrainerOptions) refuses, or a model of another task's vocabularies: what and where.
core::Result<Trainer> load_checkpoint(std::span<const std::uint8_t> file, std::shared_ptr<const Task> task);

}  // namespace attn::training
