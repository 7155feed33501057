// Gradients and Adam steps of family "seed": their settings are in summary.json beside them.
#include <charconv>

#include "conformance/errors.h"
#include "conformance/files.h"
#include "conformance/oracle_models.h"
#include "conformance/oracle_training.h"

namespace attn::conformance {
namespace {

using SharedFile = std::shared_ptr<const OracleFile>;

/// The outputs beside the file (tokens, labels), the model, and how it was trained.
struct SeedTraining {
  OracleFile outputs;
  nn::Transformer model;
  Training training;
};

/// The README's settings, or those of summary.json if it is there.
SeedTraining read(const OracleFile& file) {
  const std::filesystem::path summary_path = file.path().parent_path() / "summary.json";
  Json summary = Json::object();
  if (std::filesystem::exists(summary_path))
    summary = member(Json::parse(read_text(summary_path)), "A_training");
  Variant variant;
  const std::string config = summary.contains("config") ? text_of(summary, "config") : "h8_post_relu";
  CONFORMANCE_REQUIRE(parse_variant(config, variant) && !variant.padded, "config '%s' is not known",
                      config.c_str());
  SeedTraining seed{OracleFile(sibling(file.path(), "outputs")),
                    model_of(OracleFile(sibling(file.path(), "state_dict")), variant.settings),
                    {}};
  Training& training = seed.training;
  training.label_smoothing = number_or(summary, "label_smoothing", 0.0);
  training.ignore_index = int_or(summary, "ignore_index", training.ignore_index);
  if (summary.contains("adam")) read_adam(summary["adam"], training);
  if (summary.contains("losses_f64"))
    training.losses = array_of_lists(summary["losses_f64"], "losses_f64").values;
  training.labels = labels_of(seed.outputs, seed.model, training.ignore_index);
  const OracleTokens source = tokens_of(seed.outputs, "src", seed.model.config.vocabulary);
  const OracleTokens target = tokens_of(seed.outputs, "tgt", seed.model.config.vocabulary);
  training.record = [=](tape::Tape& tape, const nn::Transformer& model) {
    return record_pass(tape, model, source, target, {});
  };
  return seed;
}

void run_gradients(Judge& judge, const SharedFile& file) {
  const SeedTraining seed = read(*file);
  expect_gradients(judge, *file, "", seed.model, seed.training);
}

void run_adam(Judge& judge, const SharedFile& file, const std::string& gradient_file, int steps) {
  SeedTraining seed = read(*file);
  const OracleFile gradient_oracle(sibling(file->path(), gradient_file));
  std::map<std::string, Array> gradients;
  for (const io::StoredTensor& tensor : gradient_oracle.file().tensors)
    gradients[tensor.name] = gradient_oracle.array(tensor.name);
  expect_adam_steps(judge, *file, {{steps, ""}}, gradients, seed.model, seed.training);
}

}  // namespace

std::vector<Case> seed_training_cases(const SourceFile& file, SharedFile oracle) {
  const std::string stem = file.path.stem().string();
  const std::string rest = stem.substr(stem.find('_') + 1);  // "base_grad_f64", "base_adam3_f64"
  if (rest == "base_grad_f64")
    return {{file.folder, "Transformer gradients", stem,
             [oracle](Judge& judge) { run_gradients(judge, oracle); }}};
  constexpr std::string_view kAdam = "base_adam";
  int steps = 0;
  if (rest.starts_with(kAdam)) {
    const char* end = rest.data() + rest.size();
    const char* after = std::from_chars(rest.data() + kAdam.size(), end, steps).ptr;
    if (rest.substr(static_cast<std::size_t>(after - rest.data())) != "_f64") steps = 0;
  }
  CONFORMANCE_REQUIRE(steps > 0, "tensors that are none of the oracle's formats");
  return {{file.folder, "Transformer Adam steps", stem,
           [oracle, steps](Judge& judge) { run_adam(judge, oracle, "base_grad_f64", steps); }}};
}

}  // namespace attn::conformance
