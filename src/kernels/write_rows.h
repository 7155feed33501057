// Writing rows into a cache of fixed length: the plain one that fills up, and the rolling one that overwrites
// its oldest rows and so never holds more than a window (Jiang et al. 2023, Mistral 7B, section 2; ONNX
// TensorScatter). A copy, exact.
#pragma once

#include <cstdint>

#include "core/tensor.h"

namespace attn::kernels {

/// What happens to rows beyond the end of the cache.
enum class CacheEnd : std::uint8_t {
  fixed,    // there may be none
  rolling,  // they go on at row 0
};

/// Row `first` + i of `cache` becomes row i of `rows`; rolling, that is row (first + i) mod cache.rows, and
/// the later of two rows that meet stays. rows (L, d), cache (S, d), 0 <= first, and first + L <= S for a
/// fixed end, first < S for a rolling one. Other rows stay as they are. `rows` must not overlap `cache`.
void write_rows(core::ConstMatrix rows, int first, CacheEnd end, core::Matrix cache);

}  // namespace attn::kernels
