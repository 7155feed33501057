// The adapters from ONNX operators to functions of the engine: layouts and names are converted here, numbers
// are computed there. Operator definitions: github.com/onnx/onnx, docs/Operators.md.
#pragma once

#include "conformance/onnx_case.h"

namespace attn::conformance {

// onnx_elementwise.cpp
OnnxOutputs onnx_relu(OnnxNode& node);
OnnxOutputs onnx_erf(OnnxNode& node);
OnnxOutputs onnx_gelu(OnnxNode& node);
OnnxOutputs onnx_tanh(OnnxNode& node);
OnnxOutputs onnx_sigmoid(OnnxNode& node);
OnnxOutputs onnx_swish(OnnxNode& node);

// onnx_softmax.cpp
OnnxOutputs onnx_softmax(OnnxNode& node);
OnnxOutputs onnx_log_softmax(OnnxNode& node);

// onnx_norm.cpp
OnnxOutputs onnx_layer_normalization(OnnxNode& node);
OnnxOutputs onnx_rms_normalization(OnnxNode& node);

// onnx_products.cpp
OnnxOutputs onnx_matmul(OnnxNode& node);
OnnxOutputs onnx_gemm(OnnxNode& node);

// onnx_indexed.cpp
OnnxOutputs onnx_gather(OnnxNode& node);
OnnxOutputs onnx_tensor_scatter(OnnxNode& node);

// onnx_rotary.cpp
OnnxOutputs onnx_rotary_embedding(OnnxNode& node);

// onnx_attention.cpp
OnnxOutputs onnx_attention(OnnxNode& node);

// onnx_loss.cpp
OnnxOutputs onnx_softmax_cross_entropy_loss(OnnxNode& node);
OnnxOutputs onnx_negative_log_likelihood_loss(OnnxNode& node);

// onnx_adam.cpp
OnnxOutputs onnx_adam(OnnxNode& node);

}  // namespace attn::conformance
