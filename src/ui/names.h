// What tensors, blocks and layers are called on screen.
#pragma once

#include <string>

#include "core/shape.h"
#include "lessons/text.h"
#include "tape/label.h"

namespace attn::ui {

/// "Decoder layer 1 · self-attention"; the stack alone outside its layers.
std::string place_name(const tape::Label& label, lessons::Language language);

/// "Decoder layer 1 · self-attention · head 1 · scores (8, 5, 5)"; no head when there is one only.
std::string tensor_title(const tape::Label& label, int head, int heads, const core::Shape& shape,
                         lessons::Language language);

/// Short, for narrow places: "decoder 1 · scores".
std::string short_title(const tape::Label& label, lessons::Language language);

/// The row name in the tensor map: q, k, v, scores, …
std::string row_name(tape::Site site);

}  // namespace attn::ui
