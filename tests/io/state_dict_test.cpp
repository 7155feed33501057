#include "io/state_dict.h"

#include <algorithm>
#include <cstring>

#include "conformance/judge.h"
#include "conformance/oracle_file.h"
#include "support/catch.h"
#include "support/fixtures.h"
#include "support/random_model.h"
#include "support/safetensors_bytes.h"

namespace {

using namespace attn;
using core::Shape;
using core::Tensor;
using test::NamedTensor;

constexpr nn::TransformerConfig kConfig{.vocabulary = 7,
                                        .d_model = 6,
                                        .n_heads = 3,
                                        .n_encoder_layers = 1,
                                        .n_decoder_layers = 2,
                                        .d_ff = 5,
                                        .activation = nn::Activation::gelu,
                                        .norm_first = true,
                                        .layer_norm_epsilon = 1e-6f};
constexpr io::StateDictSettings kSettings{
    .n_heads = 3, .norm_first = true, .activation = nn::Activation::gelu, .layer_norm_epsilon = 1e-6f};

std::vector<NamedTensor> state_dict(const nn::Transformer& model, const std::string& stack_prefix = "",
                                    const std::string& embedding_prefix = "") {
  std::vector<NamedTensor> tensors;
  nn::for_each_parameter(model, [&](std::string_view name, const Tensor& tensor) {
    const bool is_embedding = name == "embedding.weight";
    tensors.push_back({(is_embedding ? embedding_prefix : stack_prefix) + std::string(name), tensor});
  });
  return tensors;
}

core::Result<nn::Transformer> load(const std::vector<NamedTensor>& tensors,
                                   const io::StateDictSettings& settings = kSettings) {
  const std::vector<std::uint8_t> bytes = test::safetensors_bytes(tensors);
  const core::Result<io::SafetensorsFile> file = io::parse_safetensors(bytes);
  REQUIRE(file.ok());
  return io::load_state_dict(file.value(), settings);
}

std::string error_of(const std::vector<NamedTensor>& tensors,
                     const io::StateDictSettings& settings = kSettings) {
  const core::Result<nn::Transformer> loaded = load(tensors, settings);
  REQUIRE_FALSE(loaded.ok());
  return loaded.error();
}

NamedTensor& named(std::vector<NamedTensor>& tensors, std::string_view name) {
  const auto found = std::find_if(tensors.begin(), tensors.end(),
                                  [&](const NamedTensor& tensor) { return tensor.name == name; });
  REQUIRE(found != tensors.end());
  return *found;
}

void remove(std::vector<NamedTensor>& tensors, std::string_view name) {
  tensors.erase(tensors.begin() + (&named(tensors, name) - tensors.data()));
}

void require_same_parameters(const nn::Transformer& a, const nn::Transformer& b) {
  std::vector<const Tensor*> expected;
  nn::for_each_parameter(b, [&](std::string_view, const Tensor& tensor) { expected.push_back(&tensor); });
  std::size_t next = 0;
  nn::for_each_parameter(a, [&](std::string_view name, const Tensor& tensor) {
    CAPTURE(name);
    REQUIRE(next < expected.size());
    const Tensor& other = *expected[next++];
    REQUIRE(tensor.shape() == other.shape());
    REQUIRE(std::memcmp(tensor.values(), other.values(), tensor.flat().size_bytes()) == 0);
  });
  REQUIRE(next == expected.size());
}

}  // namespace

TEST_CASE("A state dict gives the sizes, the weights to the bit, and packed copies") {
  const nn::Transformer model = test::random_transformer(kConfig, 1);
  const auto loaded = load(state_dict(model));
  REQUIRE(loaded.ok());
  const nn::TransformerConfig& config = loaded.value().config;
  CHECK(config.vocabulary == 7);
  CHECK(config.d_model == 6);
  CHECK(config.n_heads == 3);
  CHECK(config.n_encoder_layers == 1);
  CHECK(config.n_decoder_layers == 2);
  CHECK(config.d_ff == 5);
  CHECK(config.activation == nn::Activation::gelu);
  CHECK(config.norm_first);
  CHECK(config.layer_norm_epsilon == 1e-6f);
  require_same_parameters(loaded.value(), model);
  CHECK(loaded.value().decoder[1].cross_attention.packed_value.panels ==
        model.decoder[1].cross_attention.packed_value.panels);
}

TEST_CASE("Prefixes of wrappers are taken off, in any order and number") {
  const nn::Transformer model = test::random_transformer(kConfig, 2);
  for (const char* prefix : {"transformer.", "module.", "model.", "_orig_mod.", "module.transformer.",
                             "_orig_mod.module.model.transformer.", "module.module."}) {
    CAPTURE(prefix);
    const auto loaded = load(state_dict(model, prefix, "module."));
    REQUIRE(loaded.ok());
    require_same_parameters(loaded.value(), model);
  }
}

TEST_CASE("The state dict that PyTorch wrote is loaded") {
  const conformance::OracleFile oracle(test::fixture_path("oracle/B_state_dict.safetensors"));
  const auto loaded = io::load_state_dict(oracle.file(), {.n_heads = 2});
  REQUIRE(loaded.ok());
  CHECK(loaded.value().config.n_decoder_layers == 2);
  CHECK(loaded.value().config.d_ff == 16);
  const std::string name = "decoder.layers.1.multihead_attn.in_proj_weight";
  const core::Tensor& weight = loaded.value().decoder[1].cross_attention.in_proj_weight;
  conformance::Judge judge;
  judge.expect(name, conformance::FloatArray(weight.view()), oracle.array("transformer." + name), {});
  INFO(judge.worst());
  CHECK(judge.worst_ratio() == 0.0);
}

