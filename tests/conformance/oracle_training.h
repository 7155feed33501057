// Training of the oracle's models: the loss over labels, its gradients, and Adam's steps.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "conformance/array.h"
#include "conformance/judge.h"
#include "conformance/oracle_file.h"
#include "nn/transformer.h"

namespace attn::conformance {

/// What is trained and how. `record` records a pass of a model and returns the decoder's output.
struct Training {
  std::function<tape::Value(tape::Tape&, const nn::Transformer&)> record;
  std::vector<int> labels;  // (B·T)
  int ignore_index = -100;
  double label_smoothing = 0.0;
  double learning_rate = 1e-3;
  std::array<double, 2> betas = {0.9, 0.999};
  double epsilon = 1e-8;
  std::vector<double> losses;  // before each step, then after the last; empty: not known
};

/// Learning rate, betas and epsilon from {"lr", "betas", "eps"}.
void read_adam(const Json& adam, Training& training);

/// Labels as targets; malformed when one is neither a class nor ignored.
std::vector<int> labels_of(const OracleFile& oracle, const nn::Transformer& model, int ignore_index);

/// Compares the loss and "<prefix><parameter>" of every parameter with the file.
void expect_gradients(Judge& judge, const OracleFile& oracle, const std::string& prefix,
                      const nn::Transformer& model, const Training& training);

/// Makes Adam's steps and compares the parameters after step n with "<prefix of n><parameter>" for each n in
/// `prefixes`, and the losses on the way. `gradients` are PyTorch's of the first step, by the same names:
/// where they are 0 but for rounding, Adam turns the rounding into steps of up to the learning rate, and only
/// that bound is checked.
void expect_adam_steps(Judge& judge, const OracleFile& oracle, const std::map<int, std::string>& prefixes,
                       const std::map<std::string, Array>& gradients, nn::Transformer& model,
                       const Training& training);

/// PyTorch's name of one of our parameters: all but the embedding lie below "transformer.".
std::string torch_name(std::string_view name);

}  // namespace attn::conformance
