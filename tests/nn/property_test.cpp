// Contract C1 over random configurations: whatever the family, sizes, heads, norms, positions and masks, the
// rows of a pass over a prefix, of one masked pass, and of a batch padded on either side have the same bits,
// in every tensor of the network.
//
// ATTN_CASE=<number> in the environment runs that case alone; ATTN_CASES=<count> changes how many there are,
// ATTN_SEED=<number> which ones.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/bits.h"
#include "nn/attention_operator.h"
#include "support/catch.h"
#include "support/gradient_check.h"
#include "support/random_case.h"
#include "support/random_model.h"

using namespace attn;

namespace {

constexpr std::uint64_t kCases = 2000;

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// Calls check(number) for each case of this run.
template <class Check>
std::uint64_t for_each_case(Check check) {
  constexpr std::uint64_t kNone = ~std::uint64_t{0};
  const std::uint64_t alone = from_environment("ATTN_CASE", kNone);
  const std::uint64_t first = alone != kNone ? alone : from_environment("ATTN_SEED", 0);
  const std::uint64_t count = alone != kNone ? 1 : from_environment("ATTN_CASES", kCases);
  for (std::uint64_t number = first; number < first + count; ++number) check(number);
  std::printf("C1: cases %llu to %llu", static_cast<unsigned long long>(first),
              static_cast<unsigned long long>(first + count - 1));
  return count;
}

struct Totals {
  long long tensors = 0;
  long long cells = 0;
};

/// Tensors of a tape that a comparison looks at.
int comparable(const tape::Tape& tape) {
  int count = 0;
  for (const tape::Entry& entry : tape.entries())
    count += entry.op != tape::Op::leaf && entry.label.site != tape::Site::unnamed ? 1 : 0;
  return count;
}

void require_equal(const std::vector<tape::TensorDifference>& differences, int expected, Totals& totals) {
  REQUIRE(static_cast<int>(differences.size()) == expected);
  for (const tape::TensorDifference& difference : differences) {
    totals.cells += difference.compared;
    if (difference.equal()) continue;
    INFO(tape::to_string(difference.label)
         << ": " << difference.different << " cells, " << difference.largest_ulp << " ULP");
    REQUIRE(difference.equal());
  }
  totals.tensors += expected;
}

}  // namespace

TEST_CASE("C1: prefix, masked and padded passes of random models agree to the bit in every tensor") {
  Totals totals;
  for_each_case([&](std::uint64_t number) {
    const test::RandomCase random = test::random_case(number);
    INFO(random.text() << "; run it alone with ATTN_CASE=" << number);
    const int length = static_cast<int>(random.subject().size());
    const tape::Tape whole = test::run_prefix(random, length);
    const int tensors = comparable(whole);
    test::RandomNumbers numbers(number);
    for (const int prefix_length : {1 + numbers.below(length), 1 + numbers.below(length)}) {
      INFO("prefix of " << prefix_length);
      const tape::Tape prefix = test::run_prefix(random, prefix_length);
      require_equal(tape::compare(whole, prefix), tensors, totals);
    }
    for (const std::uint64_t variant : {1u, 2u}) {
      const test::PaddedPass padded = test::run_padded(random, variant);
      INFO("sequence " << padded.place.index << " of a batch, padding " << padded.place.source_offset
                       << " and " << padded.place.target_offset);
      require_equal(tape::compare(whole, padded.tape, std::nullopt, {}, padded.place), tensors, totals);
    }
  });
  std::printf(", models: %lld tensors, %lld cells, all equal\n", totals.tensors, totals.cells);
  CHECK(totals.cells > 10 * totals.tensors);
}

namespace {

/// Random operands of the attention operator, (B, H, ·, ·), and the ways to leave keys out.
struct RandomAttention {
  int batch, heads, kv_heads, targets, past, d_k, d_v;
  core::Tensor query, key, value, bias;
  std::vector<std::uint8_t> visible;
  core::Shape visible_shape;
  nn::AttentionOptions options;

