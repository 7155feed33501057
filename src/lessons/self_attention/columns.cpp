#include "lessons/self_attention/columns.h"

#include <algorithm>

#include "core/bits.h"
#include "kernels/matmul.h"
#include "lessons/edits.h"
#include "tape/ops.h"

namespace attn::lessons::self_attention {
namespace {

using tape::Label;
using tape::Site;
using tape::Tape;
using tape::Value;

Value turned(Tape& tape, Value x) { return tape::transpose(tape, x, {}); }

/// left·right, where the rows of `right_turned` are the columns of `right`.
Value product(Tape& tape, Value left, Value right_turned, Label label) {
  kernels::PackedMatrix packed;
  kernels::pack_transposed(core::as_matrix(tape.tensor(right_turned)), packed);
  return tape::linear(tape, left, right_turned, {}, packed, label);
}

}  // namespace

Label columns_label(Site site) {
  Label label = label_of(site);
  if (site == Site::embedding) label.site = Site::embedding_columns;
  if (site == Site::query) label.site = Site::query_columns;
  if (site == Site::key) label.site = Site::key_columns;
  if (site == Site::value) label.site = Site::value_columns;
  if (site == Site::context) label.site = Site::context_columns;
  if (site == Site::scores || site == Site::weights || site == Site::mask) label.layer = 1;
  return label;
}

Value with_edits(Tape& tape, Value x, Site site, std::span<const CellEdit> edits) {
  return lessons::with_edits(tape, x, edits, {{label_of(site)}, {columns_label(site), 0, true}});
}

void record_columns(Tape& tape, Value x, Value mask, std::span<const CellEdit> edits) {
  const Value columns = tape::transpose(tape, x, columns_label(Site::embedding));
  const Value words = turned(tape, columns);
  const auto project = [&](Site weight, Site result) {
    const Value own = product(tape, tape.find(label_of(weight)), words, {});
    return tape::transpose(tape, with_edits(tape, turned(tape, own), result, edits), columns_label(result));
  };
  const Value query = project(Site::query_weight, Site::query);
  const Value key = project(Site::key_weight, Site::key);
  const Value value = project(Site::value_weight, Site::value);
  const auto heads = [&](Value of) { return tape::split_heads(tape, turned(tape, of), 1, {}); };
  const Value asked = heads(query);
  const Value scores =
      tape::scores(tape, heads(key), asked, tape::root_of_width(tape, asked), columns_label(Site::scores));
  tape::transpose(tape, mask, columns_label(Site::mask));
  const Value shares = tape::softmax(tape, turned(tape, scores), mask, {});
  const Value weights = tape::transpose(tape, shares, columns_label(Site::weights));
  product(tape, value, tape::merge_heads(tape, turned(tape, weights), {}), columns_label(Site::context));
}

std::uint32_t ulp_between_ways(const Tape& tape) {
  std::uint32_t largest = 0;
  for (const Site site : {Site::query, Site::key, Site::value, Site::scores, Site::weights, Site::context}) {
    const core::TensorView rows = tape.tensor(label_of(site));
    const core::TensorView columns = tape.tensor(columns_label(site));
    const int n = rows.shape[-2];
    const int width = rows.shape[-1];
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < width; ++j)
        largest =
            std::max(largest, core::ulp_distance(rows.values[i * width + j], columns.values[j * n + i]));
  }
  return largest;
}

}  // namespace attn::lessons::self_attention
