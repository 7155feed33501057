#include "support/oracle.h"

#include <cmath>

#include "support/catch.h"
#include "support/fixtures.h"
#include "support/torch_activations.h"

using attn::core::Shape;
using attn::core::Tensor;
using attn::test::largest_error;
using attn::test::LargestError;

TEST_CASE("The comparison with reference numbers reports the largest error and its place") {
  Tensor tensor(Shape{2, 3});
  std::vector<double> expected(6, 0.0);
  CHECK(largest_error(tensor.view(), expected).error == 0.0);
  expected[1] = 0.25;
  expected[5] = -0.5;
  const LargestError error = largest_error(tensor.view(), expected);
  CHECK(error.error == 0.5);
  CHECK(error.index == 5);
  CHECK(error.text == "0.5 at (1, 2): 0 for -0.5");
}

TEST_CASE("The comparison with reference numbers fails on NaN and on another number of values") {
  Tensor tensor(Shape{2});
  tensor.values()[1] = NAN;
  const LargestError error = largest_error(tensor.view(), std::vector<double>{1.0, 0.0});
  CHECK(error.error == HUGE_VAL);
  CHECK(error.index == 1);
  CHECK(largest_error(tensor.view(), std::vector<double>{0.0, NAN}).error == HUGE_VAL);
  CHECK(largest_error(tensor.view(), std::vector<double>{0.0}).error == HUGE_VAL);
  CHECK(largest_error(tensor.view(), std::vector<double>{}).text == "2 values for 0 expected");
}

TEST_CASE("A tally keeps the worst of its comparisons") {
  const Tensor tensor(Shape{1});
  attn::test::Tally tally;
  tally.add("a", tensor.view(), std::vector<double>{0.0});
  tally.add("b", tensor.view(), std::vector<double>{2.0});
  tally.add("c", tensor.view(), std::vector<double>{1.0});
  CHECK(tally.tensors == 3);
  CHECK(tally.text() == "b: 2 at (0): 0 for 2");
}

TEST_CASE("PyTorch's module names are found among our labels") {
  const auto name = [](std::string_view path, bool norm_first) {
    const auto label = attn::test::label_of_module(path, norm_first);
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

TEST_CASE("The committed fixtures are as small as a clone can carry") {
  constexpr std::size_t kBudget = 256 * 1024;
  std::size_t total = 0;
  for (const char* name :
       {"A_outputs.safetensors", "B_state_dict.safetensors", "B_h2_post_gelu_pad.safetensors",
        "B_h4_pre_relu.safetensors", "initialization.json"})
    total += attn::test::read_bytes(attn::test::fixture_path(name)).size();
  CHECK(total < kBudget);
}
