// Compiles and links a pair of shaders from shaders/*.glsl, whose text has no version line.
#pragma once

#include "core/result.h"

namespace attn::gfx {

/// Returns the program's GL name; the caller deletes it. The version line put in front is `#version 300 es`
/// with highp floats and ints, or `#version 330 core` on a desktop. On failure: the stage and the driver's
/// message.
core::Result<unsigned> link_program(const char* vertex_text, const char* fragment_text);

}  // namespace attn::gfx
