// What tells a model where a token stands: sinusoidal tables to be added to embeddings, and the cosines and
// sines that rotary embeddings (kernels/rope.h) turn queries and keys by. Learned positions need nothing of
// their own: they are rows of a table (tape::lookup).
//
// A row depends on its position alone, so position t has the same bits in a table of any length and in a
// cached step (contract C1). Angles are computed in double with the functions of kernels/scalar_math.h and
// their sine and cosine rounded once to float: the error is half an ulp of float, plus angle * 2^-52 for
// angles that are large. Positions beyond 2^20 give NaN (kernels::kLargestAngle).
#pragma once

#include <cstdint>
#include <span>

#include "core/tensor.h"

namespace attn::nn {

/// Where the sine and the cosine of frequency i stand in a row.
enum class SinusoidLayout : std::uint8_t {
  interleaved,  // columns 2i and 2i + 1: Vaswani et al. 2017
  halves,       // columns i and ceil(D/2) + i: tensor2tensor, fairseq, Marian, RoFormer
};

/// The frequencies, i = 0, 1, ...
enum class SinusoidFrequencies : std::uint8_t {
  paper,          // base^(-2i / D): from 1 towards 1/base, which is not reached
  tensor2tensor,  // base^(-i / (floor(D/2) - 1)): from 1 to 1/base itself; fairseq too
};

struct SinusoidOptions {
  SinusoidLayout layout = SinusoidLayout::interleaved;
  SinusoidFrequencies frequencies = SinusoidFrequencies::paper;
  double base = 10000.0;  // "max_timescale"; positive
};

/// Row r of `table` (rows, D) becomes the encoding of position `first` + r:
///
///   PE(pos, sine column of i) = sin(pos * f_i)      PE(pos, cosine column of i) = cos(pos * f_i)
///
/// An odd width D has ceil(D/2) sines and floor(D/2) cosines; with tensor2tensor's frequencies floor(D/2) of
/// both and a last column of 0, as there. (One frequency: 1.) Source: Vaswani et al. 2017, section 3.5;
/// tensor2tensor layers/common_attention.py, get_timing_signal_1d.
void fill_sinusoids(int first, const SinusoidOptions& options, core::Matrix table);

/// f_i of a table of that width, 0 <= i < ceil(width / 2); its wavelength is 2 pi / f_i positions.
double sinusoid_frequency(int i, int width, const SinusoidOptions& options);

/// Row r of `cosines` and `sines` (rows, R/2) becomes cos and sin of positions[r] * base^(-2i / R), i < R/2:
/// what kernels::rope turns the first R features of a head by. Positions are any whole numbers, repeated or
/// not in order (`position_ids` in ONNX). Source: Su et al. 2021 (RoFormer), equation 15.
void fill_rotary(std::span<const int> positions, double base, core::Matrix cosines, core::Matrix sines);

}  // namespace attn::nn
