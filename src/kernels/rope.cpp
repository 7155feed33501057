#include "kernels/rope.h"

#include <algorithm>

#include "core/check.h"
#include "kernels/each_element.h"

namespace attn::kernels {
namespace {

void check_shapes(core::ConstMatrix x, core::ConstMatrix cosines, core::ConstMatrix sines, core::Matrix out) {
  ATTN_CHECK(out.rows == x.rows && out.columns == x.columns);
  ATTN_CHECK(cosines.rows == x.rows && sines.rows == x.rows && cosines.columns == sines.columns);
  ATTN_CHECK(2 * cosines.columns <= x.columns);
}

}  // namespace

void rope(core::ConstMatrix x, core::ConstMatrix cosines, core::ConstMatrix sines, RotaryLayout layout,
          core::Matrix out) {
  check_shapes(x, cosines, sines, out);
  const int half = cosines.columns;
  for (int row = 0; row < x.rows; ++row) {
    const float* from = x.row(row);
    const float* cosine = cosines.row(row);
    const float* sine = sines.row(row);
    float* to = out.row(row);
    if (layout == RotaryLayout::halves) {
      for_each_vector(half, [&](auto get, auto put, int i) {
        const F32x4 a = get(from + i);
        const F32x4 b = get(from + half + i);
        put(to + i, a * get(cosine + i) - b * get(sine + i));
        put(to + half + i, a * get(sine + i) + b * get(cosine + i));
      });
    } else {
      for (int i = 0; i < half; ++i) {
        const float a = from[2 * i];
        const float b = from[2 * i + 1];
        to[2 * i] = a * cosine[i] - b * sine[i];
        to[2 * i + 1] = a * sine[i] + b * cosine[i];
      }
    }
    if (to != from) std::copy(from + 2 * half, from + x.columns, to + 2 * half);
  }
}

void rope_backward(core::ConstMatrix dy, core::ConstMatrix cosines, core::ConstMatrix sines,
                   RotaryLayout layout, core::Matrix dx) {
  check_shapes(dy, cosines, sines, dx);
  const int half = cosines.columns;
  for (int row = 0; row < dy.rows; ++row) {
    const float* from = dy.row(row);
    const float* cosine = cosines.row(row);
    const float* sine = sines.row(row);
    float* to = dx.row(row);
    if (layout == RotaryLayout::halves) {
      for_each_vector(half, [&](auto get, auto put, int i) {
        const F32x4 a = get(from + i);
        const F32x4 b = get(from + half + i);
        put(to + i, get(to + i) + (a * get(cosine + i) + b * get(sine + i)));
        put(to + half + i, get(to + half + i) + (b * get(cosine + i) - a * get(sine + i)));
      });
    } else {
      for (int i = 0; i < half; ++i) {
        const float a = from[2 * i];
        const float b = from[2 * i + 1];
        to[2 * i] += a * cosine[i] + b * sine[i];
        to[2 * i + 1] += b * cosine[i] - a * sine[i];
      }
    }
    for (int j = 2 * half; j < dy.columns; ++j) to[j] += from[j];
  }
}

}  // namespace attn::kernels
