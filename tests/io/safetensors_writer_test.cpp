#include "io/safetensors_writer.h"

#include <cmath>
#include <cstring>

#include "core/bits.h"
#include "io/model_file.h"
#include "io/safetensors.h"
#include "nn/initialize.h"
#include "support/catch.h"

using namespace attn;
using io::Dtype;
using io::SafetensorsWriter;

namespace {

core::Tensor tensor_of(const core::Shape& shape, std::initializer_list<float> values) {
  core::Tensor tensor(shape);
  std::copy(values.begin(), values.end(), tensor.values());
  return tensor;
}

float read_half(std::uint16_t half) {
  const std::uint8_t bytes[] = {static_cast<std::uint8_t>(half), static_cast<std::uint8_t>(half >> 8)};
  return io::to_float({.name = "half", .dtype = Dtype::f16, .extents = {{1}, 1}, .bytes = bytes})
      .value()
      .values()[0];
}

}  // namespace

TEST_CASE("what the writer wrote the strict reader reads, to the bit") {
  const core::Tensor a = tensor_of({2, 3}, {1.0f, -0.0f, 0x1p-149f, 3e38f, INFINITY, -2.5f});
  const core::Tensor empty(core::Shape{0, 4});
  SafetensorsWriter writer;
  writer.add("a \"quoted\" 名", a.view());
  writer.add("nothing", empty.view());
  writer.add("number", 0.1);
  const std::pair<std::string, std::string> metadata[] = {{"words", "[\"我\"]"}};
  const std::vector<std::uint8_t> file = writer.finish(metadata);
  const core::Result<io::SafetensorsFile> read = io::parse_safetensors(file);
  REQUIRE(read.ok());
  REQUIRE(read.value().tensors.size() == 3);
  const core::Tensor again = io::to_float(*read.value().find("a \"quoted\" 名")).value();
  CHECK(again.shape() == a.shape());
  CHECK(core::same_bits(again.flat(), a.flat()));
  CHECK(io::to_float(*read.value().find("nothing")).value().shape() == empty.shape());
  CHECK(io::to_double(*read.value().find("number")) == std::vector<double>{0.1});
  CHECK(read.value().metadata == std::vector<std::pair<std::string, std::string>>{{"words", "[\"我\"]"}});
  std::uint64_t header = 0;
  std::memcpy(&header, file.data(), 8);
  CHECK(header % 8 == 0);
}

TEST_CASE("every half comes back from its float, and a float becomes the nearest half") {
  for (std::uint32_t half = 0; half < 0x10000; ++half) {
    const float value = read_half(static_cast<std::uint16_t>(half));
    if (std::isnan(value)) {
      REQUIRE(std::isnan(read_half(io::half_of_float(value))));
      continue;
    }
    REQUIRE(io::half_of_float(value) == half);
    // The middle between two neighbours goes to the even one, what is beside it to the nearer one.
    const bool last = (half & 0x7FFF) >= 0x7BFF;
    if (last) continue;
    const float next = read_half(static_cast<std::uint16_t>(half + 1));
    const float middle = (value + next) / 2;
    REQUIRE(io::half_of_float(middle) == (half % 2 == 0 ? half : half + 1));
    REQUIRE(io::half_of_float(std::nextafter(middle, value)) == half);
    REQUIRE(io::half_of_float(std::nextafter(middle, next)) == half + 1);
  }
  CHECK(io::half_of_float(65519.0f) == 0x7BFF);
  CHECK(io::half_of_float(65520.0f) == 0x7C00);
  CHECK(io::half_of_float(-INFINITY) == 0xFC00);
  CHECK(io::half_of_float(0x1p-25f) == 0);
  CHECK(io::half_of_float(std::nextafter(0x1p-25f, 1.0f)) == 1);
}

namespace {

nn::Transformer small_model() {
  nn::Transformer model = nn::make_transformer({.vocabulary = 7,
                                                .source_vocabulary = 5,
                                                .d_model = 8,
                                                .n_heads = 2,
                                                .n_encoder_layers = 1,
                                                .n_decoder_layers = 2,
                                                .d_ff = 12,
                                                .norm_first = true,
                                                .positions = nn::Positions::sinusoidal,
                                                .max_positions = 9,
                                                .output_projection = nn::OutputProjection::separate,
                                                .dropout = 0.25f});
  REQUIRE(nn::initialize_like_pytorch(model, 1).ok());
  return model;
}

}  // namespace

TEST_CASE("a model comes back from its file: config, and weights to the bit or rounded to halves") {
  const nn::Transformer model = small_model();
  const Dtype dtype = GENERATE(Dtype::f32, Dtype::f16);
  SafetensorsWriter writer;
  io::add_model(writer, model, dtype);
  const std::vector<std::uint8_t> file = writer.finish();
  const core::Result<nn::Transformer> read = io::read_model(io::parse_safetensors(file).value());
  REQUIRE(read.ok());
  CHECK(read.value().config == model.config);
  std::vector<core::Tensor> weights;
  nn::for_each_parameter(read.value(),
                         [&](std::string_view, const core::Tensor& one) { weights.push_back(one); });
  std::size_t next = 0;
  nn::for_each_parameter(model, [&](std::string_view name, const core::Tensor& parameter) {
    INFO(name);
    std::vector<float> expected(parameter.flat().begin(), parameter.flat().end());
    if (dtype == Dtype::f16)
      for (float& value : expected) value = read_half(io::half_of_float(value));
    CHECK(core::same_bits(weights[next++].flat(), expected));
  });
  CHECK(read.value().output.packed.columns == 7);
}

TEST_CASE("a model file with something wrong is refused by name") {
  const auto refusal = [](auto&& fill) {
    SafetensorsWriter writer;
    fill(writer);
    const std::vector<std::uint8_t> file = writer.finish();
    const core::Result<nn::Transformer> read = io::read_model(io::parse_safetensors(file).value());
    return read.ok() ? std::string("accepted") : read.error();
  };
  CHECK_THAT(refusal([](SafetensorsWriter&) {}), Catch::Contains("config.family"));
  nn::Transformer model = small_model();
  const auto with_config = [&](auto change) {
    return refusal([&](SafetensorsWriter& writer) {
      nn::Transformer other = model;
      change(other);
      io::add_model(writer, other);
    });
  };
  CHECK_THAT(with_config([](nn::Transformer& m) { m.config.n_heads = 3; }), Catch::Contains("n_heads"));
  CHECK_THAT(with_config([](nn::Transformer& m) { m.config.d_ff = 13; }), Catch::Contains("linear1.weight"));
  CHECK_THAT(
      with_config([](nn::Transformer& m) { m.config.max_positions = 65536, m.config.d_model = 65536; }),
      Catch::Contains("too large"));
  CHECK_THAT(with_config([](nn::Transformer& m) { m.embedding.values()[3] = NAN; }),
             Catch::Contains("embedding.weight"));
  CHECK_THAT(with_config([](nn::Transformer& m) { m.config.positions = static_cast<nn::Positions>(3); }),
             Catch::Contains("config.positions"));
  CHECK_THAT(refusal([](SafetensorsWriter& writer) { writer.add("config.family", 0.5); }),
             Catch::Contains("whole number"));
}
