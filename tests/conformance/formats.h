// The formats the runner knows: each function turns one parsed file into cases. They throw Malformed for a
// file that promises a format and breaks it as a whole; a single broken case becomes a failing case.
#pragma once

#include <vector>

#include "conformance/case.h"
#include "conformance/json_tensor.h"

namespace attn::conformance {

/// One operator of ONNX on given inputs: onnx_case.cpp, adapters in onnx_*.cpp.
Case onnx_case(const SourceFile& file, const Json& document);

/// index.json of the ONNX cases: one case, that every file it names is there.
std::vector<Case> onnx_index_cases(const SourceFile& file, const Json& list);

/// PyTorch's encoder and decoder modules with literal expectations: torch_modules.cpp.
std::vector<Case> torch_module_cases(const SourceFile& file, const Json& document);

/// Facts asserted without numbers: torch_invariants.cpp.
std::vector<Case> torch_invariant_cases(const SourceFile& file, const Json& list);

/// Objects with "id", "kind", "params", "inputs" and "expected": operator cases of the oracle, whose arrays
/// are {dtype, shape, data}, and literals of other projects, whose arrays are nested lists: kinds.cpp.
std::vector<Case> literal_cases(const SourceFile& file, const Json& list);

/// A .safetensors file of the oracle: oracle_models.cpp.
std::vector<Case> oracle_model_cases(const SourceFile& file);

}  // namespace attn::conformance
