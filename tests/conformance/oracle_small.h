// One file of the oracle's small models: its settings and inputs, and a pass over them.
#pragma once

#include <memory>
#include <vector>

#include "conformance/oracle_models.h"
#include "conformance/oracle_training.h"
#include "conformance/torch_masks.h"

namespace attn::conformance {

class SmallModel {
 public:
  explicit SmallModel(std::shared_ptr<const OracleFile> oracle);

  bool norm_first() const { return settings_.norm_first; }
  nn::Transformer& model() { return model_; }
  const nn::Transformer& model() const { return model_; }

  /// Records a pass of a model over the file's tokens under its masks; returns the decoder's output.
  tape::Value record(tape::Tape& tape, const nn::Transformer& model) const;

  /// How the file's gradients and steps were made. Points into this object.
  Training training() const;

 private:
  TorchMask mask(const char* pairs, const char* padding, const OracleTokens& queries,
                 const OracleTokens& keys) const;

  std::shared_ptr<const OracleFile> oracle_;
  Json config_;  // the metadata "config"
  OracleSettings settings_;
  nn::Transformer model_;
  OracleTokens source_, target_;
  TorchMask masks_[3];  // source, target, memory
};

}  // namespace attn::conformance
