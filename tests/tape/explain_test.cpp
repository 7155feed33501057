#include "tape/explain.h"

#include "core/bits.h"
#include "nn/attention_operator.h"
#include "support/catch.h"
#include "support/gradient_check.h"
#include "support/passes.h"
#include "support/random_model.h"
#include "tape/ops.h"

using namespace attn;
using tape::Form;

namespace {

template <class Visit>
void for_each_index(const core::Shape& shape, Visit&& visit) {
  for (int flat = 0; flat < shape.size(); ++flat) {
    std::array<int, 4> index{};
    int rest = flat;
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
      index[static_cast<std::size_t>(axis)] = rest % shape[axis];
      rest /= shape[axis];
    }
    visit(flat, index);
  }
}

/// Requires that every element of every entry recomputes to its bits; how many had something to explain.
int check_every_cell(const tape::Tape& tape) {
  int explained = 0;
  for (int i = 0; i < static_cast<int>(tape.entries().size()); ++i) {
    const tape::Entry& entry = tape.entry({i});
    for_each_index(entry.value.shape, [&](int flat, const std::array<int, 4>& index) {
      const tape::Explanation explanation = tape::explain(tape, {i}, index);
      INFO(tape::to_string(entry.label) << " element " << flat);
      REQUIRE(core::bits_of(explanation.result.value) == core::bits_of(entry.value.values[flat]));
      REQUIRE(core::bits_of(tape::recompute(explanation)) == core::bits_of(entry.value.values[flat]));
      if (explanation.form != Form::given) ++explained;
    });
  }
  return explained;
}

}  // namespace

TEST_CASE("every cell of every tensor recomputes from its explanation to the same bits") {
  const bool norm_first = GENERATE(false, true);
  const nn::TransformerConfig config{.d_model = 8,
                                     .n_heads = 2,
                                     .n_encoder_layers = 1,
                                     .n_decoder_layers = 1,
                                     .d_ff = 11,
                                     .activation = norm_first ? nn::Activation::gelu : nn::Activation::relu,
                                     .norm_first = norm_first};
  const nn::Transformer model = test::random_transformer(config, 3);
  const std::vector<int> source = test::random_tokens(6, config.vocabulary, 4);
  const std::vector<int> target = test::random_tokens(7, config.vocabulary, 5);
  core::Tensor poke(core::Shape{7, 8});
  for (float& value : poke.flat()) value = 0.25f;
  const tape::Tape tape = test::run_pass(model, source, target, {}, norm_first ? &poke : nullptr);
  CHECK(check_every_cell(tape) > 3000);
}

TEST_CASE("every cell of a padded batch recomputes from its explanation to the same bits") {
  const nn::TransformerConfig config{.family = nn::Family::decoder_only,
                                     .d_model = 8,
                                     .n_heads = 2,
                                     .n_decoder_layers = 1,
                                     .d_ff = 9,
                                     .positions = nn::Positions::learned,
                                     .output_projection = nn::OutputProjection::tied};
  const nn::Transformer model = test::random_transformer(config, 8);
  const std::vector<int> ids = test::random_tokens(3 * 6, config.vocabulary, 9);
  const int padding[] = {0, 1, 4};
  tape::Tape tape;
  const tape::Value x = nn::embed(tape, model, tape::Stack::decoder, nn::TokenBatch{ids, 3});
  nn::logits(tape, model,
             nn::decode(tape, model, x, nn::Mask::causal().and_also(nn::Mask::left_padding(padding))));
  CHECK(check_every_cell(tape) > 3 * 6 * 8 * 10);
}

