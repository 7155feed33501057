#include "kernels/attention.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "kernels/reference_attention.h"
#include "kernels/samples.h"
#include "support/catch.h"

using namespace attn;
using kernels::HeadLayout;
using kernels::VisibleKeys;
using test::kSizes;
using test::same_bits;
using test::Samples;
using test::view;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// Inputs of one call, and who sees what: flags (queries, keys), or (heads, queries, keys).
struct Call {
  HeadLayout heads;
  int queries;
  int keys;
  float divisor;
  std::vector<float> query, key, value;
  std::vector<float> flags;
  bool by_head;
};

Call random_call(Samples& samples, HeadLayout heads, int queries, int keys, bool by_head = false) {
  const int width = heads.row_width();
  return {heads,
          queries,
          keys,
          std::sqrt(static_cast<float>(heads.width)),
          samples.take(queries * width, 2.0f),
          samples.take(keys * width, 2.0f),
          samples.take(keys * width),
          samples.take_flags(queries * keys * (by_head ? heads.n_heads : 1)),
          by_head};
}

std::vector<float> columns_of(const std::vector<float>& rows, int width, int first, int count) {
  std::vector<float> result;
  for (std::size_t row = 0; row < rows.size(); row += static_cast<std::size_t>(width))
    for (int j = 0; j < count; ++j) result.push_back(rows[row + static_cast<std::size_t>(first + j)]);
  return result;
}

std::vector<float> expected(const Call& call) {
  const auto width = static_cast<std::size_t>(call.heads.width);
  const auto row_width = static_cast<std::size_t>(call.heads.row_width());
  const auto keys = static_cast<std::size_t>(call.keys);
  std::vector<float> out(call.query.size());
  for (int h = 0; h < call.heads.n_heads; ++h) {
    const int column = h * call.heads.width;
    const std::vector<float> head_keys =
        columns_of(call.key, call.heads.row_width(), column, call.heads.width);
    const std::vector<float> head_values =
        columns_of(call.value, call.heads.row_width(), column, call.heads.width);
    for (int i = 0; i < call.queries; ++i) {
      const std::size_t at = static_cast<std::size_t>(i) * row_width + static_cast<std::size_t>(column);
      const auto mask_row = static_cast<std::size_t>(call.by_head ? h * call.queries + i : i);
      kernels::reference::attend<float>(std::span(call.query).subspan(at, width), call.divisor, head_keys,
                                        head_values, std::span(call.flags).subspan(mask_row * keys, keys),
                                        std::span(out).subspan(at, width));
    }
  }
  return out;
}

/// Keys and values in attend()'s layout, written in pieces of `piece` rows.
struct Store {
  std::vector<float> keys, values;

  Store(const Call& call, int piece) {
    keys.assign(kernels::attention_store_size(call.heads, call.keys), 0.0f);
    values = keys;
    const int width = call.heads.row_width();
    for (int first = 0; first < call.keys; first += piece) {
      const int count = std::min(piece, call.keys - first);
      kernels::store_keys(call.heads, {call.key.data() + first * width, count, width, width}, first, keys);
      const core::Matrix place = kernels::stored_values(call.heads, first, count, values);
      for (int i = 0; i < count; ++i)
        std::copy_n(call.value.data() + (first + i) * width, width, place.row(i));
    }
  }
};

/// `with_flags`: also rows that see every key between their first and last one get flags.
std::vector<float> attend(const Call& call, int piece = 3, bool with_flags = false) {
  const Store store(call, piece);
  std::vector<VisibleKeys> visible;
  for (int row = 0; row < call.queries * (call.by_head ? call.heads.n_heads : 1); ++row) {
    const float* flags = call.flags.data() + row * call.keys;
    int first = 0;
    int end = call.keys;
    while (first < end && flags[end - 1] == 0.0f) --end;
    while (first < end && flags[first] == 0.0f) ++first;
    const bool all = std::all_of(flags + first, flags + end, [](float flag) { return flag != 0.0f; });
    visible.push_back(first < end ? VisibleKeys{first, end, all && !with_flags ? nullptr : flags + first}
                                  : VisibleKeys{});
  }
  std::vector<float> scratch(kernels::attend_scratch(call.heads, call.queries, call.keys), kNan);
  const int width = call.heads.row_width();
  std::vector<float> out(call.query.size(), kNan);
  kernels::attend(call.heads, view(call.query, call.queries, width), call.divisor, store.keys, store.values,
                  {visible.data(), call.by_head ? call.queries : 0}, scratch, view(out, call.queries, width));
  return out;
}

constexpr HeadLayout kLayouts[] = {{8, 1}, {4, 2}, {4, 4}, {12, 1}, {8, 4}, {1, 8},  {2, 4},
                                   {3, 1}, {5, 2}, {4, 3}, {2, 7},  {1, 1}, {4, 16}, {2, 33}};

}  // namespace