  int keys() const { return past + targets; }

  explicit RandomAttention(std::uint64_t number) {
    test::RandomNumbers numbers(number * 0x9e3779b97f4a7c15ull + 7);
    batch = 1 + numbers.below(3);
    kv_heads = 1 + numbers.below(3);
    heads = kv_heads * (1 + numbers.below(3));
    targets = 1 + numbers.below(9);
    past = numbers.below(2) * numbers.below(9);
    d_k = 1 + numbers.below(9);
    d_v = 1 + numbers.below(9);
    const auto tensor = [&](const core::Shape& shape) {
      return test::random_tensor(shape, numbers.next(), 2.0f);
    };
    query = tensor({batch, heads, targets, d_k});
    key = tensor({batch, kv_heads, keys(), d_k});
    value = tensor({batch, kv_heads, keys(), d_v});
    const auto maybe = [&](int extent) { return numbers.below(2) == 0 ? extent : 1; };
    const core::Shape broadcast{maybe(batch), maybe(heads), maybe(targets), keys()};
    if (numbers.below(3) == 0) bias = tensor(broadcast);
    visible_shape = {maybe(batch), maybe(heads), maybe(targets), keys()};
    if (numbers.below(2) == 0)
      for (int i = 0; i < visible_shape.size(); ++i) visible.push_back(numbers.below(4) > 0 ? 1 : 0);
    if (numbers.below(3) == 0) options.scale = 0.7f;
    if (numbers.below(3) == 0) options.softcap = 1.5f;
    options.causal = numbers.below(3) > 0;
    if (numbers.below(3) == 0) options.left_window = numbers.below(5);
    if (numbers.below(4) == 0) options.right_window = numbers.below(3);
  }

  /// Keys that row t of a causal pass can know of.
  int known_keys(int t) const { return options.causal ? past + t + 1 : keys(); }

  /// Axes of `tensor` cut down to sequence b, row t and the first `count` of `axis` (2 or 3).
  static core::Tensor part(const core::Tensor& tensor, int b, int first_row, int rows, int columns) {
    const core::Shape& shape = tensor.shape();
    const int from_b = shape[0] == 1 ? 0 : b;
    const int row_count = shape[2] == 1 ? 1 : rows;
    core::Tensor result(core::Shape{1, shape[1], row_count, columns});
    float* to = result.values();
    for (int h = 0; h < shape[1]; ++h)
      for (int i = 0; i < row_count; ++i)
        for (int j = 0; j < columns; ++j) {
          const int row = shape[2] == 1 ? 0 : first_row + i;
          *to++ = tensor.values()[((from_b * shape[1] + h) * shape[2] + row) * shape[3] + j];
        }
    return result;
  }

  nn::AttentionResult whole() const {
    return run({query, part_of_keys(key, 0, past), part_of_keys(value, 0, past),
                part_of_keys(key, past, targets), part_of_keys(value, past, targets), bias, mask_tensor()});
  }

  /// Row t of sequence b as a step: everything before it is past.
  nn::AttentionResult step(int b, int t) const {
    const int known = known_keys(t);
    const int before = options.causal ? known - 1 : past + t;  // what comes after stays part of the new keys
    return run({part(query, b, t, 1, d_k), keys_of(key, b, 0, before), keys_of(value, b, 0, before),
                keys_of(key, b, before, known - before), keys_of(value, b, before, known - before),
                bias.size() > 0 ? part(bias, b, t, 1, known) : core::Tensor(),
                visible.empty() ? core::Tensor() : part(mask_tensor(), b, t, 1, known)});
  }

 private:
  struct Pieces {
    core::Tensor query, past_key, past_value, key, value, bias, visible;
  };

