#include "tape/explain.h"

#include "core/bits.h"
#include "support/catch.h"
#include "support/passes.h"
#include "support/random_model.h"

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
  CHECK(explained > 3000);
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
