#include "nn/kv_cache.h"

#include <algorithm>
#include <cstddef>

#include "core/check.h"

namespace attn::nn {
namespace {

void enlarge(KeysAndValues& store, std::size_t floats) {
  if (store.keys.size() >= floats) return;
  store.keys.resize(floats);
  store.values.resize(floats);
}

}  // namespace

KvCache::KvCache(const TransformerConfig& config)
    : heads_{config.n_heads, config.d_model / config.n_heads},
      self_(static_cast<std::size_t>(config.n_decoder_layers)),
      cross_(has_cross_attention(config) ? self_.size() : 0) {
  ATTN_CHECK(has_decoder(config));
}

void KvCache::roll_back(int length) {
  ATTN_CHECK(length >= 0 && length <= length_);
  length_ = length;
}

void KvCache::reserve(int positions) {
  if (positions <= capacity_) return;
  capacity_ = positions;
  for (KeysAndValues& store : self_) enlarge(store, kernels::attention_store_size(heads_, capacity_));
}

void KvCache::make_room(int count) {
  ATTN_CHECK(count >= 0);
  constexpr int kSmallest = 16;
  const int needed = length_ + count;
  if (needed > capacity_) reserve(std::max({needed, 2 * capacity_, kSmallest}));
}

void KvCache::advance(int count) {
  ATTN_CHECK(count >= 0 && length_ + count <= capacity_);
  length_ += count;
}

void KvCache::replace_memory(int rows) {
  ATTN_CHECK(rows >= 0 && !cross_.empty());
  memory_length_ = rows;
  for (KeysAndValues& store : cross_) enlarge(store, kernels::attention_store_size(heads_, rows));
}

}  // namespace attn::nn
