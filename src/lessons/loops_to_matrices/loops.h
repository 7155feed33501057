// Self-attention as loops over words: what the matrix formula means, one number after the other.
//
// Sums go in the order of the kernels (kernels/matmul.h, kernels/softmax.h), so that float gives their bits:
// products from the first term to the last, the exponentials of a row in four lanes. `Order::backward` goes
// from the last term to the first instead, the exponentials in a single lane. Matrices are row-major.
#pragma once

#include <cstdint>

#include "kernels/scalar_math.h"

namespace attn::lessons::loops_to_matrices {

enum class Order : std::uint8_t { forward, backward };

/// The index of term `step` of a sum of `count` terms.
inline int term(Order order, int step, int count) {
  return order == Order::forward ? step : count - 1 - step;
}

/// out[i,j] = Σ_k a[i,k]·b[j,k]. a (rows, depth), b (columns, depth), out (rows, columns).
template <class Number>
void multiply_rows(const Number* a, const Number* b, int rows, int depth, int columns, Order order,
                   Number* out) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      Number sum = 0.0f;
      for (int step = 0; step < depth; ++step) {
        const int k = term(order, step, depth);
        sum = sum + a[i * depth + k] * b[j * depth + k];
      }
      out[i * columns + j] = sum;
    }
}

/// weights[j] = e^(scores[j] − max) / Σ_l e^(scores[l] − max) of one row of n. In place.
template <class Number>
void softmax_row(Number* row, int n, Order order) {
  using kernels::exp;
  Number largest = row[0];
  for (int j = 1; j < n; ++j)
    if (largest < row[j]) largest = row[j];
  Number lanes[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int step = 0; step < n; ++step) {
    const int j = term(order, step, n);
    Number& lane = lanes[order == Order::forward ? j % 4 : 0];
    row[j] = exp(row[j] - largest);
    lane = lane + row[j];
  }
  const Number sum = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
  for (int j = 0; j < n; ++j) row[j] = row[j] / sum;
}

/// Scratch and result of `attend`, each n·d but `weights`, n·n.
template <class Number>
struct Attention {
  Number* query;
  Number* key;
  Number* value;
  Number* weights;
  Number* output;
};

/// output = softmax(Q·Kᵀ / root)·V with Q = X·W_qᵀ and so on; X (n, d), the weights (d, d).
template <class Number>
void attend(const Number* x, const Number* w_q, const Number* w_k, const Number* w_v, int n, int d,
            Number root, Order order, const Attention<Number>& to) {
  multiply_rows(x, w_q, n, d, d, order, to.query);
  multiply_rows(x, w_k, n, d, d, order, to.key);
  multiply_rows(x, w_v, n, d, d, order, to.value);
  multiply_rows(to.query, to.key, n, d, n, order, to.weights);
  for (int i = 0; i < n; ++i) {
    Number* row = to.weights + i * n;
    for (int j = 0; j < n; ++j) row[j] = row[j] / root;
    softmax_row(row, n, order);
    for (int feature = 0; feature < d; ++feature) {
      Number sum = 0.0f;
      for (int step = 0; step < n; ++step) {
        const int j = term(order, step, n);
        sum = sum + row[j] * to.value[j * d + feature];
      }
      to.output[i * d + feature] = sum;
    }
  }
}

}  // namespace attn::lessons::loops_to_matrices
