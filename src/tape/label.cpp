#include "tape/label.h"

#include <array>
#include <charconv>
#include <vector>

namespace attn::tape {
namespace {

// How the axes of a site follow from its place; `position` becomes source in the encoder, target in the
// decoder, `key_position` the positions that keys come from.
enum class Form : std::uint8_t {
  positions,
  rows,
  columns,
  query_heads,
  key_heads,
  pairs,
  pair_heads,
  matrix,
  vector,
  table,
  position_table,
  vocabulary,
  row_of_vocabulary,
};

struct SiteRow {
  Site site;
  std::string_view name;
  std::string_view symbol;
  Form form;
};

constexpr std::array<SiteRow, kSiteCount> kSites{{
    {Site::unnamed, "unnamed", "", Form::rows},
    {Site::tokens, "tokens", "id", Form::positions},
    {Site::poke, "poke", "δ", Form::rows},
    {Site::unchanged, "unchanged", "unchanged", Form::rows},
    {Site::position, "position", "p", Form::rows},
    {Site::embedding, "embedding", "x", Form::rows},
    {Site::query, "query", "q", Form::query_heads},
    {Site::key, "key", "k", Form::key_heads},
    {Site::value, "value", "v", Form::key_heads},
    {Site::scores, "scores", "scores", Form::pair_heads},
    {Site::capped_scores, "capped_scores", "capped", Form::pair_heads},
    {Site::biased_scores, "biased_scores", "biased", Form::pair_heads},
    {Site::mask, "mask", "mask", Form::pairs},
    {Site::weights, "weights", "weights", Form::pair_heads},
    {Site::context, "context", "context", Form::query_heads},
    {Site::concatenated, "concatenated", "concat", Form::rows},
    {Site::attention, "attention", "attention", Form::rows},
    {Site::residual, "residual", "residual", Form::rows},
    {Site::norm, "norm", "norm", Form::rows},
    {Site::hidden, "hidden", "hidden", Form::rows},
    {Site::activated, "activated", "activated", Form::rows},
    {Site::feed_forward, "feed_forward", "ffn", Form::rows},
    {Site::memory, "memory", "memory", Form::rows},
    {Site::output, "output", "output", Form::rows},
    {Site::logits, "logits", "logits", Form::row_of_vocabulary},
    {Site::probabilities, "probabilities", "p", Form::row_of_vocabulary},
    {Site::losses, "losses", "loss", Form::positions},
    {Site::embedding_columns, "embedding_columns", "X", Form::columns},
    {Site::query_columns, "query_columns", "Q", Form::columns},
    {Site::key_columns, "key_columns", "K", Form::columns},
    {Site::value_columns, "value_columns", "V", Form::columns},
    {Site::context_columns, "context_columns", "O", Form::columns},
    {Site::row_sums, "row_sums", "sum", Form::positions},
    {Site::figures, "figures", "figures", Form::matrix},
    {Site::embedding_table, "embedding_table", "E", Form::table},
    {Site::position_table, "position_table", "P", Form::position_table},
    {Site::query_weight, "query_weight", "W_q", Form::matrix},
    {Site::query_bias, "query_bias", "b_q", Form::vector},
    {Site::key_weight, "key_weight", "W_k", Form::matrix},
    {Site::key_bias, "key_bias", "b_k", Form::vector},
    {Site::value_weight, "value_weight", "W_v", Form::matrix},
    {Site::value_bias, "value_bias", "b_v", Form::vector},
    {Site::output_weight, "output_weight", "W_o", Form::matrix},
    {Site::output_bias, "output_bias", "b_o", Form::vector},
    {Site::linear1_weight, "linear1_weight", "W_1", Form::matrix},
    {Site::linear1_bias, "linear1_bias", "b_1", Form::vector},
    {Site::linear2_weight, "linear2_weight", "W_2", Form::matrix},
    {Site::linear2_bias, "linear2_bias", "b_2", Form::vector},
    {Site::norm_scale, "norm_scale", "γ", Form::vector},
    {Site::norm_shift, "norm_shift", "β", Form::vector},
    {Site::logits_weight, "logits_weight", "W_vocab", Form::table},
    {Site::logits_bias, "logits_bias", "b_vocab", Form::vocabulary},
}};

constexpr bool in_enum_order() {
  for (std::size_t i = 0; i < kSites.size(); ++i)
    if (kSites[i].site != static_cast<Site>(i)) return false;
  return true;
}
static_assert(in_enum_order(), "one row per Site, in the order of the enum");

constexpr std::array<std::string_view, 3> kStackNames{"model", "encoder", "decoder"};
constexpr std::array<std::string_view, 4> kBlockNames{"", "self_attention", "cross_attention",
                                                      "feed_forward"};

const SiteRow& row_of(Site site) { return kSites[static_cast<std::size_t>(site)]; }

template <std::size_t N>
int find_name(const std::array<std::string_view, N>& names, std::string_view name) {
  for (std::size_t i = 0; i < N; ++i)
    if (!name.empty() && names[i] == name) return static_cast<int>(i);
  return -1;
}

std::vector<std::string_view> split_at_dots(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t dot = text.find('.');
    parts.push_back(text.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    text.remove_prefix(dot + 1);
  }
}

}  // namespace

std::span<const Axis> axes_of(const Label& label) {
  using enum Axis;
  static constexpr Axis kHeadTargetTarget[] = {head, target, target};
  static constexpr Axis kHeadTargetSource[] = {head, target, source};
  static constexpr Axis kHeadSourceSource[] = {head, source, source};
  static constexpr Axis kHeadTargetFeature[] = {head, target, feature};
  static constexpr Axis kHeadSourceFeature[] = {head, source, feature};
  static constexpr Axis kTargetColumns[] = {feature, target};
  static constexpr Axis kSourceColumns[] = {feature, source};
  static constexpr Axis kMatrix[] = {feature, feature};
  static constexpr Axis kTable[] = {vocabulary, feature};
  static constexpr Axis kTargetVocabulary[] = {target, vocabulary};
  static constexpr Axis kSourceVocabulary[] = {source, vocabulary};
  const bool from_target = label.stack == Stack::decoder;
  const bool keys_from_target = from_target && label.block != Block::cross_attention;
  const auto pairs = [&]() -> std::span<const Axis> {
    if (!from_target) return kHeadSourceSource;
    return keys_from_target ? std::span<const Axis>(kHeadTargetTarget) : kHeadTargetSource;
  };
  const auto per_head = [&](bool target_rows) -> std::span<const Axis> {
    return target_rows ? kHeadTargetFeature : kHeadSourceFeature;
  };
  switch (row_of(label.site).form) {
    case Form::positions:
      return per_head(from_target).subspan(1, 1);
    case Form::rows:
      return per_head(from_target).subspan(1);
    case Form::columns:
      return from_target ? std::span<const Axis>(kTargetColumns) : kSourceColumns;
    case Form::query_heads:
      return per_head(from_target);
    case Form::key_heads:
      return per_head(keys_from_target);
    case Form::pairs:
      return pairs().subspan(1);
    case Form::pair_heads:
      return pairs();
    case Form::matrix:
      return kMatrix;
    case Form::vector:
      return std::span<const Axis>(kMatrix).subspan(1);
    case Form::table:
      return kTable;
    case Form::position_table:
      return per_head(from_target).subspan(1);
    case Form::vocabulary:
      return std::span<const Axis>(kTable).first(1);
    case Form::row_of_vocabulary:
      return from_target ? std::span<const Axis>(kTargetVocabulary) : kSourceVocabulary;
  }
  return {};
}

int row_axis(const Label& label) {
  const std::span<const Axis> axes = axes_of(label);
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i] == Axis::target || axes[i] == Axis::source) return static_cast<int>(i);
  return -1;
}

