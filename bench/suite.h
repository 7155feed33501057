// What is timed: a list of cases, each of which prepares its inputs and then does its work as often as asked.
//
// Natively native.cpp times the list. In WebAssembly exports.cpp hands it to run.mjs, which times it in Node
// or in a page of Chromium: only they can read the processor time of the thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace attn::bench {

/// Does the work once. Owns its inputs.
using Work = std::function<void()>;

struct Case {
  std::string name;
  double flops = 0.0;     // multiplications and additions of the products in one run; 0: no rate is printed
  bool headline = false;  // timed when nothing is asked for by name
  std::function<Work()> prepare;
};

/// The best rate of separate f32x4 multiplications and additions into independent sums, which the other
/// cases' rates are a share of. Several numbers of sums: which is best depends on processor and compiler.
std::vector<Case> peak_cases();

/// Products, softmax, layer norm and elementwise functions, one by one.
std::vector<Case> kernel_cases();

/// Whole layers, forward passes and generation.
std::vector<Case> model_cases();

/// An optimiser step.
std::vector<Case> training_cases();

/// The peaks, then everything else.
std::vector<Case> all_cases();

/// Keeps the compiler from dropping a result that nobody looks at.
void keep(float value);

/// `count` numbers in [-1, 1), the same on every run.
std::vector<float> numbers(int count);

}  // namespace attn::bench
