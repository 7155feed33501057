// One step of Adam for one tensor, elementwise. nn/optimizer.h says what the numbers are; here is the
// arithmetic, in this order, every operation rounded once:
//
//   g  = gradient + l2 * p                     (l2 = 0: g = gradient)
//   p  = p * keep_before                       (keep_before = 1: not at all)
//   m  = beta1 * m + one_minus_beta1 * g
//   v  = beta2 * v + (one_minus_beta2 * g) * g
//   u  = max(u, v)                             (AMSGrad; otherwise u = v)
//   p  = p - (step_size * m) / (sqrt(u) / root_divisor + epsilon)
//   p  = p * keep_after                        (keep_after = 1: not at all)
//
// Element i depends on element i alone, so a step may be taken in parts of any size.
#pragma once

#include <span>

namespace attn::kernels {

struct AdamUpdate {
  float l2 = 0.0f;
  float keep_before = 1.0f;
  float beta1 = 0.9f;
  float one_minus_beta1 = 0.1f;
  float beta2 = 0.999f;
  float one_minus_beta2 = 0.001f;
  float step_size = 0.001f;
  float root_divisor = 1.0f;
  float epsilon = 1e-8f;
  float keep_after = 1.0f;
};

/// Updates p = `parameter`, m = `first`, v = `second` and u = `largest` in place. All of one size; `largest`
/// is empty without AMSGrad. Nothing may overlap.
void adam_update(const AdamUpdate& update, std::span<const float> gradient, std::span<float> parameter,
                 std::span<float> first, std::span<float> second, std::span<float> largest);

}  // namespace attn::kernels
