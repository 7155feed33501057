// The tensors of a tape under the module names of torch.nn.Transformer, compared with PyTorch's.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "support/oracle.h"
#include "tape/tape.h"

namespace attn::test {

/// The largest error of several comparisons, and how many there were.
struct Tally {
  LargestError worst;
  std::string where = "nothing";
  int tensors = 0;

  void add(const std::string& name, core::TensorView actual, std::span<const double> expected);
  std::string text() const { return where + ": " + worst.text; }
};

/// The results of a forward pass. A tensor that is not on the tape fails the running test.
core::TensorView output_of(const tape::Tape& tape);
core::TensorView memory_of(const tape::Tape& tape);

/// What PyTorch's module `path` ("transformer.decoder.layers.3.norm2") computes, as our label.
std::optional<tape::Label> label_of_module(std::string_view path, bool norm_first);

/// Compares every "<prefix>act/<module>" and "<prefix>attn_weights/<module>" of `oracle` with the tape, for
/// sequence `index` of a batch of `batch`. A module without a label fails the running test.
void add_activations(Tally& tally, const Oracle& oracle, std::string_view prefix, const tape::Tape& tape,
                     bool norm_first, std::size_t index, std::size_t batch);

}  // namespace attn::test
