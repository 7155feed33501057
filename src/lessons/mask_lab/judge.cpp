#include "lessons/mask_lab/judge.h"

#include <algorithm>
#include <cmath>

#include "core/bits.h"
#include "lessons/mask_lab/masks.h"
#include "lessons/numbers.h"

namespace attn::lessons::mask_lab {
namespace {

using core::ConstMatrix;
using tape::Site;

constexpr float kNoticeable = 1e-4f;  // below, a row sum is 1 as far as two decimals show

ConstMatrix rows_of(const tape::Tape& tape, const tape::Label& label) {
  return core::as_rows(tape.tensor(label));
}

/// How many columns a row of the mask leaves visible.
int visible_in(const ConstMatrix& mask, int row) {
  return static_cast<int>(std::count_if(mask.row(row), mask.row(row) + mask.columns,
                                        [](float visible) { return visible != 0.0f; }));
}

void judge_row(Judgement& found, const ConstMatrix& weights, const ConstMatrix& reference, const float* mask,
               int row) {
  float leak = 0.0f;
  float sum = 0.0f;
  for (int j = 0; j < weights.columns; ++j) {
    const float weight = weights.row(row)[j];
    sum += weight;
    if (mask[j] == 0.0f) leak += weight;
    found.ulp = std::max(found.ulp, core::ulp_distance(weight, reference.row(row)[j]));
  }
  if (leak > found.leak) {
    found.leak = leak;
    found.leak_row = row;
  }
  if (sum < found.smallest_sum) {
    found.smallest_sum = sum;
    found.smallest_row = row;
  }
}

Judgement judge_table(const ConstMatrix& weights, const ConstMatrix& reference, const ConstMatrix& mask,
                      int empty_row) {
  Judgement found;
  for (int i = 0; i < mask.rows; ++i)
    if (visible_in(mask, i) > 0) judge_row(found, weights, reference, mask.row(i), i);
  if (empty_row < 0) return found;
  const float* row = weights.row(empty_row);
  found.empty_equal = true;
  for (int j = 0; j < weights.columns; ++j) {
    if (!(row[j] <= found.empty)) found.empty = row[j];  // NaN stays
    found.empty_equal = found.empty_equal && core::bits_of(row[j]) == core::bits_of(row[0]);
  }
  return found;
}

void find_rows(Facts& facts, const ConstMatrix& mask) {
  for (int i = 0; i < mask.rows; ++i) {
    const int seen = visible_in(mask, i);
    if (seen == 0) {
      if (facts.empty_row < 0) facts.empty_row = i;
      ++facts.empty_rows;
    } else if (seen < mask.columns && facts.hidden_row < 0) {
      facts.hidden_row = i;
      const float* row = mask.row(i);
      facts.hidden_column = static_cast<int>(std::find(row, row + mask.columns, 0.0f) - row);
    }
  }
}

/// The words' weights beside those of the sentence alone.
void compare_without_padding(Facts& facts, const ConstMatrix& weights, const ConstMatrix& own, int first) {
  for (int i = 0; i < own.rows; ++i)
    for (int j = 0; j < own.columns; ++j) {
      const float a = weights.row(first + i)[first + j];
      const float b = own.row(i)[j];
      facts.shift = std::max(facts.shift, std::fabs(a - b));
      facts.shift_ulp = std::max(facts.shift_ulp, core::ulp_distance(a, b));
    }
}

}  // namespace

std::string percent(float share) { return fixed(100.0f * share, share > 0.0f && share < 0.02f ? 1 : 0); }

std::string sum_text(const Judgement& found) {
  return fixed(found.smallest_sum, found.smallest_sum > 0.99f ? 4 : 2);
}

std::string shift_text(const Facts& facts) {
  return facts.shift < 0.005f ? exponent(facts.shift) : fixed(facts.shift, 2);
}

Facts judge(const tape::Tape& tape, const Settings& settings) {
  Facts facts;
  const ConstMatrix mask = rows_of(tape, mask_label());
  const ConstMatrix reference = rows_of(tape, label_of(kReference, Site::weights));
  find_rows(facts, mask);
  for (int table = 0; table < kTables; ++table)
    facts.tables[static_cast<std::size_t>(table)] =
        judge_table(rows_of(tape, label_of(table, Site::weights)), reference, mask, facts.empty_row);
  for (int i = 0; i < kTokens; ++i) {
    float share = 0.0f;
    for (int j = 0; j < kTokens; ++j)
      if (is_pad(settings, j)) share += reference.row(i)[j];
    if (!is_pad(settings, i)) facts.pad_share = std::max(facts.pad_share, share);
  }
  compare_without_padding(facts, reference, rows_of(tape, unpadded_label(Site::weights)),
                          first_word(settings));
  return facts;
}

Verdict verdict_of(const Facts& facts, int table) {
  const Judgement& found = facts.tables[static_cast<std::size_t>(table)];
  if (table == kReference) {
    if (facts.empty_row < 0) return {fill({"参照", "reference"}), Role::equal};
    return {fill({"行 $0：没有可见的键", "row $0: no visible key"}, {facts.empty_row}), Role::equal};
  }
  if (found.leak > 0.0f) return {fill({"漏 $0 %", "leaks $0 %"}, {percent(found.leak)}), Role::different};
  if (found.smallest_sum < 1.0f - kNoticeable)
    return {fill({"行和仅 $0", "row sum only $0"}, {sum_text(found)}), Role::different};
  if (found.empty != 0.0f) {
    if (std::isnan(found.empty) || found.empty_equal)
      return {fill({"行 $0：全是 $1", "row $0: all $1"}, {facts.empty_row, fixed(found.empty, 2)}),
              Role::different};
    return {fill({"行 $0：没遮住", "row $0: not hidden"}, {facts.empty_row}), Role::different};
  }
  return {fill({"$0 ULP", "$0 ULP"}, {static_cast<int>(found.ulp)}),
          found.ulp == 0 ? Role::equal : Role::plain};
}

}  // namespace attn::lessons::mask_lab
