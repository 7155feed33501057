// A decoder-only model's step with a cache, recorded on a tape: what nn::decode does with nn::KvCache, but so
// that it can be looked at and counted. Post-norm, no dropout.
#pragma once

#include <vector>

#include "nn/mask.h"
#include "nn/parameters.h"
#include "tape/tape.h"

namespace attn::lessons::kv_cache {

/// Keys and values (H, P, d) of one layer, on the tape of the steps; not valid() before the first step.
struct Past {
  tape::Value key;
  tape::Value value;
};

/// The next rows: x (T, d_model), each layer's past (P positions) → output (T, d_model); `past` then has
/// P + T positions. `mask` is asked about T queries and P + T keys, both counted from 0: a corner is the
/// caller's choice. Labels are "model.<layer>.…".
tape::Value decode_with_past(tape::Tape& tape, const nn::Transformer& model, tape::Value x,
                             const nn::Mask& mask, std::vector<Past>& past);

}  // namespace attn::lessons::kv_cache
