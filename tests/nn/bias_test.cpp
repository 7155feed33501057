// A bias of the scores: what the finite numbers of a float mask are.
#include <algorithm>
#include <cmath>
#include <span>

#include "kernels/elementwise.h"
#include "kernels/softmax.h"
#include "nn/transformer.h"
#include "support/catch.h"
#include "support/random_model.h"

namespace {

using namespace attn;
using core::Shape;
using core::Tensor;

constexpr tape::Label kScores{tape::Stack::encoder, 0, tape::Block::self_attention, tape::Site::scores};
constexpr tape::Label kWeights{tape::Stack::encoder, 0, tape::Block::self_attention, tape::Site::weights};

bool equal(std::span<const float> a, std::span<const float> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

TEST_CASE("A bias is added to the scores of each head before the softmax, and zeros change no bit") {
  const nn::Transformer model =
      test::random_transformer({.n_heads = 2, .n_encoder_layers = 1, .n_decoder_layers = 1, .d_ff = 6}, 5);
  const std::vector<int> tokens = {3, 1, 4, 1, 5};
  Tensor bias(Shape{2, 5, 5});  // (H, T, S)
  for (int i = 0; i < bias.size(); ++i) bias.values()[i] = 0.25f * static_cast<float>(i % 7) - 0.5f;
  const Tensor zeros(Shape{5, 5});
  const auto run = [&](tape::Tape& tape, core::TensorView added) {
    const tape::Value x = nn::embed(tape, model, tape::Stack::encoder, tokens);
    return nn::encode(tape, model, x, {nn::Mask::causal(), added});
  };
  tape::Tape plain, with_zeros, biased;
  const tape::Value memory = run(plain, {});
  const core::TensorView same = with_zeros.tensor(run(with_zeros, zeros.view()));
  CHECK(equal(plain.tensor(memory).flat(), same.flat()));

  run(biased, bias.view());
  const core::TensorView scores = biased.tensor(biased.find(kScores));
  const core::TensorView weights = biased.tensor(biased.find(kWeights));
  Tensor expected(scores.shape);
  kernels::add(scores.flat(), bias.flat(), expected.flat());
  const Tensor visible = nn::Mask::causal().materialise(5, 5);
  for (int head = 0; head < 2; ++head) {
    const core::Matrix rows = core::matrix_of(expected.values(), expected.shape(), head);
    kernels::masked_softmax(rows, core::as_matrix(visible.view()), rows);
  }
  CHECK(equal(weights.flat(), expected.flat()));
}
