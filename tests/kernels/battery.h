// One run through every kernel, as numbers that two builds can compare.
//
// kernels/same_bits_test.cpp runs it with SIMD and kernels/scalar_path_test.cpp with plain C++ (it renames
// the namespace and includes this file, so no #pragma once here).

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "kernels/activation.h"
#include "kernels/adam.h"
#include "kernels/attention.h"
#include "kernels/cross_entropy.h"
#include "kernels/dropout.h"
#include "kernels/elementwise.h"
#include "kernels/feed_forward.h"
#include "kernels/layer_norm.h"
#include "kernels/matmul.h"
#include "kernels/matmul_accumulate.h"
#include "kernels/rms_norm.h"
#include "kernels/rope.h"
#include "kernels/samples.h"
#include "kernels/scalar_math.h"
#include "kernels/softmax.h"
#include "kernels/softmax_axis.h"

namespace attn::kernels {

inline void append(std::vector<float>& all, const std::vector<float>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

inline void run_products(test::Samples& samples, std::vector<float>& results) {
  constexpr int kShapes[][3] = {{1, 64, 100}, {2, 33, 19}, {3, 8, 40},   {5, 2048, 8}, {5, 8, 64},
                                {6, 17, 7},   {7, 5, 3},   {33, 32, 33}, {5, 1, 5},    {9, 128, 24}};
  PackedMatrix packed;
  for (const auto& [rows, depth, columns] : kShapes) {
    const std::vector<float> a = samples.take(rows * depth);
    const std::vector<float> b = samples.take(depth * columns);
    const std::vector<float> bias = samples.take(columns);
    std::vector<float> out(static_cast<std::size_t>(rows * columns));
    pack(test::view(b, depth, columns), packed);
    linear(test::view(a, rows, depth), packed, bias, test::view(out, rows, columns));
    append(results, out);
    matmul(test::view(a, rows, depth), test::view(b, depth, columns), test::view(out, rows, columns));
    append(results, out);
    add_matmul(test::view(a, rows, depth), test::view(b, depth, columns), test::view(out, rows, columns));
    append(results, out);
    add_matmul_transposed(test::view(a, depth, rows), test::view(b, depth, columns),
                          test::view(out, rows, columns));
    append(results, out);
  }
}

inline void run_rows(test::Samples& samples, std::vector<float>& results) {
  for (const int columns : test::kSizes) {
    if (columns == 0) continue;
    const std::vector<float> x = samples.take(3 * columns, 30.0f);
    const std::vector<float> flags = samples.take_flags(3 * columns);
    const std::vector<float> scale = samples.take(columns);
    const std::vector<float> shift = samples.take(columns);
    std::vector<float> out(x.size());
    masked_softmax(test::view(x, 3, columns), test::view(flags, 3, columns), test::view(out, 3, columns));
    append(results, out);
    masked_softmax(test::view(x, 3, columns), {}, test::view(out, 3, columns));
    append(results, out);
    const std::vector<float> weights = out;
    softmax_backward(test::view(weights, 3, columns), test::view(x, 3, columns), test::view(out, 3, columns));
    append(results, out);
    layer_norm(test::view(x, 3, columns), scale, shift, 1e-5f, test::view(out, 3, columns));
    append(results, out);
    std::vector<float> dscale = shift;
    std::vector<float> dshift = scale;
    layer_norm_backward(test::view(x, 3, columns), scale, 1e-5f, test::view(flags, 3, columns),
                        test::view(out, 3, columns), dscale, dshift);
    append(results, out);
    append(results, dscale);
    append(results, dshift);
  }
}

inline void run_axes(test::Samples& samples, std::vector<float>& results) {
  const core::Shape shape{3, 7, 5};
  const std::vector<float> x = samples.take(shape.size(), 30.0f);
  const std::vector<float> dy = samples.take(shape.size());
  std::vector<float> y(x.size());
  std::vector<float> dx(x.size());
  for (int axis = 0; axis < shape.rank(); ++axis) {
    softmax({x.data(), shape}, axis, y);
    append(results, y);
    softmax_backward({y.data(), shape}, axis, dy, dx);
    append(results, dx);
    log_softmax({x.data(), shape}, axis, y);
    append(results, y);
    log_softmax_backward({y.data(), shape}, axis, dy, dx);
    append(results, dx);
  }
}

inline void run_rms_norm_and_rope(test::Samples& samples, std::vector<float>& results) {
  for (const int columns : test::kSizes) {
    const std::vector<float> x = samples.take(3 * columns, 3.0f);
    const std::vector<float> dy = samples.take(3 * columns);
    const std::vector<float> scale = samples.take(columns);
    std::vector<float> out(x.size());
    std::vector<float> dx(x.size());
    std::vector<float> dscale(scale.size());
    rms_norm(test::view(x, 3, columns), scale, 1e-5f, test::view(out, 3, columns));
    append(results, out);
    rms_norm_backward(test::view(x, 3, columns), scale, 1e-5f, test::view(dy, 3, columns),
                      test::view(dx, 3, columns), dscale);
    append(results, dx);
    append(results, dscale);
    const int half = columns / 2;
    const std::vector<float> cosines = samples.take(3 * half);
    const std::vector<float> sines = samples.take(3 * half);
    for (const RotaryLayout layout : {RotaryLayout::interleaved, RotaryLayout::halves}) {
      rope(test::view(x, 3, columns), test::view(cosines, 3, half), test::view(sines, 3, half), layout,
           test::view(out, 3, columns));
      append(results, out);
      rope_backward(test::view(dy, 3, columns), test::view(cosines, 3, half), test::view(sines, 3, half),
                    layout, test::view(dx, 3, columns));
      append(results, dx);
    }
  }
}

inline void run_losses(test::Samples& samples, std::vector<float>& results) {
  for (const int columns : test::kSizes) {
    if (columns == 0) continue;
    const std::vector<float> logits = samples.take(4 * columns, 9.0f);
    const std::vector<float> weights = samples.take(columns);
    const std::vector<int> targets{0, columns / 2, -100, columns - 1};
    for (const float smoothing : {0.0f, 0.1f}) {
      const CrossEntropyOptions options{.label_smoothing = smoothing, .class_weights = weights};
      std::vector<float> losses(4);
      std::vector<float> dlogits(logits.size());
      cross_entropy(test::view(logits, 4, columns), targets, options, losses);
      append(results, losses);
      results.push_back(cross_entropy(test::view(logits, 4, columns), targets, {}, Reduction::mean));
      cross_entropy_backward(test::view(logits, 4, columns), targets, options, Reduction::none, losses,
                             test::view(dlogits, 4, columns));
      append(results, dlogits);
    }
  }
}

inline void run_adam(test::Samples& samples, std::vector<float>& results) {
  std::vector<float> parameter = samples.take(103);
  std::vector<float> first(parameter.size());
  std::vector<float> second(parameter.size());
  std::vector<float> largest(parameter.size());
  for (int step = 0; step < 3; ++step) {
    const std::vector<float> gradient = samples.take(103);
    adam_update({.l2 = 0.1f, .root_divisor = 0.3f}, gradient, parameter, first, second, largest);
    for (const std::vector<float>& values : {parameter, first, second, largest}) append(results, values);
  }
}

inline void run_dropout(test::Samples& samples, std::vector<float>& results) {
  const std::vector<float> x = samples.take(103);
  std::vector<float> keep(x.size());
  std::vector<float> out(x.size());
  for (const float p : {0.0f, 0.1f, 0.7f}) {
    dropout_mask({.seed = 9, .stream = 2}, 5, p, keep);
    dropout(x, keep, p, out);
    append(results, keep);
    append(results, out);
    dropout_backward(keep, p, x, out);
    append(results, out);
  }
}

inline void run_activations(test::Samples& samples, std::vector<float>& results) {
  using Forward = void (*)(std::span<const float>, std::span<float>);
  using Backward = void (*)(std::span<const float>, std::span<const float>, std::span<float>);
  constexpr Forward kForward[] = {relu, gelu, gelu_tanh, silu, tanh, sigmoid};
  constexpr Backward kBackward[] = {relu_backward, gelu_backward, gelu_tanh_backward,
                                    silu_backward, tanh_backward, sigmoid_backward};
  const std::vector<float> x = samples.take(1003, 12.0f);
  const std::vector<float> dy = samples.take(1003);
  std::vector<float> out(x.size());
  std::vector<float> dx(x.size());
  for (const Forward forward : kForward) {
    forward(x, out);
    append(results, out);
  }
  for (const Backward backward : kBackward) {
    backward(x, dy, dx);  // each adds to those before
    append(results, dx);
  }
  softcap(x, 3.0f, out);
  append(results, out);
  softcap_backward(x, 3.0f, dy, dx);
  append(results, dx);
}

inline void run_functions(test::Samples& samples, std::vector<float>& results) {
  const std::vector<float> x = samples.take(1003, 6.0f);
  const std::vector<float> y = samples.take(1003, 6.0f);
  std::vector<float> out(x.size());
  add(x, y, out);
  append(results, out);
  scale_backward(1.7f, x, out);
  append(results, out);
  scale(x, 2.3f, out);
  append(results, out);
  relu(x, out);
  append(results, out);
  gelu(x, out);
  append(results, out);
  for (const float value : x) {
    results.push_back(exp(value * 14.0f));
    results.push_back(erf(value));
    for (const double wide : {exp(static_cast<double>(value) * 3.0), log(6.5 + static_cast<double>(value)),
                              cos(static_cast<double>(value) * 1e4), sin(static_cast<double>(value))}) {
      const float high = static_cast<float>(wide);
      results.push_back(high);
      results.push_back(static_cast<float>(wide - static_cast<double>(high)));  // the bits a float drops
    }
  }
}

inline void run_fused(test::Samples& samples, std::vector<float>& results) {
  PackedMatrix weight1;
  PackedMatrix weight2;
  for (const HiddenActivation activation : {HiddenActivation::relu, HiddenActivation::gelu}) {
    const std::vector<float> x = samples.take(5 * 9);
    const std::vector<float> bias = samples.take(600);
    pack(test::view(samples.take(9 * 600), 9, 600), weight1);
    pack(test::view(samples.take(600 * 9), 600, 9), weight2);
    std::vector<float> scratch(feed_forward_scratch(5));
    std::vector<float> out(x.size());
    feed_forward(test::view(x, 5, 9), {weight1, bias, weight2, std::span(bias).first(9)}, activation, scratch,
                 test::view(out, 5, 9));
    append(results, out);
  }
  for (const HeadLayout heads : {HeadLayout{8, 1}, {4, 2}, {4, 4}, {3, 5}}) {
    const int width = heads.row_width();
    const std::vector<float> query = samples.take(7 * width);
    std::vector<float> keys(attention_store_size(heads, 9));
    store_keys(heads, test::view(samples.take(9 * width, 3.0f), 9, width), 0, keys);
    const std::vector<float> values = samples.take(9 * width);
    std::vector<float> flags = samples.take_flags(9);
    flags[0] = flags[2] = 1.0f;
    const VisibleKeys visible[7] = {{0, 1}, {0, 9, flags.data()},     {0, 0}, {3, 8},
                                    {0, 9}, {2, 7, flags.data() + 2}, {0, 4}};
    std::vector<float> scratch(attend_scratch(heads, 7, 9));
    std::vector<float> out(query.size());
    attend(heads, test::view(query, 7, width), 1.7f, keys, values, {visible, 0}, scratch,
           test::view(out, 7, width));
    append(results, out);
  }
}

/// Finite numbers only: the bits of a NaN are not promised. Every part draws from samples of its own, so a
/// change of one changes no other.
inline std::vector<test::BatteryPart> run_battery() {
  using Run = void (*)(test::Samples&, std::vector<float>&);
  constexpr std::pair<const char*, Run> kParts[] = {
      {"fused", run_fused},
      {"products", run_products},
      {"rows", run_rows},
      {"functions", run_functions},
      {"activations", run_activations},
      {"axes", run_axes},
      {"RMS norm and rotary embedding", run_rms_norm_and_rope},
      {"losses", run_losses},
      {"Adam", run_adam},
      {"dropout", run_dropout},
  };
  std::vector<test::BatteryPart> battery;
  for (const auto& [name, run] : kParts) {
    test::Samples samples(7);
    battery.push_back({name, {}});
    run(samples, battery.back().values);
  }
  return battery;
}

}  // namespace attn::kernels
