#include <cstddef>
#include <cstdio>
#include <memory>

#include "kernels/activation.h"
#include "kernels/elementwise.h"
#include "kernels/feed_forward.h"
#include "kernels/layer_norm.h"
#include "kernels/matmul.h"
#include "kernels/scalar_math.h"
#include "kernels/softmax.h"
#include "suite.h"

namespace attn::bench {
namespace {

using core::ConstMatrix;
using core::Matrix;

struct ProductInputs {
  std::vector<float> a, b, bias, out;
  kernels::PackedMatrix packed;
};

void add_product(std::vector<Case>& cases, int rows, int depth, int columns, bool headline) {
  const auto inputs = [=] {
    auto made = std::make_shared<ProductInputs>();
    made->a = numbers(rows * depth);
    made->b = numbers(depth * columns);
    made->bias = numbers(columns);
    made->out.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
    kernels::pack({made->b.data(), depth, columns, columns}, made->packed);
    return made;
  };
  const double flops = 2.0 * rows * depth * columns;
  char size[48];
  std::snprintf(size, sizeof size, "%dx%dx%d", rows, depth, columns);
  cases.push_back({std::string("matmul ") + size, flops, headline, [=] {
                     return Work([=, made = inputs()] {
                       kernels::linear({made->a.data(), rows, depth, depth}, made->packed, made->bias,
                                       {made->out.data(), rows, columns, columns});
                       keep(made->out[0]);
                     });
                   }});
  cases.push_back({std::string("unpacked matmul ") + size, flops, false, [=] {
                     return Work([=, made = inputs()] {
                       kernels::matmul({made->a.data(), rows, depth, depth},
                                       ConstMatrix{made->b.data(), depth, columns, columns},
                                       {made->out.data(), rows, columns, columns});
                       keep(made->out[0]);
                     });
                   }});
}

struct FeedForwardInputs {
  std::vector<float> x, bias1, bias2, scratch, out;
  kernels::PackedMatrix weight1, weight2;
};

void add_feed_forward(std::vector<Case>& cases, int rows, int width, int hidden,
                      kernels::HiddenActivation activation) {
  const auto inputs = [=] {
    auto made = std::make_shared<FeedForwardInputs>();
    made->x = numbers(rows * width);
    made->bias1 = numbers(hidden);
    made->bias2 = numbers(width);
    made->scratch.resize(kernels::feed_forward_scratch(rows));
    made->out.resize(made->x.size());
    const std::vector<float> weight = numbers(width * hidden);
    kernels::pack({weight.data(), width, hidden, hidden}, made->weight1);
    kernels::pack({weight.data(), hidden, width, width}, made->weight2);
    return made;
  };
  char name[64];
  std::snprintf(name, sizeof name, "feed_forward %dx%dx%d %s", rows, width, hidden,
                activation == kernels::HiddenActivation::relu ? "relu" : "gelu");
  cases.push_back({name, 4.0 * rows * width * hidden, false, [=] {
                     return Work([=, made = inputs()] {
                       kernels::feed_forward({made->x.data(), rows, width, width},
                                             {made->weight1, made->bias1, made->weight2, made->bias2},
                                             activation, made->scratch,
                                             {made->out.data(), rows, width, width});
                       keep(made->out[0]);
                     });
                   }});
}

/// A case whose work is `run(x, y)` on `elements` numbers and as many results.
template <class Run>
void add_elements(std::vector<Case>& cases, const char* name, int elements, Run run) {
  cases.push_back({name, 0.0, false, [=] {
                     const auto x = std::make_shared<std::vector<float>>(numbers(elements));
                     const auto y = std::make_shared<std::vector<float>>(x->size());
                     return Work([=] {
                       run(std::span<const float>(*x), std::span<float>(*y));
                       keep((*y)[0]);
                     });
                   }});
}

void add_softmax(std::vector<Case>& cases) {
  constexpr int kRows = 8 * 128;
  constexpr int kColumns = 128;
  add_elements(cases, "softmax 8x128x128", kRows * kColumns,
               [](std::span<const float> x, std::span<float> y) {
                 kernels::masked_softmax({x.data(), kRows, kColumns, kColumns}, {},
                                         Matrix{y.data(), kRows, kColumns, kColumns});
               });
  const auto causal = std::make_shared<std::vector<float>>();
  for (int i = 0; i < kRows * kColumns; ++i)
    causal->push_back(i % kColumns <= i / kColumns % 128 ? 1.0f : 0.0f);
  add_elements(cases, "softmax 8x128x128 causal", kRows * kColumns,
               [causal](std::span<const float> x, std::span<float> y) {
                 kernels::masked_softmax({x.data(), kRows, kColumns, kColumns},
                                         {causal->data(), kRows, kColumns, kColumns},
                                         Matrix{y.data(), kRows, kColumns, kColumns});
               });
  add_elements(cases, "softmax 40x5", 40 * 5, [](std::span<const float> x, std::span<float> y) {
    kernels::masked_softmax({x.data(), 40, 5, 5}, {}, Matrix{y.data(), 40, 5, 5});
  });
}

void add_layer_norm(std::vector<Case>& cases, const char* name, int rows, int width) {
  const auto scale = std::make_shared<std::vector<float>>(numbers(width));
  add_elements(cases, name, rows * width, [=](std::span<const float> x, std::span<float> y) {
    kernels::layer_norm({x.data(), rows, width, width}, *scale, *scale, 1e-5f,
                        {y.data(), rows, width, width});
  });
}

}  // namespace

std::vector<Case> kernel_cases() {
  std::vector<Case> cases;
  constexpr int kProducts[][3] = {{128, 512, 2048}, {128, 64, 128}, {2, 512, 512}, {5, 8, 2048},
                                  {5, 2048, 8},     {5, 8, 8},      {5, 1, 5},     {5, 5, 1},
                                  {5, 8, 5},        {16, 64, 256},  {1, 2048, 8}};
  add_product(cases, 512, 512, 512, true);
  add_product(cases, 1, 512, 512, true);
  for (const auto& [rows, depth, columns] : kProducts) add_product(cases, rows, depth, columns, false);
  add_feed_forward(cases, 5, 8, 2048, kernels::HiddenActivation::relu);
  add_feed_forward(cases, 5, 8, 2048, kernels::HiddenActivation::gelu);
  add_feed_forward(cases, 1, 512, 2048, kernels::HiddenActivation::relu);
  add_feed_forward(cases, 16, 64, 256, kernels::HiddenActivation::relu);
  add_feed_forward(cases, 128, 512, 2048, kernels::HiddenActivation::relu);
  add_softmax(cases);
  add_layer_norm(cases, "layer_norm 5x8", 5, 8);
  add_layer_norm(cases, "layer_norm 128x512", 128, 512);
  constexpr int kHidden = 5 * 2048;
  add_elements(cases, "add 5x2048", kHidden,
               [](std::span<const float> x, std::span<float> y) { kernels::add(x, x, y); });
  add_elements(cases, "relu 5x2048", kHidden,
               [](std::span<const float> x, std::span<float> y) { kernels::relu(x, y); });
  add_elements(cases, "gelu 5x2048", kHidden,
               [](std::span<const float> x, std::span<float> y) { kernels::gelu(x, y); });
  return cases;
}

}  // namespace attn::bench
