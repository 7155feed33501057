// Four floats (F32x4) and four 32-bit integers (I32x4): the only file that knows instruction sets.
//
// One small set of inline functions over WebAssembly SIMD, SSE2, AArch64 NEON, or plain C++ where none of
// them exists or ATTN_FORCE_SCALAR is defined. Every operation is one IEEE-754 single-precision operation a
// lane, rounded to nearest, so all four give the same bits (the sign and payload of a NaN excepted, which no
// platform promises). Products and sums are never fused; the build passes -ffp-contract=off for that.
//
// Loads and stores need no alignment. Comparisons give a mask: all bits of a lane set or none.
#pragma once

#include <cstdint>

#if defined(ATTN_FORCE_SCALAR)
#define ATTN_F32X4_SCALAR
#elif defined(__wasm_simd128__)
#define ATTN_F32X4_WASM
#include <wasm_simd128.h>
#elif defined(__SSE2__)
#define ATTN_F32X4_SSE2
#include <emmintrin.h>
#elif defined(__aarch64__)
#define ATTN_F32X4_NEON
#include <arm_neon.h>
#else
#define ATTN_F32X4_SCALAR
#endif

#if defined(ATTN_F32X4_SCALAR)
#include <cmath>
#include <cstring>
#endif

namespace attn::kernels {

#if defined(ATTN_F32X4_WASM)

inline constexpr char kSimdName[] = "wasm128";

struct F32x4 {
  v128_t lanes;
};
struct I32x4 {
  v128_t lanes;
};

inline F32x4 splat(float value) { return {wasm_f32x4_splat(value)}; }
inline F32x4 load_splat(const float* from) { return {wasm_v128_load32_splat(from)}; }
inline F32x4 load(const float* from) { return {wasm_v128_load(from)}; }
inline void store(float* to, F32x4 a) { wasm_v128_store(to, a.lanes); }
inline F32x4 make(float a, float b, float c, float d) { return {wasm_f32x4_make(a, b, c, d)}; }
inline F32x4 operator+(F32x4 a, F32x4 b) { return {wasm_f32x4_add(a.lanes, b.lanes)}; }
inline F32x4 operator-(F32x4 a, F32x4 b) { return {wasm_f32x4_sub(a.lanes, b.lanes)}; }
inline F32x4 operator*(F32x4 a, F32x4 b) { return {wasm_f32x4_mul(a.lanes, b.lanes)}; }
inline F32x4 operator/(F32x4 a, F32x4 b) { return {wasm_f32x4_div(a.lanes, b.lanes)}; }
inline F32x4 sqrt(F32x4 a) { return {wasm_f32x4_sqrt(a.lanes)}; }
inline F32x4 min(F32x4 a, F32x4 b) { return {wasm_f32x4_pmin(a.lanes, b.lanes)}; }
inline F32x4 max(F32x4 a, F32x4 b) { return {wasm_f32x4_pmax(a.lanes, b.lanes)}; }
inline I32x4 less(F32x4 a, F32x4 b) { return {wasm_f32x4_lt(a.lanes, b.lanes)}; }
inline I32x4 not_equal(F32x4 a, F32x4 b) { return {wasm_f32x4_ne(a.lanes, b.lanes)}; }
inline F32x4 select(I32x4 mask, F32x4 a, F32x4 b) {
  return {wasm_v128_bitselect(a.lanes, b.lanes, mask.lanes)};
}
inline F32x4 keep(F32x4 a, I32x4 mask) { return {wasm_v128_and(a.lanes, mask.lanes)}; }
inline F32x4 clear(F32x4 a, I32x4 mask) { return {wasm_v128_andnot(a.lanes, mask.lanes)}; }
inline bool any(I32x4 mask) { return wasm_v128_any_true(mask.lanes); }
inline F32x4 interleave_low(F32x4 a, F32x4 b) { return {wasm_i32x4_shuffle(a.lanes, b.lanes, 0, 4, 1, 5)}; }
inline F32x4 interleave_high(F32x4 a, F32x4 b) { return {wasm_i32x4_shuffle(a.lanes, b.lanes, 2, 6, 3, 7)}; }
inline I32x4 splat_bits(std::int32_t value) { return {wasm_i32x4_splat(value)}; }
inline I32x4 bits_of(F32x4 a) { return {a.lanes}; }
inline F32x4 from_bits(I32x4 a) { return {a.lanes}; }
inline I32x4 operator+(I32x4 a, I32x4 b) { return {wasm_i32x4_add(a.lanes, b.lanes)}; }
inline I32x4 operator|(I32x4 a, I32x4 b) { return {wasm_v128_or(a.lanes, b.lanes)}; }
inline I32x4 operator&(I32x4 a, I32x4 b) { return {wasm_v128_and(a.lanes, b.lanes)}; }
template <int kBits>
inline I32x4 shift_left(I32x4 a) {
  return {wasm_i32x4_shl(a.lanes, kBits)};
}

#elif defined(ATTN_F32X4_SSE2)

inline constexpr char kSimdName[] = "sse2";

struct F32x4 {
  __m128 lanes;
};
struct I32x4 {
  __m128i lanes;
};

inline F32x4 splat(float value) { return {_mm_set1_ps(value)}; }
inline F32x4 load_splat(const float* from) { return {_mm_set1_ps(*from)}; }
inline F32x4 load(const float* from) { return {_mm_loadu_ps(from)}; }
inline void store(float* to, F32x4 a) { _mm_storeu_ps(to, a.lanes); }
inline F32x4 make(float a, float b, float c, float d) { return {_mm_setr_ps(a, b, c, d)}; }
inline F32x4 operator+(F32x4 a, F32x4 b) { return {_mm_add_ps(a.lanes, b.lanes)}; }
inline F32x4 operator-(F32x4 a, F32x4 b) { return {_mm_sub_ps(a.lanes, b.lanes)}; }
inline F32x4 operator*(F32x4 a, F32x4 b) { return {_mm_mul_ps(a.lanes, b.lanes)}; }
inline F32x4 operator/(F32x4 a, F32x4 b) { return {_mm_div_ps(a.lanes, b.lanes)}; }
inline F32x4 sqrt(F32x4 a) { return {_mm_sqrt_ps(a.lanes)}; }
inline F32x4 min(F32x4 a, F32x4 b) { return {_mm_min_ps(b.lanes, a.lanes)}; }
inline F32x4 max(F32x4 a, F32x4 b) { return {_mm_max_ps(b.lanes, a.lanes)}; }
inline I32x4 less(F32x4 a, F32x4 b) { return {_mm_castps_si128(_mm_cmplt_ps(a.lanes, b.lanes))}; }
inline I32x4 not_equal(F32x4 a, F32x4 b) { return {_mm_castps_si128(_mm_cmpneq_ps(a.lanes, b.lanes))}; }
inline F32x4 keep(F32x4 a, I32x4 mask) { return {_mm_and_ps(a.lanes, _mm_castsi128_ps(mask.lanes))}; }
inline F32x4 clear(F32x4 a, I32x4 mask) { return {_mm_andnot_ps(_mm_castsi128_ps(mask.lanes), a.lanes)}; }
inline F32x4 select(I32x4 mask, F32x4 a, F32x4 b) {
  return {_mm_or_ps(keep(a, mask).lanes, clear(b, mask).lanes)};
}
inline bool any(I32x4 mask) { return _mm_movemask_epi8(mask.lanes) != 0; }
inline F32x4 interleave_low(F32x4 a, F32x4 b) { return {_mm_unpacklo_ps(a.lanes, b.lanes)}; }
inline F32x4 interleave_high(F32x4 a, F32x4 b) { return {_mm_unpackhi_ps(a.lanes, b.lanes)}; }
inline I32x4 splat_bits(std::int32_t value) { return {_mm_set1_epi32(value)}; }
inline I32x4 bits_of(F32x4 a) { return {_mm_castps_si128(a.lanes)}; }
inline F32x4 from_bits(I32x4 a) { return {_mm_castsi128_ps(a.lanes)}; }
inline I32x4 operator+(I32x4 a, I32x4 b) { return {_mm_add_epi32(a.lanes, b.lanes)}; }
inline I32x4 operator|(I32x4 a, I32x4 b) { return {_mm_or_si128(a.lanes, b.lanes)}; }
inline I32x4 operator&(I32x4 a, I32x4 b) { return {_mm_and_si128(a.lanes, b.lanes)}; }
template <int kBits>
inline I32x4 shift_left(I32x4 a) {
  return {_mm_slli_epi32(a.lanes, kBits)};
}

#elif defined(ATTN_F32X4_NEON)

inline constexpr char kSimdName[] = "neon";

struct F32x4 {
  float32x4_t lanes;
};
struct I32x4 {
  int32x4_t lanes;
};

inline F32x4 splat(float value) { return {vdupq_n_f32(value)}; }
inline F32x4 load_splat(const float* from) { return {vld1q_dup_f32(from)}; }
inline F32x4 load(const float* from) { return {vld1q_f32(from)}; }
inline void store(float* to, F32x4 a) { vst1q_f32(to, a.lanes); }
inline F32x4 make(float a, float b, float c, float d) {
  const float values[4] = {a, b, c, d};
  return load(values);
}
inline F32x4 operator+(F32x4 a, F32x4 b) { return {vaddq_f32(a.lanes, b.lanes)}; }
inline F32x4 operator-(F32x4 a, F32x4 b) { return {vsubq_f32(a.lanes, b.lanes)}; }
inline F32x4 operator*(F32x4 a, F32x4 b) { return {vmulq_f32(a.lanes, b.lanes)}; }
inline F32x4 operator/(F32x4 a, F32x4 b) { return {vdivq_f32(a.lanes, b.lanes)}; }
inline F32x4 sqrt(F32x4 a) { return {vsqrtq_f32(a.lanes)}; }
inline I32x4 less(F32x4 a, F32x4 b) { return {vreinterpretq_s32_u32(vcltq_f32(a.lanes, b.lanes))}; }
inline I32x4 not_equal(F32x4 a, F32x4 b) {
  return {vreinterpretq_s32_u32(vmvnq_u32(vceqq_f32(a.lanes, b.lanes)))};
}
inline F32x4 select(I32x4 mask, F32x4 a, F32x4 b) {
  return {vbslq_f32(vreinterpretq_u32_s32(mask.lanes), a.lanes, b.lanes)};
}
inline F32x4 min(F32x4 a, F32x4 b) { return select(less(b, a), b, a); }
inline F32x4 max(F32x4 a, F32x4 b) { return select(less(a, b), b, a); }
inline I32x4 splat_bits(std::int32_t value) { return {vdupq_n_s32(value)}; }
inline I32x4 bits_of(F32x4 a) { return {vreinterpretq_s32_f32(a.lanes)}; }
inline F32x4 from_bits(I32x4 a) { return {vreinterpretq_f32_s32(a.lanes)}; }
inline I32x4 operator+(I32x4 a, I32x4 b) { return {vaddq_s32(a.lanes, b.lanes)}; }
inline I32x4 operator|(I32x4 a, I32x4 b) { return {vorrq_s32(a.lanes, b.lanes)}; }
inline I32x4 operator&(I32x4 a, I32x4 b) { return {vandq_s32(a.lanes, b.lanes)}; }
inline F32x4 keep(F32x4 a, I32x4 mask) { return from_bits(bits_of(a) & mask); }
inline F32x4 clear(F32x4 a, I32x4 mask) { return from_bits({vbicq_s32(bits_of(a).lanes, mask.lanes)}); }
inline bool any(I32x4 mask) { return vmaxvq_u32(vreinterpretq_u32_s32(mask.lanes)) != 0; }
inline F32x4 interleave_low(F32x4 a, F32x4 b) { return {vzip1q_f32(a.lanes, b.lanes)}; }
inline F32x4 interleave_high(F32x4 a, F32x4 b) { return {vzip2q_f32(a.lanes, b.lanes)}; }
template <int kBits>
inline I32x4 shift_left(I32x4 a) {
  return {vshlq_n_s32(a.lanes, kBits)};
}

#else  // plain C++

inline constexpr char kSimdName[] = "scalar";

struct F32x4 {
  float lanes[4];
};
struct I32x4 {
  std::int32_t lanes[4];
};

inline F32x4 splat(float value) { return {{value, value, value, value}}; }
inline F32x4 load_splat(const float* from) { return splat(*from); }
inline F32x4 load(const float* from) { return {{from[0], from[1], from[2], from[3]}}; }
inline void store(float* to, F32x4 a) { std::memcpy(to, a.lanes, sizeof a.lanes); }
inline F32x4 make(float a, float b, float c, float d) { return {{a, b, c, d}}; }

/// Applies an operation lane by lane.
template <class Result, class Operation, class... Arguments>
inline Result each_lane(Operation operation, const Arguments&... arguments) {
  return {{operation(arguments.lanes[0]...), operation(arguments.lanes[1]...),
           operation(arguments.lanes[2]...), operation(arguments.lanes[3]...)}};
}
inline F32x4 operator+(F32x4 a, F32x4 b) {
  return each_lane<F32x4>([](float x, float y) { return x + y; }, a, b);
}
inline F32x4 operator-(F32x4 a, F32x4 b) {
  return each_lane<F32x4>([](float x, float y) { return x - y; }, a, b);
}
inline F32x4 operator*(F32x4 a, F32x4 b) {
  return each_lane<F32x4>([](float x, float y) { return x * y; }, a, b);
}
inline F32x4 operator/(F32x4 a, F32x4 b) {
  return each_lane<F32x4>([](float x, float y) { return x / y; }, a, b);
}
inline F32x4 sqrt(F32x4 a) {
  return each_lane<F32x4>([](float x) { return std::sqrt(x); }, a);
}
inline F32x4 min(F32x4 a, F32x4 b) {
  return each_lane<F32x4>([](float x, float y) { return y < x ? y : x; }, a, b);
}
inline F32x4 max(F32x4 a, F32x4 b) {
  return each_lane<F32x4>([](float x, float y) { return x < y ? y : x; }, a, b);
}
inline I32x4 less(F32x4 a, F32x4 b) {
  return each_lane<I32x4>([](float x, float y) { return x < y ? -1 : 0; }, a, b);
}
inline I32x4 not_equal(F32x4 a, F32x4 b) {
  return each_lane<I32x4>([](float x, float y) { return x != y ? -1 : 0; }, a, b);
}
inline I32x4 splat_bits(std::int32_t value) { return {{value, value, value, value}}; }
inline I32x4 bits_of(F32x4 a) {
  I32x4 bits;
  std::memcpy(bits.lanes, a.lanes, sizeof bits.lanes);
  return bits;
}
inline F32x4 from_bits(I32x4 a) {
  F32x4 value;
  std::memcpy(value.lanes, a.lanes, sizeof value.lanes);
  return value;
}
inline I32x4 operator+(I32x4 a, I32x4 b) {
  return each_lane<I32x4>(
      [](std::int32_t x, std::int32_t y) {
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(x) + static_cast<std::uint32_t>(y));
      },
      a, b);
}
inline I32x4 operator|(I32x4 a, I32x4 b) {
  return each_lane<I32x4>([](std::int32_t x, std::int32_t y) { return x | y; }, a, b);
}
inline I32x4 operator&(I32x4 a, I32x4 b) {
  return each_lane<I32x4>([](std::int32_t x, std::int32_t y) { return x & y; }, a, b);
}
inline F32x4 keep(F32x4 a, I32x4 mask) { return from_bits(bits_of(a) & mask); }
inline F32x4 clear(F32x4 a, I32x4 mask) {
  return from_bits(each_lane<I32x4>([](std::int32_t x, std::int32_t m) { return x & ~m; }, bits_of(a), mask));
}
inline F32x4 select(I32x4 mask, F32x4 a, F32x4 b) {
  return from_bits(bits_of(keep(a, mask)) | bits_of(clear(b, mask)));
}
inline bool any(I32x4 mask) { return (mask.lanes[0] | mask.lanes[1] | mask.lanes[2] | mask.lanes[3]) != 0; }
inline F32x4 interleave_low(F32x4 a, F32x4 b) { return {{a.lanes[0], b.lanes[0], a.lanes[1], b.lanes[1]}}; }
inline F32x4 interleave_high(F32x4 a, F32x4 b) { return {{a.lanes[2], b.lanes[2], a.lanes[3], b.lanes[3]}}; }
template <int kBits>
inline I32x4 shift_left(I32x4 a) {
  return each_lane<I32x4>(
      [](std::int32_t x) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(x) << kBits); }, a);
}

