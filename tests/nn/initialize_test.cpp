#include "nn/initialize.h"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "conformance/judge.h"
#include "conformance/oracle_file.h"
#include "core/bits.h"
#include "support/catch.h"
#include "support/fixtures.h"

namespace {

using namespace attn;

// PyTorch's AVX2 log, sine and cosine are within an ulp or two; |values| < 4 here, so 2.4e-7 is one ulp of
// the largest. The bound of the issue.
constexpr conformance::Tolerance kEmbeddingTolerance{3e-7, 0.0};

nn::Transformer initialized(const nn::TransformerConfig& config, std::uint32_t seed) {
  nn::Transformer model = nn::make_transformer(config);
  REQUIRE(nn::initialize_like_pytorch(model, seed).ok());
  return model;
}

// FNV-1a over the bytes of every parameter of the stacks, in PyTorch's order.
std::uint64_t hash_of_stacks(const nn::Transformer& model, int& count) {
  std::uint64_t hash = core::fnv1a(nullptr, 0);
  nn::for_each_parameter(model, [&](std::string_view name, const core::Tensor& tensor) {
    if (name == "embedding.weight") return;
    hash = core::fnv1a(tensor.values(), tensor.flat().size_bytes(), hash);
    count += tensor.size();
  });
  return hash;
}

}  // namespace

TEST_CASE("Weights after torch.manual_seed equal PyTorch's to the bit for any sizes") {
  const nlohmann::json fixture =
      nlohmann::json::parse(test::read_text(test::fixture_path("initialization.json")));
  REQUIRE(fixture["cases"].size() == 5);
  for (const nlohmann::json& expected : fixture["cases"]) {
    const nn::TransformerConfig config{.vocabulary = expected["vocabulary"],
                                       .d_model = expected["d_model"],
                                       .n_heads = expected["n_heads"],
                                       .n_encoder_layers = expected["n_encoder_layers"],
                                       .n_decoder_layers = expected["n_decoder_layers"],
                                       .d_ff = expected["d_ff"]};
    CAPTURE(expected["seed"], config.vocabulary, config.d_model, config.d_ff);
    const nn::Transformer model = initialized(config, expected["seed"]);
    int count = 0;
    char hash[17];
    std::snprintf(hash, sizeof hash, "%016llx",
                  static_cast<unsigned long long>(hash_of_stacks(model, count)));
    CHECK(count == expected["parameters"]);
    CHECK(hash == expected["fnv1a"].get<std::string>());

    const auto embedding = expected["embedding"].get<std::vector<double>>();
    conformance::Judge judge;
    judge.expect("embedding", model.embedding.flat(), embedding, {model.embedding.size()},
                 kEmbeddingTolerance);
    INFO(judge.worst());
    CHECK(judge.worst_ratio() <= 1.0);
  }
}

TEST_CASE("The weights of seed 0 equal every tensor of PyTorch's state dict") {
  if (!test::has_conformance()) ATTN_SKIP("the conformance folder is missing");
  const conformance::OracleFile oracle(test::conformance_path("oracle/A_state_dict.safetensors"));
  const nn::Transformer model = initialized({}, 0);
  int stacks = 0;
  nn::for_each_parameter(model, [&](std::string_view name, const core::Tensor& tensor) {
    CAPTURE(name);
    const bool is_embedding = name == "embedding.weight";
    const conformance::Array expected =
        oracle.array(is_embedding ? std::string(name) : "transformer." + std::string(name));
    conformance::Judge judge;
    judge.expect(name, conformance::FloatArray(tensor.view()), expected,
                 is_embedding ? kEmbeddingTolerance : conformance::Tolerance{});
    INFO(judge.worst());
    CHECK(judge.worst_ratio() <= 1.0);
    if (!is_embedding) stacks += tensor.size();
  });
  CHECK(stacks == 423'584);
}

TEST_CASE("Initialisation depends on the seed and on nothing that was there before") {
  const nn::TransformerConfig config{.d_ff = 12};
  nn::Transformer model = initialized(config, 5);
  int count = 0;
  const std::uint64_t hash = hash_of_stacks(model, count);
  nn::for_each_parameter(model, [](std::string_view, core::Tensor& tensor) {
    std::fill(tensor.flat().begin(), tensor.flat().end(), 7.0f);
  });
  REQUIRE(nn::initialize_like_pytorch(model, 5).ok());
  CHECK(hash_of_stacks(model, count) == hash);
  REQUIRE(nn::initialize_like_pytorch(model, 6).ok());
  CHECK(hash_of_stacks(model, count) != hash);
}

TEST_CASE("A model whose config is not valid is left as it is") {
  nn::Transformer model = initialized({.d_ff = 12}, 5);
  int count = 0;
  const std::uint64_t hash = hash_of_stacks(model, count);
  model.config.n_heads = 3;
  const core::Status status = nn::initialize_like_pytorch(model, 6);
  REQUIRE_FALSE(status.ok());
  CHECK(status.error() == "n_heads is 3, must divide d_model 8");
  CHECK(hash_of_stacks(model, count) == hash);
}

TEST_CASE("Initialisation packs the weights it has drawn") {
  const nn::Transformer model = initialized({.d_ff = 12}, 5);
  const nn::Linear& linear = model.decoder[3].feed_forward.linear1;
  REQUIRE(linear.packed.columns == 12);
  CHECK(linear.packed.panel(1)[2 * kernels::kPanelColumns + 3] == linear.weight.values()[11 * 8 + 2]);
}

TEST_CASE("Normal numbers have mean 0 and deviation 1 and are the same bits everywhere") {
  core::TorchGenerator generator(1);
  std::vector<float> values(20'000);
  nn::fill_normal(values, generator);
  double sum = 0.0;
  double squares = 0.0;
  for (const float value : values) {
    sum += static_cast<double>(value);
    squares += static_cast<double>(value) * static_cast<double>(value);
  }
  const double count = static_cast<double>(values.size());
  CHECK(std::abs(sum / count) < 3.0 / std::sqrt(count));  // three standard errors
  CHECK(std::abs(squares / count - 1.0) < 3.0 * std::sqrt(2.0 / count));
  CHECK(core::fnv1a(values.data(), values.size() * sizeof(float)) == 0xddf0b0d1eaac57bull);
}
