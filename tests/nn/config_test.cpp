#include "nn/config.h"

#include <set>
#include <string>

#include "nn/initialize.h"
#include "nn/parameters.h"
#include "support/catch.h"

using namespace attn;

namespace {

std::set<std::string> names_of(const nn::TransformerConfig& config) {
  const nn::Transformer model = nn::make_transformer(config);
  std::set<std::string> names;
  nn::for_each_parameter(model, [&](std::string_view name, const core::Tensor& tensor) {
    INFO(name);
    CHECK(tensor.size() > 0);
    CHECK(names.insert(std::string(name)).second);
  });
  return names;
}

constexpr nn::TransformerConfig kSmall{
    .vocabulary = 7, .d_model = 6, .n_heads = 2, .n_encoder_layers = 1, .n_decoder_layers = 2, .d_ff = 5};

nn::TransformerConfig of_family(nn::Family family) {
  nn::TransformerConfig config = kSmall;
  config.family = family;
  return config;
}

}  // namespace

TEST_CASE("a field out of range is named with its range, unless the family has no use for it") {
  nn::TransformerConfig config = kSmall;
  config.n_decoder_layers = 0;
  CHECK(nn::validate(config).error() == "n_decoder_layers is 0, must be in [1, 64]");
  config.family = nn::Family::encoder_only;
  CHECK(nn::validate(config).ok());
  config.n_encoder_layers = 65;
  CHECK(nn::validate(config).error() == "n_encoder_layers is 65, must be in [1, 64]");
  config = of_family(nn::Family::decoder_only);
  config.n_encoder_layers = 0;
  config.source_vocabulary = -1;
  CHECK(nn::validate(config).ok());
  config.family = nn::Family::encoder_decoder;
  config.n_encoder_layers = 1;
  CHECK(nn::validate(config).error() == "source_vocabulary is -1, must be in [0, 1048576]");
  config = kSmall;
  config.positions = nn::Positions::learned;
  config.max_positions = 0;
  CHECK(nn::validate(config).error() == "max_positions is 0, must be in [1, 65536]");
  config = kSmall;
  config.dropout = 1.0f;
  CHECK(nn::validate(config).error() == "dropout is 1, must be in [0, 1)");
}

TEST_CASE("a family has the parameters of its stacks and no others") {
  const auto both = names_of(kSmall);
  CHECK(both.size() == (12 + 2) + (2 * 18 + 2) + 1);
  CHECK(both.count("decoder.layers.1.multihead_attn.in_proj_weight") == 1);

  const auto encoder = names_of(of_family(nn::Family::encoder_only));
  CHECK(encoder.size() == (12 + 2) + 1);
  CHECK(encoder.count("encoder.norm.bias") == 1);

  const auto decoder = names_of(of_family(nn::Family::decoder_only));
  CHECK(decoder.size() == (2 * 12 + 2) + 1);
  CHECK(decoder.count("decoder.layers.1.norm2.weight") == 1);
  CHECK(decoder.count("decoder.layers.1.norm3.weight") == 0);
}

TEST_CASE("optional tables and norms are parameters exactly when the config asks for them") {
  nn::TransformerConfig config = kSmall;
  const std::size_t plain = names_of(config).size();
  config.final_norm = false;
  CHECK(names_of(config).size() == plain - 4);
  config.source_vocabulary = 9;
  config.positions = nn::Positions::learned;
  config.output_projection = nn::OutputProjection::separate;
  const auto names = names_of(config);
  CHECK(names.size() == plain - 4 + 4);
  for (const char* name : {"source_embedding.weight", "position.weight", "output.weight", "output.bias"})
    CHECK(names.count(name) == 1);
  config.output_projection = nn::OutputProjection::tied;
  CHECK(names_of(config).count("output.weight") == 0);
}

TEST_CASE("every family is initialised: no weight stays 0, and the packed copies are there") {
  for (const nn::Family family :
       {nn::Family::encoder_decoder, nn::Family::encoder_only, nn::Family::decoder_only})
    for (const nn::OutputProjection projection :
         {nn::OutputProjection::none, nn::OutputProjection::tied, nn::OutputProjection::separate}) {
      nn::TransformerConfig config = of_family(family);
      config.positions = nn::Positions::learned;
      config.source_vocabulary = 4;
      config.output_projection = projection;
      nn::Transformer model = nn::make_transformer(config);
      REQUIRE(nn::initialize_like_pytorch(model, 3).ok());
      nn::for_each_parameter(model, [&](std::string_view name, const core::Tensor& tensor) {
        if (tensor.shape().rank() < 2) return;
        INFO(name);
        for (const float value : tensor.flat()) CHECK(value != 0.0f);
      });
      CHECK((model.output.packed.columns == config.vocabulary) == (projection != nn::OutputProjection::none));
    }
}
