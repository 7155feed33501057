// The model of `teacher-forcing`: its passes, and a few steps of training.
#pragma once

#include "kernels/cross_entropy.h"
#include "lessons/teacher_forcing/experiment.h"
#include "nn/transformer.h"

namespace attn::lessons::teacher_forcing {

/// An untrained model, and how its like fared in training.
struct Models {
  int seed = 0;
  int training_steps = 0;
  nn::Transformer model;
  Training shifted, copying;
};

std::shared_ptr<const Models> models_of(int seed, int training_steps, const Run* previous);

/// The whole model on "I love you" and these decoder inputs → logits (T, kVocabulary).
tape::Value record_logits(tape::Tape& tape, const nn::Transformer& model, std::span<const int> fed,
                          nn::Mask mask);

/// The cross-entropy of logits against token ids; answers of <pad> count for nothing.
tape::Value record_losses(tape::Tape& tape, tape::Value logits, tape::Value asked,
                          kernels::Reduction reduction, const tape::Label& label);

/// Token ids as a leaf.
tape::Value record_tokens(tape::Tape& tape, std::span<const int> tokens, const tape::Label& label);

/// <bos> 我 爱 你 <eos> with `pads` times <pad> after it.
Sentence sentence_of(int pads, bool shifted);

/// Some steps of Adam on this sentence, from the model of this seed on, then greedy decoding.
Training train(int seed, const Sentence& sentence, int steps);

}  // namespace attn::lessons::teacher_forcing
