// One element's step of Adam once more, for float and double: see kernels/reference.h and kernels/adam.h.
#pragma once

#include <cmath>

namespace attn::kernels::reference {

template <class Scalar>
struct AdamElement {
  Scalar parameter = 0;
  Scalar first = 0;
  Scalar second = 0;
  Scalar largest = 0;
};

template <class Scalar, class Update>
void adam_update(const Update& update, Scalar gradient, bool amsgrad, AdamElement<Scalar>& element) {
  const auto number = [](auto value) { return static_cast<Scalar>(value); };
  Scalar g = gradient;
  if (number(update.l2) != 0) g = g + number(update.l2) * element.parameter;
  Scalar p = element.parameter;
  if (number(update.keep_before) != 1) p = p * number(update.keep_before);
  element.first = number(update.beta1) * element.first + number(update.one_minus_beta1) * g;
  element.second = number(update.beta2) * element.second + (number(update.one_minus_beta2) * g) * g;
  if (amsgrad && element.largest < element.second) element.largest = element.second;
  const Scalar u = amsgrad ? element.largest : element.second;
  const Scalar denominator = std::sqrt(u) / number(update.root_divisor) + number(update.epsilon);
  p = p - (number(update.step_size) * element.first) / denominator;
  if (number(update.keep_after) != 1) p = p * number(update.keep_after);
  element.parameter = p;
}

}  // namespace attn::kernels::reference
