// The adapters for the kinds of case in ops.json (oracle) and literals.json (other projects).
#pragma once

#include "conformance/literal_case.h"

namespace attn::conformance {

/// Kinds may end in "_forward" or "_backward_of_sum": y alone, or the gradient of sum(y) alone. The adapter
/// is given the kind without it and compares whatever the case expects.
using KindAdapter = void (*)(LiteralCase&);

// kind_activations.cpp
void kind_relu(LiteralCase& each);
void kind_gelu_erf(LiteralCase& each);
void kind_gelu_tanh(LiteralCase& each);
void kind_sigmoid(LiteralCase& each);
void kind_silu(LiteralCase& each);
void kind_tanh(LiteralCase& each);

// kind_softmax.cpp
void kind_softmax(LiteralCase& each);
void kind_log_softmax(LiteralCase& each);

// kind_layer_norm.cpp
void kind_layer_norm(LiteralCase& each);

// kind_attention.cpp
void kind_attention(LiteralCase& each);

// kind_multi_head_attention.cpp
void kind_multi_head_attention(LiteralCase& each);

// kind_cross_entropy.cpp
void kind_cross_entropy(LiteralCase& each);
void kind_label_smoothing_targets(LiteralCase& each);

// kind_positions.cpp
void kind_sinusoidal_positions(LiteralCase& each);

// kind_graph.cpp
void kind_autograd_chain(LiteralCase& each);

// kind_adam.cpp
void kind_adam(LiteralCase& each);

}  // namespace attn::conformance