#endif

// What follows is the same on every path.

/// min(a, b) is b < a ? b : a and max(a, b) is a < b ? b : a, lane by lane: where a lane of either is NaN,
/// a's stays. keep(a, mask) is a where the mask is set and +0 elsewhere; clear(a, mask) the other way round.
/// interleave_low(a, b) is (a0, b0, a1, b1), interleave_high(a, b) is (a2, b2, a3, b3).

inline F32x4 zero() { return splat(0.0f); }

/// The first `count` (0 to 3) floats, the other lanes +0. Nothing beyond them is read.
inline F32x4 load_partial(const float* from, int count) {
  switch (count) {
    case 1:
      return make(from[0], 0.0f, 0.0f, 0.0f);
    case 2:
      return make(from[0], from[1], 0.0f, 0.0f);
    case 3:
      return make(from[0], from[1], from[2], 0.0f);
    default:
      return zero();
  }
}

/// Writes the first `count` (0 to 4) lanes and nothing beyond them.
inline void store_partial(float* to, F32x4 a, int count) {
  float lanes[4];
  store(lanes, a);
  for (int lane = 0; lane < count; ++lane) to[lane] = lanes[lane];
}

/// The mask whose first `count` (0 to 4) lanes are set.
inline I32x4 first_lanes(int count) {
  static constexpr float kLane[4] = {0.0f, 1.0f, 2.0f, 3.0f};
  return less(load(kLane), splat(static_cast<float>(count)));
}

/// (lane 0 + lane 1) + (lane 2 + lane 3): the one order in which striped sums are combined.
inline float sum_of_lanes(F32x4 a) {
  float lanes[4];
  store(lanes, a);
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

/// The largest lane; which NaN or zero of several wins is not specified.
inline float max_of_lanes(F32x4 a) {
  float lanes[4];
  store(lanes, a);
  const float left = lanes[0] < lanes[1] ? lanes[1] : lanes[0];
  const float right = lanes[2] < lanes[3] ? lanes[3] : lanes[2];
  return left < right ? right : left;
}

}  // namespace attn::kernels
