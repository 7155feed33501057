// Masks are predicates (contract C3): a Mask answers "may query i see key j". No -inf and no -1e9 in here;
// other projects' conventions are converted at the border by the functions that name them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/tensor.h"

namespace attn::nn {

class Mask {
 public:
  /// Every query sees every key.
  static Mask none() { return Mask(); }

  /// Query i sees key j exactly when j <= i: the triangle of Vaswani et al. 2017, §3.2.3, corner at the top
  /// left.
  static Mask causal();

  /// Only keys j with visible[j] != 0 are seen, whoever asks; keys beyond the list are not seen.
  static Mask keys(std::span<const std::uint8_t> visible);

  /// Any matrix of answers, row-major (queries, keys), nonzero = may see; pairs beyond it are not seen.
  static Mask matrix(std::span<const std::uint8_t> visible, int queries, int keys);

  /// PyTorch nn.MultiheadAttention / nn.Transformer boolean masks say the opposite: true = blocked.
  static Mask from_pytorch_key_padding(std::span<const std::uint8_t> blocked);
  static Mask from_pytorch_bool(std::span<const std::uint8_t> blocked, int queries, int keys);

  /// A pair is seen when both masks allow it (logic, never a sum of large negative numbers).
  Mask and_also(const Mask& other) const;

  bool may_see(int query, int key) const;

  /// (queries, keys): 1 where may_see, 0 elsewhere.
  core::Tensor materialise(int queries, int keys) const;

  /// The same into memory of the caller's; its size must be queries·keys.
  void write(std::span<float> values, int queries, int keys) const;

 private:
  struct Grid {
    std::vector<std::uint8_t> visible;
    int queries = 0;  // 0: the row applies to every query
    int keys = 0;
  };

  bool causal_ = false;
  std::vector<Grid> grids_;
};

}  // namespace attn::nn
