// A board of matrices from 1x1 to 512x512 for tests of the UI: one a step.
#pragma once

#include "lessons/lesson.h"

namespace attn::test {

/// Steps 0 to 3: 512x512, 1x512, 512x1, 1x1. Small values but for one spike, and one masked cell among
/// visible ones where there are enough cells.
const lessons::Lesson& sample_sizes();

inline constexpr int kSampleSizes = 4;
struct SampleSize {
  int rows, columns;
};
inline constexpr SampleSize kSampleSizeOf[kSampleSizes] = {{512, 512}, {1, 512}, {512, 1}, {1, 1}};
inline constexpr float kSpike = 9.0f;

/// Of the matrix of a step; its mask is at the same place of the mask site.
tape::Label sample_size_label(int step);
/// Where the spike is, and the masked cell, of a matrix of this size.
SampleSize spike_of(const SampleSize& size);
SampleSize hidden_of(const SampleSize& size);

}  // namespace attn::test
