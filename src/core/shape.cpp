#include "core/shape.h"

namespace attn::core {

std::string to_string(const Shape& shape) {
  std::string text = "(";
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (axis > 0) text += ", ";
    text += std::to_string(shape[axis]);
  }
  return text + ")";
}

}  // namespace attn::core