TEST_CASE("attend gives the reference's bits for every size, head layout and mask") {
  Samples samples;
  for (const HeadLayout heads : kLayouts)
    for (const int queries : kSizes)
      for (const int keys : kSizes) {
        CAPTURE(heads.n_heads, heads.width, queries, keys);
        const Call call = random_call(samples, heads, queries, keys);
        const std::vector<float> want = expected(call);
        REQUIRE(same_bits(attend(call), want));
        REQUIRE(same_bits(attend(call, 1, true), want));
      }
}

TEST_CASE("attend gives the reference's bits when every head has a mask of its own") {
  Samples samples(2);
  for (const HeadLayout heads : kLayouts)
    for (const int queries : {1, 2, 5, 33})
      for (const int keys : {1, 4, 7, 17}) {
        CAPTURE(heads.n_heads, heads.width, queries, keys);
        const Call call = random_call(samples, heads, queries, keys, true);
        REQUIRE(same_bits(attend(call), expected(call)));
      }
}

TEST_CASE("attend under a causal mask equals attend of every shorter sequence") {
  Samples samples(3);
  constexpr int kLength = 41;  // more than one block of queries
  for (const HeadLayout heads : kLayouts) {
    Call call = random_call(samples, heads, kLength, kLength);
    for (int i = 0; i < kLength; ++i)
      for (int j = 0; j < kLength; ++j)
        call.flags[static_cast<std::size_t>(i * kLength + j)] = j <= i ? 1.0f : 0.0f;
    const std::vector<float> whole = attend(call);
    REQUIRE(same_bits(whole, expected(call)));
    const int width = heads.row_width();
    for (int length = 1; length <= kLength; ++length) {
      CAPTURE(heads.n_heads, heads.width, length);
      // The last query alone, as a cached step asks.
      Call step = call;
      step.queries = 1;
      step.keys = length;
      const auto row = static_cast<std::size_t>((length - 1) * width);
      step.query.assign(call.query.begin() + static_cast<std::ptrdiff_t>(row),
                        call.query.begin() + static_cast<std::ptrdiff_t>(row) + width);
      step.key.resize(static_cast<std::size_t>(length * width));
      step.value.resize(step.key.size());
      step.flags.assign(static_cast<std::size_t>(length), 1.0f);
      REQUIRE(same_bits(attend(step), std::span(whole).subspan(row, static_cast<std::size_t>(width))));
    }
  }
}

TEST_CASE("a query that sees no key has context 0, and attend may write over its queries") {
  Samples samples(4);
  for (const HeadLayout heads : kLayouts) {
    CAPTURE(heads.n_heads, heads.width);
    const int width = heads.row_width();
    Call call = random_call(samples, heads, 3, 6);
    for (std::size_t j = 6; j < 12; ++j) call.flags[j] = 0.0f;  // query 1
    call.flags[0] = call.flags[12] = 1.0f;
    const std::vector<float> context = attend(call);
    for (int j = 0; j < width; ++j) CHECK(test::bits_of(context[static_cast<std::size_t>(width + j)]) == 0u);

    const Store store(call, 6);
    const VisibleKeys visible[3] = {{0, 6, call.flags.data()}, {}, {0, 6, call.flags.data() + 12}};
    std::vector<float> scratch(kernels::attend_scratch(heads, 3, 6), kNan);
    std::vector<float> in_place = call.query;
    kernels::attend(heads, view(call.query, 3, width), call.divisor, store.keys, store.values, {visible, 0},
                    scratch, view(in_place, 3, width));
    CHECK(same_bits(in_place, context));
    in_place = call.query;
    kernels::attend(heads, view(std::as_const(in_place), 3, width), call.divisor, store.keys, store.values,
                    {visible, 0}, scratch, view(in_place, 3, width));
    CHECK(same_bits(in_place, context));
  }
}

TEST_CASE("a divisor that is a power of two gives the bits of a division, at the ends of the range too") {
  Samples samples(5);
  for (const float divisor : {1.0f, 2.0f, 8.0f, 0.25f, 3.0f, 0x1p-60f, 0x1p+60f, 0x1p-61f, 0x1p+61f, 7.5f}) {
    for (const HeadLayout heads : {HeadLayout{4, 2}, HeadLayout{2, 5}}) {
      CAPTURE(divisor, heads.n_heads);
      Call call = random_call(samples, heads, 3, 9);
      call.divisor = divisor;
      if (divisor < 0.1f)
        for (float& value : call.query) value *= 0x1p-62f;
      REQUIRE(same_bits(attend(call), expected(call)));
    }
  }
}
