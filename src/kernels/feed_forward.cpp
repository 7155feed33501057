#include "kernels/feed_forward.h"

#include <algorithm>

#include "core/check.h"
#include "kernels/activation.h"
#include "kernels/product.h"

namespace attn::kernels {
namespace {

constexpr int kBlockFloats = 4096;
constexpr int kFewestColumns = 64;

/// Hidden columns in a block: few enough for the first-level cache, but so many that the second product's
/// sums are seldom interrupted. A multiple of kPanelColumns.
int block_columns(int rows) {
  return std::clamp(kBlockFloats / std::max(rows, 1), kFewestColumns, 512) / kPanelColumns * kPanelColumns;
}

}  // namespace

std::size_t feed_forward_scratch(int rows) {
  return static_cast<std::size_t>(std::max(kBlockFloats, rows * kFewestColumns));
}

void feed_forward(core::ConstMatrix x, const FeedForwardFactors& factors, HiddenActivation activation,
                  std::span<float> scratch, core::Matrix out) {
  const int width = factors.weight1.columns;
  ATTN_CHECK(x.columns == factors.weight1.rows && width == factors.weight2.rows && width > 0);
  ATTN_CHECK(out.rows == x.rows && out.columns == factors.weight2.columns);
  ATTN_CHECK(static_cast<int>(factors.bias1.size()) == width);
  ATTN_CHECK(static_cast<int>(factors.bias2.size()) == out.columns);
  ATTN_CHECK(scratch.size() >= feed_forward_scratch(x.rows));
  const int block = block_columns(x.rows);
  for (int first = 0; first < width; first += block) {
    const int count = std::min(block, width - first);
    const core::Matrix hidden{scratch.data(), x.rows, count, count};
    Panels columns = panels_of(factors.weight1);
    columns.values = columns.panel(first / kPanelColumns);
    multiply_panels({.a = x,
                     .b = columns,
                     .out = hidden,
                     .columns = count,
                     .bias = factors.bias1.data() + first,
                     .relu = activation == HiddenActivation::relu});
    if (activation == HiddenActivation::gelu) {
      const std::span<float> all =
          scratch.first(static_cast<std::size_t>(x.rows) * static_cast<std::size_t>(count));
      gelu(all, all);
    }
    Panels rows = panels_of(factors.weight2, first);
    rows.depth = count;
    multiply_panels({.a = hidden,
                     .b = rows,
                     .out = out,
                     .columns = out.columns,
                     .bias = first + count == width ? factors.bias2.data() : nullptr,
                     .continues = first > 0});
  }
}

}  // namespace attn::kernels
