// Reference numbers of PyTorch in safetensors files, and the comparison of our float32 tensors with them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor.h"
#include "io/safetensors.h"
#include "nn/parameters.h"

namespace attn::test {

/// A safetensors file read from disk. A file that is not there or not valid fails the running test.
class Oracle {
 public:
  explicit Oracle(const std::string& path);

  const io::SafetensorsFile& file() const { return file_; }
  bool has(std::string_view name) const { return file_.find(name) != nullptr; }

  /// A tensor as float64, as ints, as bytes that are 0 or 1. A name that is not there fails the running test.
  std::vector<double> numbers(std::string_view name) const;
  std::vector<int> ints(std::string_view name) const;
  std::vector<std::uint8_t> flags(std::string_view name) const;

 private:
  const io::StoredTensor& tensor(std::string_view name) const;

  std::vector<std::uint8_t> bytes_;
  io::SafetensorsFile file_;  // views into bytes_
};

/// The largest |actual - expected| and where it is.
struct LargestError {
  double error = 0.0;  // infinity when a side is NaN or the counts differ
  int index = -1;      // flat
  std::string text;    // "3.1e-07 at (2, 5): 0.25 for 0.25000031"
};

LargestError largest_error(core::TensorView actual, std::span<const double> expected);

/// The model of torch.manual_seed(0); nn.Embedding(10, 8); nn.Transformer(8, …) with PyTorch's embedding
/// taken from `oracle`, so that only the forward pass is compared.
nn::Transformer seed_model(const Oracle& oracle, const nn::TransformerConfig& config);

}  // namespace attn::test