  core::Tensor mask_tensor() const {
    if (visible.empty()) return {};
    core::Tensor tensor(visible_shape);
    for (std::size_t i = 0; i < visible.size(); ++i) tensor.flat()[i] = visible[i];
    return tensor;
  }

  /// Keys [first, first + count) of sequence b.
  core::Tensor keys_of(const core::Tensor& x, int b, int first, int count) const {
    const int width = x.shape()[3];
    core::Tensor result(core::Shape{1, kv_heads, count, width});
    for (int h = 0; h < kv_heads; ++h)
      std::copy_n(x.values() + ((b * kv_heads + h) * keys() + first) * width, count * width,
                  result.values() + h * count * width);
    return result;
  }

  /// Keys [first, first + count) of all sequences.
  core::Tensor part_of_keys(const core::Tensor& x, int first, int count) const {
    core::Tensor result(x.shape().with(2, count));
    for (int i = 0; i < batch * kv_heads; ++i)
      std::copy_n(x.values() + (i * keys() + first) * x.shape()[3], count * x.shape()[3],
                  result.values() + i * count * x.shape()[3]);
    return result;
  }

  nn::AttentionResult run(const Pieces& pieces) const {
    const auto view = [](const core::Tensor& tensor) {
      return tensor.size() > 0 ? tensor.view() : core::TensorView{};
    };
    nn::AttentionInputs inputs{view(pieces.query), pieces.key.view(), pieces.value.view(), {}, {},
                               view(pieces.bias)};
    if (pieces.past_key.shape()[2] > 0) {
      inputs.past_key = pieces.past_key.view();
      inputs.past_value = pieces.past_value.view();
    }
    nn::AttentionOptions all = options;
    if (pieces.visible.size() > 0) {
      std::vector<std::uint8_t> bits;
      for (const float value_of : pieces.visible.flat()) bits.push_back(value_of != 0.0f ? 1 : 0);
      all.mask = nn::Mask::grid(bits, pieces.visible.shape());
    }
    core::Result<nn::AttentionResult> result = nn::attention(inputs, all, {true, true, true, true});
    INFO((result.ok() ? "" : result.error()));
    REQUIRE(result.ok());
    return std::move(result).value();
  }
};

/// Requires that the step's tensor (1, H, 1, columns) has the bits of row (b, ·, t) of the whole one.
void require_same_row(const char* name, const core::Tensor& whole, const core::Tensor& step, int b, int t,
                      Totals& totals) {
  const core::Shape& shape = whole.shape();
  const int columns = step.shape()[3];
  for (int h = 0; h < shape[1]; ++h)
    for (int j = 0; j < columns; ++j) {
      const float expected = whole.values()[((b * shape[1] + h) * shape[2] + t) * shape[3] + j];
      CAPTURE(name, h, j);
      REQUIRE(core::bits_of(step.values()[h * columns + j]) == core::bits_of(expected));
    }
  ++totals.tensors;
  totals.cells += shape[1] * columns;
}

}  // namespace

TEST_CASE(
    "C1: a step of one row with everything before it as past has the bits of the attention operator's row") {
  Totals totals;
  for_each_case([&](std::uint64_t number) {
    const RandomAttention random(number);
    INFO("run it alone with ATTN_CASE=" << number);
    const nn::AttentionResult whole = random.whole();
    test::RandomNumbers numbers(number);
    const int b = numbers.below(random.batch);
    const int t = numbers.below(random.targets);
    const nn::AttentionResult step = random.step(b, t);
    require_same_row("output", whole.output, step.output, b, t, totals);
    require_same_row("scores", whole.scores, step.scores, b, t, totals);
    require_same_row("capped", whole.capped, step.capped, b, t, totals);
    require_same_row("masked", whole.masked, step.masked, b, t, totals);
    require_same_row("weights", whole.weights, step.weights, b, t, totals);
  });
  std::printf(", attention: %lld tensors, %lld cells, all equal\n", totals.tensors, totals.cells);
  CHECK(totals.tensors > 0);
}
