#include "conformance/torch_names.h"

#include "support/catch.h"

TEST_CASE("PyTorch's module names are found among our labels") {
  const auto name = [](std::string_view path, bool norm_first) {
    const auto label = attn::conformance::label_of_module(path, norm_first);
    return label.has_value() ? attn::tape::to_string(*label) : "none";
  };
  CHECK(name("embedding", false) == "decoder.embedding");
  CHECK(name("transformer.encoder", false) == "encoder.memory");
  CHECK(name("transformer.decoder.norm", false) == "decoder.output");
  CHECK(name("transformer.encoder.layers.0.norm2", false) == "encoder.0.feed_forward.norm");
  CHECK(name("transformer.decoder.layers.1.norm2", false) == "decoder.1.cross_attention.norm");
  CHECK(name("transformer.decoder.layers.11", false) == "decoder.11.feed_forward.norm");
  CHECK(name("transformer.decoder.layers.11", true) == "decoder.11.feed_forward.residual");
  CHECK(name("transformer.encoder.layers.0.norm3", false) == "none");
  CHECK(name("transformer.encoder.layers.x", false) == "none");
  CHECK(name("generator", false) == "none");
}
