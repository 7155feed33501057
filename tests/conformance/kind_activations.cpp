// Activation functions and their gradients, any shape.
#include "conformance/kinds.h"
#include "conformance/seed.h"
#include "conformance/tolerances.h"
#include "kernels/activation.h"

namespace attn::conformance {
namespace {

struct Kernels {
  void (*forward)(std::span<const float>, std::span<float>);
  void (*backward)(std::span<const float>, std::span<const float>, std::span<float>);
};

void run(LiteralCase& each, const Kernels& kernel) {
  const FloatArray x = each.floats("x");
  FloatArray y(x.extents);
  kernel.forward(x.values, y.values);
  each.expect_if_given("y", y, kFloat32Operator);
  if (!each.expects("grad_x")) return;
  FloatArray dx(x.extents);
  kernel.backward(x.values, seed_of(each, x.extents), dx.values);
  each.expect("grad_x", dx, kFloat32Operator);
}

}  // namespace

void kind_relu(LiteralCase& each) { run(each, {kernels::relu, kernels::relu_backward}); }
void kind_gelu_erf(LiteralCase& each) { run(each, {kernels::gelu, kernels::gelu_backward}); }
void kind_gelu_tanh(LiteralCase& each) { run(each, {kernels::gelu_tanh, kernels::gelu_tanh_backward}); }
void kind_sigmoid(LiteralCase& each) { run(each, {kernels::sigmoid, kernels::sigmoid_backward}); }
void kind_silu(LiteralCase& each) { run(each, {kernels::silu, kernels::silu_backward}); }
void kind_tanh(LiteralCase& each) { run(each, {kernels::tanh, kernels::tanh_backward}); }

}  // namespace attn::conformance
