#include "support/oracle.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "nn/initialize.h"
#include "support/catch.h"
#include "support/fixtures.h"

namespace attn::test {
namespace {

std::string place_of(int index, const core::Shape& shape) {
  std::string text;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    text = (axis > 0 ? ", " : "(") + std::to_string(index % shape[axis]) + text;
    index /= shape[axis];
  }
  return shape.rank() == 0 ? "()" : text + ")";
}

}  // namespace

Oracle::Oracle(const std::string& path) : bytes_(read_bytes(path)) {
  core::Result<io::SafetensorsFile> parsed = io::parse_safetensors(bytes_);
  INFO(path << ": " << (parsed.ok() ? "" : parsed.error()));
  REQUIRE(parsed.ok());
  file_ = std::move(parsed).value();
}

const io::StoredTensor& Oracle::tensor(std::string_view name) const {
  const io::StoredTensor* found = file_.find(name);
  INFO("tensor " << name);
  REQUIRE(found != nullptr);
  return *found;
}

std::vector<double> Oracle::numbers(std::string_view name) const { return io::to_double(tensor(name)); }

std::vector<int> Oracle::ints(std::string_view name) const {
  core::Result<std::vector<int>> ints = io::to_int(tensor(name));
  REQUIRE(ints.ok());
  return std::move(ints).value();
}

std::vector<std::uint8_t> Oracle::flags(std::string_view name) const {
  const std::vector<int> values = ints(name);
  std::vector<std::uint8_t> flags;
  for (const int value : values) flags.push_back(value != 0 ? 1 : 0);
  return flags;
}

LargestError largest_error(core::TensorView actual, std::span<const double> expected) {
  const std::string counts =
      std::to_string(actual.size()) + " values for " + std::to_string(expected.size()) + " expected";
  if (static_cast<std::size_t>(actual.size()) != expected.size())
    return {std::numeric_limits<double>::infinity(), -1, counts};
  LargestError largest;
  for (int i = 0; i < actual.size(); ++i) {
    const auto index = static_cast<std::size_t>(i);
    const double difference = std::abs(static_cast<double>(actual.values[i]) - expected[index]);
    const double error = std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
    if (largest.index >= 0 && error <= largest.error) continue;
    largest.error = error;
    largest.index = i;
  }
  if (largest.index < 0) return {0.0, -1, "no values"};
  char text[160];
  std::snprintf(text, sizeof text, "%.3g at %s: %.9g for %.9g", largest.error,
                place_of(largest.index, actual.shape).c_str(),
                static_cast<double>(actual.values[largest.index]),
                expected[static_cast<std::size_t>(largest.index)]);
  largest.text = text;
  return largest;
}

nn::Transformer seed_model(const Oracle& oracle, const nn::TransformerConfig& config) {
  nn::Transformer model = nn::make_transformer(config);
  REQUIRE(nn::initialize_like_pytorch(model, 0).ok());
  const std::vector<double> embedding = oracle.numbers("embedding.weight");
  REQUIRE(static_cast<int>(embedding.size()) == model.embedding.size());
  std::transform(embedding.begin(), embedding.end(), model.embedding.values(),
                 [](double value) { return static_cast<float>(value); });
  return model;
}

}  // namespace attn::test