bool is_parameter(Site site) { return site >= Site::embedding_table; }
std::string_view name_of(Site site) { return row_of(site).name; }
std::string_view symbol_of(Site site) { return row_of(site).symbol; }

std::string to_string(const Label& label) {
  std::string text(kStackNames[static_cast<std::size_t>(label.stack)]);
  if (label.layer >= 0) text += "." + std::to_string(label.layer);
  if (label.block != Block::none)
    text += "." + std::string(kBlockNames[static_cast<std::size_t>(label.block)]);
  return text + "." + std::string(name_of(label.site));
}

core::Result<Label> parse_label(std::string_view text) {
  const auto failed = [&](const char* what) {
    return core::error_at("tensor name '%.*s': %s", static_cast<int>(text.size()), text.data(), what);
  };
  const std::vector<std::string_view> parts = split_at_dots(text);
  Label label;
  std::size_t next = 0;
  const int stack = find_name(kStackNames, parts[next++]);
  if (stack < 0) return failed("begins with none of model, encoder, decoder");
  label.stack = static_cast<Stack>(stack);
  if (next < parts.size()) {
    const std::string_view part = parts[next];
    int layer = -1;
    const auto [end, code] = std::from_chars(part.data(), part.data() + part.size(), layer);
    if (code == std::errc() && end == part.data() + part.size()) {
      if (layer < 0) return failed("has a negative layer");
      label.layer = layer;
      ++next;
    }
  }
  if (next + 1 < parts.size()) {
    const int block = find_name(kBlockNames, parts[next++]);
    if (block < 0) return failed("has an unknown block");
    label.block = static_cast<Block>(block);
  }
  if (next + 1 != parts.size()) return failed("has too few or too many parts");
  for (const SiteRow& row : kSites) {
    if (row.name == parts[next]) {
      label.site = row.site;
      return label;
    }
  }
  return failed("ends in an unknown tensor");
}

}  // namespace attn::tape
