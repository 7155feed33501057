// Labels in words: where a tensor stands, as a sentence would say it.
#pragma once

#include "lessons/text.h"
#include "tape/label.h"

namespace attn::lessons {

/// "decoder layer 1 · self-attention · weights" / "解码器第 1 层 · 自注意力 · weights". Layers are counted
/// from 1, as readers count; tensor names stay the field's.
RunText place_of(const tape::Label& label);

}  // namespace attn::lessons