TEST_CASE(
    "every cell of attention with past, shared heads, softcap, bias and window recomputes to its bits") {
  const bool batched = GENERATE(false, true);
  const auto leaf = [&](tape::Tape& tape, int heads, int rows, int width, std::uint64_t seed) {
    const core::Shape shape = batched ? core::Shape{2, heads, rows, width} : core::Shape{heads, rows, width};
    return tape.leaf(test::random_tensor(shape, seed).view(), {});
  };
  tape::Tape tape;
  const nn::AttentionValues values{leaf(tape, 4, 3, 5, 1), leaf(tape, 2, 3, 5, 2), leaf(tape, 2, 3, 6, 3),
                                   leaf(tape, 2, 4, 5, 4), leaf(tape, 2, 4, 6, 5), leaf(tape, 4, 3, 7, 6)};
  nn::AttentionOptions options{.scale = 0.3f, .softcap = 1.25f, .causal = true, .left_window = 4};
  const std::vector<std::uint8_t> visible{1, 1, 0, 1, 1, 1, 1};
  options.mask = nn::Mask::keys(visible);
  const nn::RecordedAttention recorded =
      nn::record_attention(tape, values, options, {tape::Stack::decoder, 0, tape::Block::self_attention});
  const int copies = batched ? 2 : 1;
  CHECK(check_every_cell(tape) == copies * (2 * 7 * 5 + 2 * 7 * 6 + 4 * 4 * 3 * 7 + 4 * 3 * 6));

  const tape::Explanation capped = tape::explain(tape, recorded.capped, {0, 1, 2});
  CHECK(capped.form == Form::function);
  CHECK(tape::function_name(capped.op) == "softcap");
  CHECK(capped.terms[0].a.label.site == tape::Site::scores);
  const tape::Explanation biased = tape::explain(tape, recorded.biased, {0, 1, 2});
  CHECK(biased.form == Form::plain_sum);
  CHECK(tape::explain(tape, recorded.scores, {0, 1, 2}).divisor_squared == 0);  // the scale is not 1/√5
}

TEST_CASE("a difference is explained as one tensor less another, each by its name") {
  tape::Tape tape;
  const tape::Value a = tape.leaf(test::random_tensor({2, 3}, 1).view(), {.site = tape::Site::attention});
  const tape::Value b = tape.leaf(test::random_tensor({2, 3}, 2).view(), {.site = tape::Site::unchanged});
  const tape::Value difference = tape::subtract(tape, a, b, {.site = tape::Site::poke});
  CHECK(check_every_cell(tape) == 6);
  const tape::Explanation cell = tape::explain(tape, difference, {1, 2});
  CHECK(cell.form == tape::Form::difference);
  REQUIRE(cell.terms.size() == 2);
  CHECK(cell.terms[0].a.label.site == tape::Site::attention);
  CHECK(cell.terms[1].a.label.site == tape::Site::unchanged);
  CHECK(core::bits_of(cell.result.value) ==
        core::bits_of(tape.tensor(a).values[5] - tape.tensor(b).values[5]));
}

TEST_CASE("the mean of heads and a divided row open as sums over a divisor") {
  tape::Tape tape;
  const tape::Value weights =
      tape.leaf(test::random_tensor({3, 2, 4}, 1).view(), {.site = tape::Site::weights});
  const tape::Value mean = tape::mean_heads(tape, weights, {});
  const tape::Value sums = tape.leaf(test::random_tensor({6}, 2).view(), {.site = tape::Site::row_sums});
  const tape::Value shares = tape::divide_rows(tape, weights, sums, {});
  CHECK(check_every_cell(tape) == 8 + 24);
  const tape::Explanation of_mean = tape::explain(tape, mean, {0, 1, 2});
  CHECK(of_mean.form == Form::scaled_products);
  REQUIRE(of_mean.terms.size() == 3);
  CHECK(of_mean.terms[2].a.index == std::array{2, 1, 2, 0});
  CHECK(of_mean.divisor == 3.0f);
  const tape::Explanation of_share = tape::explain(tape, shares, {2, 1, 3});
  REQUIRE(of_share.terms.size() == 1);
  CHECK(of_share.divisor == tape.tensor(sums).values[5]);
}