TEST_CASE("Missing tensors are named") {
  std::vector<NamedTensor> tensors = state_dict(test::random_transformer(kConfig, 3), "transformer.");
  std::vector<NamedTensor> one_less = tensors;
  remove(one_less, "transformer.decoder.layers.1.norm3.bias");
  CHECK(
      error_of(one_less) ==
      "a model with 1 encoder and 2 decoder layers needs the missing tensors 'decoder.layers.1.norm3.bias'");
  std::vector<NamedTensor> no_embedding = tensors;
  remove(no_embedding, "embedding.weight");
  CHECK(error_of(no_embedding) ==
        "tensor 'embedding.weight' is missing: not the state dict of an nn.Transformer with its embedding");
  std::vector<NamedTensor> no_decoder;
  for (const NamedTensor& tensor : tensors)
    if (tensor.name.find("decoder.layers") == std::string::npos) no_decoder.push_back(tensor);
  CHECK(error_of(no_decoder) == "n_decoder_layers is 0, must be in [1, 64]");
  std::vector<NamedTensor> no_biases;
  for (const NamedTensor& tensor : tensors)
    if (!tensor.name.ends_with("bias")) no_biases.push_back(tensor);
  CHECK(error_of(no_biases) ==
        "a model with 1 encoder and 2 decoder layers needs the missing tensors "
        "'encoder.layers.0.self_attn.in_proj_bias', 'encoder.layers.0.self_attn.out_proj.bias', "
        "'encoder.layers.0.linear1.bias' and 23 more");
  CHECK(error_of({}).find("'embedding.weight' is missing") != std::string::npos);
}

TEST_CASE("Tensors of another model are named") {
  std::vector<NamedTensor> tensors = state_dict(test::random_transformer(kConfig, 3));
  tensors.push_back({"generator.weight", Tensor(Shape{7, 6})});
  CHECK(error_of(tensors) == "tensors that nn.Transformer does not have: 'generator.weight'");
  tensors.push_back({"encoder.layers.x.norm1.weight", Tensor(Shape{6})});
  tensors.push_back({"encoder.layers.-1.norm1.weight", Tensor(Shape{6})});
  tensors.push_back({"encoder.layers.", Tensor(Shape{6})});
  CHECK(error_of(tensors) ==
        "tensors that nn.Transformer does not have: 'encoder.layers.', 'encoder.layers.-1.norm1.weight', "
        "'encoder.layers.x.norm1.weight' and 1 more");
}

TEST_CASE("Tensors of another shape are named with the shape they must have") {
  const std::vector<NamedTensor> tensors = state_dict(test::random_transformer(kConfig, 3), "module.");
  const auto reshaped = [&](const char* name, Shape shape) {
    std::vector<NamedTensor> changed = tensors;
    named(changed, name).tensor = Tensor(shape);
    return error_of(changed);
  };
  CHECK(reshaped("module.encoder.layers.0.self_attn.in_proj_weight", {6, 18}) ==
        "tensor 'module.encoder.layers.0.self_attn.in_proj_weight' has shape (6, 18), must be (18, 6) for "
        "d_model 6, d_ff 5");
  CHECK(reshaped("module.decoder.norm.bias", {6, 1}).find("has shape (6, 1), must be (6)") !=
        std::string::npos);
  CHECK(reshaped("embedding.weight", {7}) == "tensor 'embedding.weight' has shape (7), must be a matrix");
  CHECK(reshaped("embedding.weight", {7, 0}) == "d_model is 0, must be in [1, 65536]");
  CHECK(reshaped("module.encoder.layers.0.linear1.weight", {0, 6}) == "d_ff is 0, must be in [1, 65536]");
}

TEST_CASE("The same parameter under two prefixes is an error") {
  std::vector<NamedTensor> tensors = state_dict(test::random_transformer(kConfig, 3));
  tensors.push_back({"module.decoder.norm.bias", Tensor(Shape{6})});
  CHECK(error_of(tensors) ==
        "tensors 'decoder.norm.bias' and 'module.decoder.norm.bias' are the same parameter");
}

TEST_CASE("Settings that do not fit the shapes are an error") {
  const std::vector<NamedTensor> tensors = state_dict(test::random_transformer(kConfig, 3));
  CHECK(error_of(tensors, {.n_heads = 4}) == "n_heads is 4, must divide d_model 6");
  CHECK(error_of(tensors, {.n_heads = 0}) == "n_heads is 0, must be in [1, 65536]");
  CHECK(error_of(tensors, {.n_heads = 1, .layer_norm_epsilon = -1.0f}).find("layer_norm_epsilon") !=
        std::string::npos);
}

TEST_CASE("A small file that claims a large model is refused before memory is taken") {
  // 65536 wide and 64 layers deep: the whole model would take terabytes.
  const std::vector<NamedTensor> tensors = {{"embedding.weight", Tensor(Shape{1, 65536})},
                                            {"encoder.layers.0.linear1.weight", Tensor(Shape{1, 65536})},
                                            {"encoder.layers.63.norm1.weight", Tensor(Shape{1})},
                                            {"decoder.layers.63.norm1.weight", Tensor(Shape{1})}};
  CHECK(error_of(tensors, {.n_heads = 1}).find("must be (65536)") != std::string::npos);
  const std::vector<NamedTensor> deep = {{"embedding.weight", Tensor(Shape{1, 4})},
                                         {"encoder.layers.0.linear1.weight", Tensor(Shape{1, 4})},
                                         {"encoder.layers.2147483647.norm1.weight", Tensor(Shape{1})},
                                         {"decoder.layers.99999999999.norm1.weight", Tensor(Shape{1})}};
  CHECK(error_of(deep, {.n_heads = 1}) == "n_decoder_layers is 0, must be in [1, 64]");
}
