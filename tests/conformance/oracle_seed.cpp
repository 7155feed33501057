// Family "seed": 32 variants of nn.Transformer(d_model=8) of torch.manual_seed(0).
#include <charconv>
#include <set>

#include "conformance/errors.h"
#include "conformance/oracle_models.h"
#include "conformance/tolerances.h"
#include "conformance/torch_names.h"
#include "nn/initialize.h"

namespace attn::conformance {
namespace {

/// The model's weights, from the state dict beside the outputs or as PyTorch draws them.
nn::Transformer seed_model(const OracleFile& outputs, const OracleSettings& settings) {
  const std::filesystem::path path = sibling(outputs.path(), "state_dict");
  if (std::filesystem::exists(path)) return model_of(OracleFile(path), settings);
  nn::Transformer model = nn::make_transformer(
      {.n_heads = settings.n_heads, .activation = settings.activation, .norm_first = settings.norm_first});
  const core::Status drawn = nn::initialize_like_pytorch(model, 0);
  CONFORMANCE_REQUIRE(drawn.ok(), "%s", drawn.error().c_str());
  const FloatArray embedding = floats_of(outputs.array("embedding.weight"), "embedding.weight");
  CONFORMANCE_REQUIRE(embedding.extents == extents_of(model.embedding.shape()),
                      "embedding.weight of shape %s", to_string(embedding.extents).c_str());
  std::copy(embedding.values.begin(), embedding.values.end(), model.embedding.values());
  return model;
}

nn::Mask padding(const OracleFile& oracle, const char* name) {
  const Array mask = oracle.array(std::string("pad/") + name);
  CONFORMANCE_REQUIRE(mask.is_bool() && mask.rank() == 2, "pad/%s must be (batch, keys) of booleans", name);
  return nn::Mask::from_pytorch_key_padding(oracle.flags(std::string("pad/") + name), mask.extents[0],
                                            mask.extents[1]);
}

nn::TransformerMasks masks_of(const OracleFile& oracle, bool padded) {
  if (!padded) return {};
  return {.source = padding(oracle, "src_key_padding_mask"),
          .target = nn::Mask::causal().and_also(padding(oracle, "tgt_key_padding_mask")),
          .memory = padding(oracle, "memory_key_padding_mask")};
}

tape::Tape run_pass(const OracleFile& oracle, const nn::Transformer& model, const nn::TransformerMasks& masks,
                    int target_length = -1) {
  tape::Tape tape;
  record_pass(tape, model, tokens_of(oracle, "src", model.config.vocabulary),
              tokens_of(oracle, "tgt", model.config.vocabulary, target_length), masks);
  return tape;
}

/// "f64" or "f32": whose figures follow.
Tolerance tolerance_of(std::string_view precision) {
  if (precision == "f64") return kTransformer;
  if (precision == "f32") return kTransformerAgainstFloat32;
  malformed("precision '%s' is not known", std::string(precision).c_str());
}

/// One name below "<variant>/": "f64/full", "f32/prefix3".
void expect_figure(Judge& judge, const OracleFile& oracle, const nn::Transformer& model,
                   const Variant& variant, const std::string& name, std::string_view rest,
                   const tape::Tape& full) {
  const std::size_t slash = rest.find('/');
  CONFORMANCE_REQUIRE(slash != std::string_view::npos, "'%s' is not known", name.c_str());
  const Tolerance tolerance = tolerance_of(rest.substr(0, slash));
  rest.remove_prefix(slash + 1);
  constexpr std::string_view kPrefix = "prefix";
  if (rest == "full") return judge.expect(name, FloatArray(output_of(full)), oracle.array(name), tolerance);
  if (rest == "memory") return judge.expect(name, FloatArray(memory_of(full)), oracle.array(name), tolerance);
  int length = 0;
  CONFORMANCE_REQUIRE(
      rest.starts_with(kPrefix) &&
          std::from_chars(rest.data() + kPrefix.size(), rest.data() + rest.size(), length).ptr ==
              rest.data() + rest.size() &&
          length > 0,
      "'%s' is not known", name.c_str());
  const tape::Tape part = run_pass(oracle, model, masks_of(oracle, variant.padded), length);
  judge.expect(name, FloatArray(output_of(part)), oracle.array(name), tolerance);
}

void run_variant(Judge& judge, const OracleFile& oracle, const std::string& group, const Variant& variant) {
  const nn::Transformer model = seed_model(oracle, variant.settings);
  const tape::Tape full = run_pass(oracle, model, masks_of(oracle, variant.padded));
  for (const io::StoredTensor& tensor : oracle.file().tensors)
    if (tensor.name.starts_with(group + "/"))
      expect_figure(judge, oracle, model, variant, tensor.name,
                    std::string_view(tensor.name).substr(group.size() + 1), full);
}

/// "base/<precision>/act/…" and "base/<precision>/attn_weights/…": the activations of h8_post_relu.
void run_base(Judge& judge, const OracleFile& oracle) {
  const nn::Transformer model = seed_model(oracle, {});
  const tape::Tape full = run_pass(oracle, model, {});
  int known = 0;
  for (const char* precision : {"f64", "f32"})
    known += expect_activations(judge, oracle, std::string("base/") + precision + "/", full, false,
                                tolerance_of(precision));
  int all = 0;
  for (const io::StoredTensor& tensor : oracle.file().tensors)
    all += tensor.name.starts_with("base/") ? 1 : 0;
  CONFORMANCE_REQUIRE(known == all, "%d tensors below base/ are not known", all - known);
}

}  // namespace

std::vector<Case> seed_output_cases(const SourceFile& file, std::shared_ptr<const OracleFile> oracle) {
  std::vector<Case> cases;
  std::set<std::string> groups;  // "h8_post_relu", "base", …
  for (const io::StoredTensor& tensor : oracle->file().tensors) {
    const std::size_t slash = tensor.name.find('/');
    const std::string group = tensor.name.substr(0, slash);
    if (slash != std::string::npos && group != "pad") groups.insert(group);
    const bool known = slash != std::string::npos || group == "src" || group == "tgt" || group == "labels" ||
                       group == "embedding.weight";
    if (!known)
      cases.push_back(failing_case(file, "unreadable", "tensor '" + tensor.name + "' is not known"));
  }
  for (const std::string& group : groups) {
    const std::string name = file.path.stem().string() + " " + group;
    Variant variant;
    if (group == "base") {
      cases.push_back({file.folder, "Transformer activations", name,
                       [oracle](Judge& judge) { run_base(judge, *oracle); }});
    } else if (parse_variant(group, variant)) {
      cases.push_back({file.folder, "Transformer forward", name,
                       [=](Judge& judge) { run_variant(judge, *oracle, group, variant); }});
    } else {
      cases.push_back(failing_case(file, "unreadable", "variant '" + group + "' is not known"));
    }
  }
  return cases;
}

}  // namespace attn::conformance
