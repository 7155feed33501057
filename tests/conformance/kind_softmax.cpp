// Softmax and log-softmax along one axis, with their gradients.
#include "conformance/errors.h"
#include "conformance/kinds.h"
#include "conformance/seed.h"
#include "conformance/tolerances.h"
#include "kernels/scalar_math.h"
#include "kernels/softmax_axis.h"

namespace attn::conformance {
namespace {

struct Kernels {
  void (*forward)(core::TensorView, int, std::span<float>);
  void (*backward)(core::TensorView, int, std::span<const float>, std::span<float>);
};

FloatArray input_of(LiteralCase& each) {
  FloatArray x = each.floats("x");
  if (each.text_or("note", "") == "input is log(x)")
    for (float& value : x.values) value = static_cast<float>(kernels::log(static_cast<double>(value)));
  return x;
}

void run(LiteralCase& each, const Kernels& kernel) {
  const FloatArray x = input_of(each);
  const int axis = normalised_axis(each.integer_or("axis", -1), static_cast<int>(x.extents.size()));
  const core::Shape shape = around_axis(x.extents, axis);
  FloatArray y(x.extents);
  kernel.forward(x.view_as(shape), 1, y.values);
  each.expect_if_given("y", y, kFloat32Operator);
  if (!each.expects("grad_x")) return;
  FloatArray dx(x.extents);
  kernel.backward(y.view_as(shape), 1, seed_of(each, x.extents), dx.values);
  each.expect("grad_x", dx, kFloat32Operator);
}

}  // namespace

void kind_softmax(LiteralCase& each) { run(each, {kernels::softmax, kernels::softmax_backward}); }
void kind_log_softmax(LiteralCase& each) { run(each, {kernels::log_softmax, kernels::log_softmax_backward}); }

}  // namespace attn::conformance
