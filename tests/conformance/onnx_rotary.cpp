// RotaryEmbedding.
#include <algorithm>

#include "conformance/errors.h"
#include "conformance/onnx_adapters.h"
#include "kernels/rope.h"

namespace attn::conformance {
namespace {

enum Input { kX, kCosines, kSines, kPositions };

/// The layout of x: (B, H, T, d), or (B, T, H·d) with the heads side by side.
struct Layout {
  int batch, heads, length, width;
  std::ptrdiff_t batch_step, head_step;
  int row_step;
};

Layout layout_of(const Extents& extents, int n_heads) {
  if (extents.size() == 4) {
    const int length = extents[2], width = extents[3];
    return {extents[0], extents[1], length, width, extents[1] * length * width, length * width, width};
  }
  CONFORMANCE_REQUIRE(extents.size() == 3 && n_heads > 0 && extents[2] % n_heads == 0,
                      "input of shape %s with %d heads", to_string(extents).c_str(), n_heads);
  const int width = extents[2] / n_heads;
  return {extents[0], n_heads, extents[1], width, extents[1] * extents[2], width, extents[2]};
}

/// The rows of a cache for every position of the batch: (B, T, R/2).
FloatArray rows_for(OnnxNode& node, int position, const Layout& layout) {
  FloatArray cache = node.floats(position);
  const int width = cache.extents.empty() ? 0 : cache.extents.back();
  if (!node.has(kPositions)) {
    CONFORMANCE_REQUIRE((cache.extents == Extents{layout.batch, layout.length, width}),
                        "a cache of shape %s without position_ids", to_string(cache.extents).c_str());
    return cache;
  }
  CONFORMANCE_REQUIRE(cache.extents.size() == 2, "a cache of shape %s", to_string(cache.extents).c_str());
  CONFORMANCE_REQUIRE((node.input(kPositions).extents == Extents{layout.batch, layout.length}),
                      "position_ids of shape %s", to_string(node.input(kPositions).extents).c_str());
  FloatArray rows(Extents{layout.batch, layout.length, width});
  auto to = rows.values.begin();
  for (const int id : node.ints(kPositions)) {
    CONFORMANCE_REQUIRE(id >= 0 && id < cache.extents[0], "position %d of %d", id, cache.extents[0]);
    to = std::copy_n(cache.values.begin() + static_cast<std::ptrdiff_t>(id) * width, width, to);
  }
  return rows;
}

}  // namespace

OnnxOutputs onnx_rotary_embedding(OnnxNode& node) {
  const bool interleaved = node.int_attribute("interleaved", 0) != 0;
  const int n_heads = node.int_attribute("num_heads", 0);
  const int rotary_width = node.int_attribute("rotary_embedding_dim", 0);
  node.no_other_attributes();
  const FloatArray x = node.floats(kX);
  const Layout layout = layout_of(x.extents, n_heads);
  const FloatArray cosines = rows_for(node, kCosines, layout);
  const FloatArray sines = rows_for(node, kSines, layout);
  const int pairs = cosines.extents.back();
  const int turned = rotary_width == 0 ? layout.width : rotary_width;
  CONFORMANCE_REQUIRE(cosines.extents == sines.extents && 2 * pairs == turned && turned <= layout.width,
                      "caches of shapes %s and %s for %d of %d features", to_string(cosines.extents).c_str(),
                      to_string(sines.extents).c_str(), turned, layout.width);

  FloatArray y(x.extents);
  for (int b = 0; b < layout.batch; ++b) {
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(b) * layout.length * pairs;
    const core::ConstMatrix cosine_rows{cosines.values.data() + row, layout.length, pairs, pairs};
    const core::ConstMatrix sine_rows{sines.values.data() + row, layout.length, pairs, pairs};
    for (int h = 0; h < layout.heads; ++h) {
      const std::ptrdiff_t first = b * layout.batch_step + h * layout.head_step;
      kernels::rope({x.values.data() + first, layout.length, layout.width, layout.row_step}, cosine_rows,
                    sine_rows,
                    interleaved ? kernels::RotaryLayout::interleaved : kernels::RotaryLayout::halves,
                    {y.values.data() + first, layout.length, layout.width, layout.row_step});
    }
  }
  return {y};
}

}  // namespace attn::conformance
