// The tensors of a tape under the module names of torch.nn.Transformer.
#pragma once

#include <optional>
#include <string_view>

#include "conformance/judge.h"
#include "conformance/oracle_file.h"
#include "tape/tape.h"

namespace attn::conformance {

/// What PyTorch's module `path` ("transformer.decoder.layers.3.norm2") computes, as our label.
std::optional<tape::Label> label_of_module(std::string_view path, bool norm_first);

/// The tensor with this label; one that is not on the tape is malformed.
core::TensorView tensor_at(const tape::Tape& tape, const tape::Label& label);

/// The results of a forward pass.
core::TensorView output_of(const tape::Tape& tape);
core::TensorView memory_of(const tape::Tape& tape);

/// Compares every "<prefix>act/<module>" and "<prefix>attn_weights/<module>" of the file with the tape of a
/// batch. A module without a label is malformed. Returns how many there were.
int expect_activations(Judge& judge, const OracleFile& oracle, std::string_view prefix,
                       const tape::Tape& tape, bool norm_first, Tolerance tolerance);

}  // namespace attn::conformance
