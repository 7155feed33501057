#include "conformance/torch_names.h"

#include <charconv>

#include "conformance/errors.h"

namespace attn::conformance {

std::optional<tape::Label> label_of_module(std::string_view path, bool norm_first) {
  using namespace tape;
  const auto take = [&](std::string_view start) {
    if (!path.starts_with(start)) return false;
    path.remove_prefix(start.size());
    return true;
  };
  if (path == "embedding") return Label{Stack::decoder, -1, Block::none, Site::embedding};
  if (path == "transformer") return Label{Stack::decoder, -1, Block::none, Site::output};
  const bool decoder = take("transformer.decoder");
  if (!decoder && !take("transformer.encoder")) return std::nullopt;
  const Stack stack = decoder ? Stack::decoder : Stack::encoder;
  if (path.empty() || path == ".norm")
    return Label{stack, -1, Block::none, decoder ? Site::output : Site::memory};
  if (!take(".layers.")) return std::nullopt;
  int layer = -1;
  const auto [rest, code] = std::from_chars(path.data(), path.data() + path.size(), layer);
  if (code != std::errc()) return std::nullopt;
  path.remove_prefix(static_cast<std::size_t>(rest - path.data()));

  const Block last = Block::feed_forward;
  if (path.empty()) return Label{stack, layer, last, norm_first ? Site::residual : Site::norm};
  if (path == ".self_attn") return Label{stack, layer, Block::self_attention, Site::attention};
  if (path == ".multihead_attn") return Label{stack, layer, Block::cross_attention, Site::attention};
  if (path == ".linear2") return Label{stack, layer, last, Site::feed_forward};
  if (path == ".norm1") return Label{stack, layer, Block::self_attention, Site::norm};
  if (path == ".norm2") return Label{stack, layer, decoder ? Block::cross_attention : last, Site::norm};
  if (path == ".norm3" && decoder) return Label{stack, layer, last, Site::norm};
  return std::nullopt;
}

core::TensorView tensor_at(const tape::Tape& tape, const tape::Label& label) {
  const tape::Value value = tape.find(label);
  CONFORMANCE_REQUIRE(value.valid(), "no tensor %s", tape::to_string(label).c_str());
  return tape.tensor(value);
}

core::TensorView output_of(const tape::Tape& tape) {
  return tensor_at(tape, {tape::Stack::decoder, -1, tape::Block::none, tape::Site::output});
}

core::TensorView memory_of(const tape::Tape& tape) {
  return tensor_at(tape, {tape::Stack::encoder, -1, tape::Block::none, tape::Site::memory});
}

int expect_activations(Judge& judge, const OracleFile& oracle, std::string_view prefix,
                       const tape::Tape& tape, bool norm_first, Tolerance tolerance) {
  int count = 0;
  for (const io::StoredTensor& tensor : oracle.file().tensors) {
    std::string_view name = tensor.name;
    if (!name.starts_with(prefix)) continue;
    name.remove_prefix(prefix.size());
    const bool weights = name.starts_with("attn_weights/");
    if (!weights && !name.starts_with("act/")) continue;
    std::optional<tape::Label> label = label_of_module(name.substr(name.find('/') + 1), norm_first);
    CONFORMANCE_REQUIRE(label.has_value(), "'%s': no such module is known", tensor.name.c_str());
    if (weights) label->site = tape::Site::weights;
    judge.expect(tensor.name, FloatArray(tensor_at(tape, *label)), oracle.array(tensor.name), tolerance);
    ++count;
  }
  return count;
}

}  // namespace attn::conformance
