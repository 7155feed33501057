#include "nn/mask.h"

namespace attn::nn {
namespace {

std::vector<std::uint8_t> inverted(std::span<const std::uint8_t> blocked) {
  std::vector<std::uint8_t> visible(blocked.size());
  for (std::size_t i = 0; i < blocked.size(); ++i) visible[i] = blocked[i] == 0 ? 1 : 0;
  return visible;
}

}  // namespace

Mask Mask::causal() {
  Mask mask;
  mask.causal_ = true;
  return mask;
}

Mask Mask::keys(std::span<const std::uint8_t> visible) {
  Mask mask;
  mask.grids_.push_back({{visible.begin(), visible.end()}, 0, static_cast<int>(visible.size())});
  return mask;
}

Mask Mask::matrix(std::span<const std::uint8_t> visible, int queries, int keys) {
  ATTN_CHECK(queries > 0 && keys >= 0);
  ATTN_CHECK(visible.size() == static_cast<std::size_t>(queries) * static_cast<std::size_t>(keys));
  Mask mask;
  mask.grids_.push_back({{visible.begin(), visible.end()}, queries, keys});
  return mask;
}

Mask Mask::from_pytorch_key_padding(std::span<const std::uint8_t> blocked) { return keys(inverted(blocked)); }

Mask Mask::from_pytorch_bool(std::span<const std::uint8_t> blocked, int queries, int keys) {
  return matrix(inverted(blocked), queries, keys);
}

Mask Mask::and_also(const Mask& other) const {
  Mask both = *this;
  both.causal_ = causal_ || other.causal_;
  both.grids_.insert(both.grids_.end(), other.grids_.begin(), other.grids_.end());
  return both;
}

bool Mask::may_see(int query, int key) const {
  if (causal_ && key > query) return false;
  for (const Grid& grid : grids_) {
    if (key >= grid.keys) return false;
    if (grid.queries > 0 && query >= grid.queries) return false;
    const int row = grid.queries > 0 ? query : 0;
    if (grid.visible[static_cast<std::size_t>(row) * static_cast<std::size_t>(grid.keys) +
                     static_cast<std::size_t>(key)] == 0)
      return false;
  }
  return true;
}

core::Tensor Mask::materialise(int queries, int keys) const {
  core::Tensor tensor(core::Shape{queries, keys});
  write(tensor.flat(), queries, keys);
  return tensor;
}

void Mask::write(std::span<float> values, int queries, int keys) const {
  ATTN_CHECK(values.size() == static_cast<std::size_t>(queries) * static_cast<std::size_t>(keys));
  float* value = values.data();
  for (int i = 0; i < queries; ++i)
    for (int j = 0; j < keys; ++j) *value++ = may_see(i, j) ? 1.0f : 0.0f;
}

}  // namespace attn::nn
