// The reference numbers that a plain clone has: outputs, activations and attention weights of PyTorch's.
#include <cstdio>
#include <filesystem>

#include "conformance/files.h"
#include "conformance/oracle_models.h"
#include "conformance/report.h"
#include "conformance/runner.h"
#include "conformance/tolerances.h"
#include "conformance/torch_names.h"
#include "nn/initialize.h"
#include "support/catch.h"
#include "support/fixtures.h"

namespace {

using namespace attn;
using conformance::CaseResult;
using conformance::OracleFile;
using conformance::Verdict;

/// The model of torch.manual_seed(0) with PyTorch's embedding.
nn::Transformer seed_model(const OracleFile& oracle) {
  nn::Transformer model = nn::make_transformer({});
  REQUIRE(nn::initialize_like_pytorch(model, 0).ok());
  const std::vector<double> embedding = oracle.numbers("embedding.weight");
  for (std::size_t i = 0; i < embedding.size(); ++i)
    model.embedding.flat()[i] = static_cast<float>(embedding[i]);
  return model;
}

}  // namespace

TEST_CASE("Outputs, activations and attention weights are PyTorch's, from the committed fixtures") {
  int passed = 0;
  for (const conformance::Case& each : conformance::find_cases(test::fixture_path("oracle"))) {
    const CaseResult result = conformance::run_case(each);
    INFO(each.name << " (" << each.op << "): " << result.message << result.worst);
    CHECK(result.verdict == Verdict::passed);
    ++passed;
  }
  // 32 variants and the activations of one, 2 small models and their state dict.
  CHECK(passed == 32 + 1 + 2 + 1);
}

TEST_CASE("The comparison with PyTorch sees a wrong mask, a wrong norm and a wrong activation") {
  const OracleFile oracle(test::fixture_path("oracle/A_outputs.safetensors"));
  const nn::Transformer model = seed_model(oracle);
  const conformance::OracleTokens source = conformance::tokens_of(oracle, "src", model.config.vocabulary);
  const conformance::OracleTokens target = conformance::tokens_of(oracle, "tgt", model.config.vocabulary);
  const auto ratio_against = [&](const char* name, const nn::TransformerMasks& masks) {
    tape::Tape tape;
    const tape::Value output = conformance::record_pass(tape, model, source, target, masks);
    conformance::Judge judge;
    judge.expect(name, conformance::FloatArray(tape.tensor(output)), oracle.array(name),
                 conformance::kTransformer);
    return judge.worst_ratio();
  };
  nn::TransformerMasks without_target_mask;
  without_target_mask.target = nn::Mask::none();
  constexpr double kVisible = 500.0;  // far above what is allowed
  CHECK(ratio_against("h8_post_relu/f64/full", {}) <= 1.0);
  CHECK(ratio_against("h8_post_relu/f64/full", without_target_mask) > kVisible);
  CHECK(ratio_against("h8_post_relu_pad/f64/full", {}) > kVisible);
  CHECK(ratio_against("h8_pre_relu/f64/full", {}) > kVisible);
  CHECK(ratio_against("h8_post_gelu/f64/full", {}) > kVisible);
  CHECK(ratio_against("h4_post_relu/f64/full", {}) > kVisible);
}

TEST_CASE("The committed fixtures are as small as a clone can carry") {
  constexpr std::uintmax_t kBudget = 256 * 1024;
  std::uintmax_t total = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(test::fixture_path("")))
    if (entry.is_regular_file() && entry.path().extension() != ".py") total += entry.file_size();
  CHECK(total > 0);
  CHECK(total < kBudget);
}
