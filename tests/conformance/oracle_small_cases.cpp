// The cases of one small model: forward with every activation, gradients, Adam steps; as far as the file has
// figures for them.
#include <charconv>

#include "conformance/errors.h"
#include "conformance/oracle_small.h"
#include "conformance/tolerances.h"
#include "conformance/torch_names.h"

namespace attn::conformance {
namespace {

using SharedFile = std::shared_ptr<const OracleFile>;

void run_forward(Judge& judge, const SharedFile& oracle) {
  const SmallModel small(oracle);
  tape::Tape tape;
  const tape::Value output = small.record(tape, small.model());
  judge.expect("out", FloatArray(tape.tensor(output)), oracle->array("out"), kTransformer);
  if (oracle->has("logits")) {
    const tape::Value logits = nn::logits(tape, small.model(), output);
    judge.expect("logits", FloatArray(tape.tensor(logits)), oracle->array("logits"), kLogits);
  }
  expect_activations(judge, *oracle, "", tape, small.norm_first(), kTransformer);
}

void run_gradients(Judge& judge, const SharedFile& oracle) {
  const SmallModel small(oracle);
  expect_gradients(judge, *oracle, "grad/", small.model(), small.training());
}

void run_adam(Judge& judge, const SharedFile& oracle, const std::map<int, std::string>& prefixes) {
  SmallModel small(oracle);
  std::map<std::string, Array> gradients;
  constexpr std::string_view kGradient = "grad/";
  for (const io::StoredTensor& tensor : oracle->file().tensors)
    if (tensor.name.starts_with(kGradient))
      gradients[tensor.name.substr(kGradient.size())] = oracle->array(tensor.name);
  expect_adam_steps(judge, *oracle, prefixes, gradients, small.model(), small.training());
}

/// "adam3/…" → 3; 0 for any other name.
int steps_in(std::string_view name) {
  constexpr std::string_view kAdam = "adam";
  if (!name.starts_with(kAdam)) return 0;
  name.remove_prefix(kAdam.size());
  int steps = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), steps);
  constexpr int kMostSteps = 1000;
  const bool complete = error == std::errc() && end != name.data() + name.size() && *end == '/';
  return complete && steps > 0 && steps <= kMostSteps ? steps : 0;
}

/// Whether a tensor of this name is an input or has a place in one of the cases.
bool is_known(std::string_view name) {
  for (const std::string_view exact : {"src", "tgt", "labels", "out", "logits"})
    if (name == exact) return true;
  for (const std::string_view mask : {"src", "tgt", "memory"})
    for (const std::string_view kind : {"_mask", "_key_padding_mask"})
      if (name == "mask/" + std::string(mask) + std::string(kind)) return true;
  for (const std::string_view start : {"act/", "attn_weights/", "grad/"})
    if (name.starts_with(start)) return true;
  return steps_in(name) > 0;
}

}  // namespace

std::vector<Case> small_model_cases(const SourceFile& file, SharedFile oracle) {
  const std::string name = file.path.stem().string();
  std::vector<Case> cases;
  bool has_gradients = false;
  std::map<int, std::string> prefixes;
  for (const io::StoredTensor& tensor : oracle->file().tensors) {
    has_gradients = has_gradients || tensor.name.starts_with("grad/");
    if (const int steps = steps_in(tensor.name); steps > 0)
      prefixes[steps] = "adam" + std::to_string(steps) + "/";
    if (!is_known(tensor.name))
      cases.push_back(failing_case(file, "unreadable", "tensor '" + tensor.name + "' is not known"));
  }
  const auto add = [&](const char* op, std::function<void(Judge&)> run) {
    cases.push_back({file.folder, op, name, std::move(run)});
  };
  add("Transformer forward", [oracle](Judge& judge) { run_forward(judge, oracle); });
  if (has_gradients) add("Transformer gradients", [oracle](Judge& judge) { run_gradients(judge, oracle); });
  if (!prefixes.empty())
    add("Transformer Adam steps", [oracle, prefixes](Judge& judge) { run_adam(judge, oracle, prefixes); });
  return cases;
}

}  // namespace attn::conformance
