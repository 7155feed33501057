#include "conformance/kinds.h"

#include <algorithm>
#include <string_view>

#include "conformance/errors.h"
#include "conformance/formats.h"

namespace attn::conformance {
namespace {

struct Kind {
  std::string_view kind;
  KindAdapter adapter;
};

// clang-format off
constexpr Kind kKinds[] = {
    {"adam", kind_adam},
    {"adamw", kind_adam},
    {"attention", kind_attention},
    {"autograd_chain", kind_autograd_chain},
    {"cross_entropy", kind_cross_entropy},
    {"cross_entropy_with_gradient", kind_cross_entropy},
    {"gelu", kind_gelu_erf},
    {"gelu_erf", kind_gelu_erf},
    {"gelu_tanh", kind_gelu_tanh},
    {"label_smoothing_targets", kind_label_smoothing_targets},
    {"layer_norm", kind_layer_norm},
    {"log_softmax", kind_log_softmax},
    {"multi_head_attention", kind_multi_head_attention},
    {"relu", kind_relu},
    {"sigmoid", kind_sigmoid},
    {"silu", kind_silu},
    {"sinusoidal_positions", kind_sinusoidal_positions},
    {"softmax", kind_softmax},
    {"tanh", kind_tanh},
};
// clang-format on

std::string_view without_suffix(std::string_view kind) {
  for (const std::string_view suffix : {"_forward", "_backward_of_sum"})
    if (kind.ends_with(suffix)) return kind.substr(0, kind.size() - suffix.size());
  return kind;
}

void run(const Json& object, Judge& judge) {
  LiteralCase each(object, judge);
  const auto* found = std::find_if(std::begin(kKinds), std::end(kKinds), [&](const Kind& candidate) {
    return candidate.kind == without_suffix(each.kind());
  });
  CONFORMANCE_REQUIRE(found != std::end(kKinds), "no adapter for the kind %s", each.kind().c_str());
  found->adapter(each);
  each.finish();
}

}  // namespace

std::vector<Case> literal_cases(const SourceFile& file, const Json& list) {
  std::vector<Case> cases;
  for (const Json& object : list) {
    if (!object.is_object() || !object.contains("id") || !object["id"].is_string()) {
      cases.push_back(failing_case(file, "unreadable", "an entry without an id"));
      continue;
    }
    const Json kind = object.value("kind", Json());
    cases.push_back({file.folder, kind.is_string() ? kind.get<std::string>() : "unknown",
                     object["id"].get<std::string>(), [object](Judge& judge) { run(object, judge); }});
  }
  return cases;
}

}  // namespace attn::conformance