TEST_CASE("an element of a copy nobody named goes by the name of what was copied") {
  tape::Tape tape;
  const auto leaf = [&](const core::Shape& shape, tape::Site site) {
    return tape.leaf(test::random_tensor(shape, 1).view(), {.site = site});
  };
  const tape::Value query = leaf({4, 3}, tape::Site::query_columns);
  const tape::Value key = leaf({4, 5}, tape::Site::key_columns);
  const auto heads = [&](tape::Value columns) {
    return tape::split_heads(tape, tape::transpose(tape, columns, {}), 2, {});
  };
  const tape::Value scores = tape::scores(tape, heads(key), heads(query), 1.0f, {.site = tape::Site::scores});
  const tape::Value turned = tape::transpose(tape, scores, {.site = tape::Site::biased_scores});
  const tape::Value merged = tape::merge_heads(tape, turned, {});
  const tape::Value shifted = tape::relu(tape, merged, {.site = tape::Site::activated});
  check_every_cell(tape);
  for (const tape::Value value : {scores, turned}) {
    const tape::Explanation cell =
        tape::explain(tape, value, value == scores ? std::array{1, 4, 2, 0} : std::array{1, 2, 4, 0});
    CHECK(cell.form == Form::scaled_products);
    REQUIRE(cell.terms.size() == 2);
    CHECK(cell.terms[1].a.label.site == tape::Site::key_columns);
    CHECK(cell.terms[1].a.rank == 2);
    CHECK(cell.terms[1].a.index == std::array{3, 4, 0, 0});
    CHECK(cell.terms[1].b.label.site == tape::Site::query_columns);
    CHECK(cell.terms[1].b.index == std::array{3, 2, 0, 0});
  }
  const tape::Explanation of_merged = tape::explain(tape, shifted, {2, 5 + 4, 0, 0});
  CHECK(of_merged.terms[0].a.label.site == tape::Site::biased_scores);
  CHECK(of_merged.terms[0].a.index == std::array{1, 2, 4, 0});
}

TEST_CASE("a score is explained as query times key over the root of d_k") {
  const nn::TransformerConfig config{
      .d_model = 8, .n_heads = 2, .n_encoder_layers = 1, .n_decoder_layers = 1, .d_ff = 4};
  const nn::Transformer model = test::random_transformer(config, 6);
  const int tokens[] = {1, 2, 3};
  const tape::Tape tape = test::run_pass(model, tokens, tokens);
  const tape::Label label{tape::Stack::decoder, 0, tape::Block::self_attention, tape::Site::scores};
  const tape::Explanation explanation = tape::explain(tape, tape.find(label), {1, 2, 0});
  CHECK(explanation.form == Form::scaled_products);
  REQUIRE(explanation.terms.size() == 4);
  CHECK(explanation.terms[3].a.label.site == tape::Site::query);
  CHECK(explanation.terms[3].a.index == std::array<int, 4>{1, 2, 3, 0});
  CHECK(explanation.terms[3].b.label.site == tape::Site::key);
  CHECK(explanation.terms[3].b.index == std::array<int, 4>{1, 0, 3, 0});
  CHECK(explanation.divisor_squared == 4);
  CHECK(explanation.divisor == 2.0f);
}

TEST_CASE("a weight is explained by the visible scores alone") {
  const nn::TransformerConfig config{
      .d_model = 8, .n_heads = 1, .n_encoder_layers = 1, .n_decoder_layers = 1, .d_ff = 4};
  const nn::Transformer model = test::random_transformer(config, 7);
  const int tokens[] = {1, 2, 3, 4};
  const tape::Tape tape = test::run_pass(model, tokens, tokens);
  const tape::Value weights =
      tape.find({tape::Stack::decoder, 0, tape::Block::self_attention, tape::Site::weights});
  const tape::Explanation visible = tape::explain(tape, weights, {0, 1, 0});
  CHECK(visible.form == Form::softmax);
  CHECK(visible.terms.size() == 2);
  CHECK(visible.chosen == 0);
  const tape::Explanation masked = tape::explain(tape, weights, {0, 1, 2});
  CHECK(masked.form == Form::masked);
  CHECK(masked.result.value == 0.0f);
}
