#include "conformance/torch_masks.h"

#include "conformance/errors.h"

namespace attn::conformance {
namespace {

std::vector<std::uint8_t> flags_of(const Array& mask) { return {mask.values.begin(), mask.values.end()}; }

}  // namespace

nn::FloatMask torch_attention_mask(const Array& mask, int batch, int n_heads) {
  const bool one_for_all = mask.rank() == 2;
  CONFORMANCE_REQUIRE(one_for_all || (mask.rank() == 3 && mask.extents[0] == batch * n_heads),
                      "a mask of shape %s for %d sequences and %d heads", to_string(mask.extents).c_str(),
                      batch, n_heads);
  const int queries = mask.extents[mask.extents.size() - 2];
  const int keys = mask.extents.back();
  if (mask.is_bool())
    return {one_for_all ? nn::Mask::from_pytorch_bool(flags_of(mask), queries, keys)
                        : nn::Mask::from_pytorch_bool(flags_of(mask), batch, n_heads, queries, keys),
            {}};
  const FloatArray added = floats_of(mask, "mask");
  return nn::split_float_mask(
      one_for_all ? added.view() : added.view_as(core::Shape{batch, n_heads, queries, keys}), keys);
}

nn::FloatMask torch_key_padding_mask(const Array& mask, int batch) {
  CONFORMANCE_REQUIRE(mask.rank() == 1 || (mask.rank() == 2 && mask.extents[0] == batch),
                      "a key padding mask of shape %s for %d sequences", to_string(mask.extents).c_str(),
                      batch);
  const int keys = mask.extents.back();
  const int rows = mask.rank() == 1 ? 1 : batch;
  if (mask.is_bool())
    return {rows == 1 ? nn::Mask::from_pytorch_key_padding(flags_of(mask))
                      : nn::Mask::from_pytorch_key_padding(flags_of(mask), rows, keys),
            {}};
  const FloatArray added = floats_of(mask, "key padding mask");
  return nn::split_float_mask(added.view_as(core::Shape{rows, 1, 1, keys}), keys);
}

TorchMask torch_mask(const TorchMaskRequest& request) {
  TorchMask result;
  const auto take = [&](nn::FloatMask mask) {
    result.visible = result.visible.and_also(mask.visible);
    if (mask.bias.size() == 0) return;
    FloatArray bias(mask.bias.view());
    if (result.bias.values.empty()) {
      result.bias = std::move(bias);
      return;
    }
    const Extents full = {request.batch, request.n_heads, request.queries, request.keys};
    result.bias = broadcast_to(result.bias, full);
    const FloatArray more = broadcast_to(bias, full);
    for (std::size_t i = 0; i < more.values.size(); ++i) result.bias.values[i] += more.values[i];
  };
  const auto check = [&](const Array& mask, int queries) {
    CONFORMANCE_REQUIRE(mask.rank() >= 1 && mask.extents.back() == request.keys,
                        "a mask of shape %s for %d keys", to_string(mask.extents).c_str(), request.keys);
    CONFORMANCE_REQUIRE(
        queries == 0 || (mask.rank() >= 2 && mask.extents[mask.extents.size() - 2] == queries),
        "a mask of shape %s for %d queries", to_string(mask.extents).c_str(), queries);
  };
  if (request.pairs != nullptr) {
    check(*request.pairs, request.queries);
    take(torch_attention_mask(*request.pairs, request.batch, request.n_heads));
  }
  if (request.padding != nullptr) {
    check(*request.padding, 0);
    take(torch_key_padding_mask(*request.padding, request.batch));
  }
  for (int b = 0; b < request.batch; ++b)
    for (int h = 0; h < request.n_heads; ++h)
      for (int i = 0; i < request.queries; ++i) {
        bool any = false;
        for (int j = 0; j < request.keys; ++j) any = any || result.visible.may_see(b, h, i, j);
        result.has_empty_row = result.has_empty_row || !any;
      }
  return result;
}

}  // namespace attn::conformance
