// PyTorch's masks as ours: bool true = blocked, float = added (−inf blocks).
#pragma once

#include "conformance/array.h"
#include "nn/mask.h"

namespace attn::conformance {

/// attn_mask, src_mask, tgt_mask, memory_mask: (T, S) or (B·H, T, S), bool or float.
nn::FloatMask torch_attention_mask(const Array& mask, int batch, int n_heads);

/// *_key_padding_mask: (B, S) or (S), bool or float.
nn::FloatMask torch_key_padding_mask(const Array& mask, int batch);

/// The two masks of one attention, null where there is none, and the sizes they serve.
struct TorchMaskRequest {
  const Array* pairs = nullptr;
  const Array* padding = nullptr;
  int batch = 1;
  int n_heads = 1;
  int queries = 1;
  int keys = 1;
};

/// Both put together.
struct TorchMask {
  nn::Mask visible;
  FloatArray bias;             // broadcast to (B, H, T, S); no values when there is none
  bool has_empty_row = false;  // some query sees nothing

  /// Null values when there is no bias.
  core::TensorView bias_view() const { return bias.values.empty() ? core::TensorView{} : bias.view(); }
};

TorchMask torch_mask(const TorchMaskRequest& request);

}  // namespace attn::conformance
