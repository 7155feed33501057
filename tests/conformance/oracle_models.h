// The oracle's encoder-decoder models (made with PyTorch in float64 from float32 weights), by file:
//
//   <F>_state_dict     float32 weights of family F; read beside the others
//   <F>_outputs        family "seed": src, tgt, pad/*, and for each variant h8_post_relu[_pad]
//                      <variant>/<f32|f64>/{full, memory, prefix<t>}; base/… holds the activations of
//                      h8_post_relu. Without a state dict the weights are those of torch.manual_seed(0) and
//                      the file's embedding.weight.
//   <F>_<case>         metadata "config" and src, tgt, mask/*, out, logits, act/*, attn_weights/*, and for
//                      training labels, grad/*, adam<steps>/*
//   <F>_base_grad_f64  family "seed": gradients of the loss over <F>_outputs' labels, by parameter
//   <F>_base_adam<steps>_f64    its parameters after that many steps; settings from summary.json
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "conformance/case.h"
#include "conformance/oracle_file.h"
#include "nn/transformer.h"

namespace attn::conformance {

/// What the weights do not say.
struct OracleSettings {
  int n_heads = 8;
  bool norm_first = false;
  nn::Activation activation = nn::Activation::relu;
  double layer_norm_eps = 1e-5;
};

/// "h8_post_relu" or "h4_pre_gelu_pad"; false for any other text.
struct Variant {
  OracleSettings settings;
  bool padded = false;
};
bool parse_variant(std::string_view name, Variant& variant);

/// The model of a state dict, its logits tied to the embedding.
nn::Transformer model_of(const OracleFile& state, const OracleSettings& settings);

/// Token ids of a batch.
struct OracleTokens {
  std::vector<int> ids;  // (B, T)
  int batch = 0;

  int length() const { return batch == 0 ? 0 : static_cast<int>(ids.size()) / batch; }
};

/// The tensor `name` as token ids, each in [0, vocabulary); of each sequence the first `length`, if not
/// negative.
OracleTokens tokens_of(const OracleFile& oracle, const char* name, int vocabulary, int length = -1);

/// Records embeddings and both stacks of a batch; returns the decoder's output.
tape::Value record_pass(tape::Tape& tape, const nn::Transformer& model, const OracleTokens& source,
                        const OracleTokens& target, const nn::TransformerMasks& masks);

/// The file of the same family and folder: "B_state_dict" beside "B_h2_post_relu".
std::filesystem::path sibling(const std::filesystem::path& path, const std::string& rest);

// The cases of each kind of file.
std::vector<Case> seed_output_cases(const SourceFile& file, std::shared_ptr<const OracleFile> oracle);
std::vector<Case> seed_training_cases(const SourceFile& file, std::shared_ptr<const OracleFile> oracle);
std::vector<Case> small_model_cases(const SourceFile& file, std::shared_ptr<const OracleFile> oracle);
Case state_dict_case(const SourceFile& file, std::shared_ptr<const OracleFile> oracle);

}  // namespace attn::conformance
