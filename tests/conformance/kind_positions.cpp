// Sinusoidal position tables.
#include <charconv>

#include "conformance/errors.h"
#include "conformance/kinds.h"
#include "conformance/tolerances.h"
#include "nn/positions.h"

namespace attn::conformance {
namespace {

/// "interleaved sin,cos", "concatenated [all sin | all cos]", "concatenated; frequency denominator (d/2-1)
/// …".
nn::SinusoidOptions options_of(LiteralCase& each) {
  nn::SinusoidOptions options;
  const std::string layout = each.text("layout");
  CONFORMANCE_REQUIRE(layout.starts_with("interleaved") || layout.starts_with("concatenated"),
                      "layout '%s' is not known", layout.c_str());
  if (layout.starts_with("concatenated")) options.layout = nn::SinusoidLayout::halves;
  if (layout.find("(d/2-1)") != std::string::npos)
    options.frequencies = nn::SinusoidFrequencies::tensor2tensor;
  CONFORMANCE_REQUIRE(!each.has_param("base") || !each.has_param("max_timescale"),
                      "base and max_timescale are one number");
  options.base = each.number_or("base", each.number_or("max_timescale", options.base));
  CONFORMANCE_REQUIRE(options.base > 0.0, "base %g is not positive", options.base);
  return options;
}

/// "table" or, when the file has only the first columns, "table_first5".
int columns_of(const std::string& name, int d_model) {
  constexpr std::string_view kTable = "table", kFirst = "table_first";
  if (name == kTable) return d_model;
  int count = 0;
  const char* end = name.data() + name.size();
  const bool is_number =
      name.starts_with(kFirst) && std::from_chars(name.data() + kFirst.size(), end, count).ptr == end;
  CONFORMANCE_REQUIRE(is_number && count <= d_model, "expectation '%s' is not known", name.c_str());
  return count;
}

}  // namespace

void kind_sinusoidal_positions(LiteralCase& each) {
  const int d_model = each.integer("d_model");
  constexpr int kWidest = 1 << 16;
  CONFORMANCE_REQUIRE(d_model > 0 && d_model <= kWidest, "d_model %d", d_model);
  const nn::SinusoidOptions options = options_of(each);
  each.prose({"note", "padding_idx"});  // the positions are given with it added
  Array positions = each.list("positions");
  positions.dtype = "int64";
  CONFORMANCE_REQUIRE(positions.rank() == 1, "positions must be a list");
  FloatArray table(Extents{positions.extents[0], d_model});
  int row = 0;
  for (const int position : ints_of(positions, "positions")) {
    nn::fill_sinusoids(position, options, {table.values.data() + row * d_model, 1, d_model, d_model});
    ++row;
  }
  for (const std::string& name : each.expected_names()) {
    const int columns = columns_of(name, d_model);
    FloatArray part(Extents{row, columns});
    for (int i = 0; i < row; ++i)
      std::copy_n(table.values.begin() + i * d_model, columns, part.values.begin() + i * columns);
    each.expect(name, part, kFloat32Operator);
  }
}

}  // namespace attn::conformance
