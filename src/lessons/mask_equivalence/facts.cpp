#include "lessons/mask_equivalence/facts.h"

#include <algorithm>

#include "lessons/numbers.h"
#include "lessons/place.h"

namespace attn::lessons::mask_equivalence {
namespace {

using tape::Site;

int visible_keys(const tape::Tape& tape, int row) {
  const core::ConstMatrix mask = core::as_matrix(tape.tensor(self_attention(0, Site::mask)));
  return static_cast<int>(std::count_if(mask.row(row), mask.row(row) + mask.columns,
                                        [](float visible) { return visible != 0.0f; }));
}

int first_row_changed_by_poke(const Run& run) {
  if (!run.twin->training_before_poke) return -1;
  for (int row = 0; row < run.twin->training.target_length; ++row)
    if (!tape::compare_tensor(run.twin->training.tape, *run.twin->training_before_poke, kOutput, row).equal())
      return row;
  return -1;
}

/// The cell of a tensor's largest difference.
Focus focus_of(const tape::TensorDifference& difference) {
  const int rows = tape::row_axis(difference.label);
  const auto& index = difference.largest_index;
  if (rows < 0) return {.tensor = difference.label};
  const auto row = static_cast<std::size_t>(rows);
  return {.tensor = difference.label,
          .head = rows > 0 ? index[0] : 0,
          .row = index[row],
          .column = index[row + 1]};
}

std::string list_words(const std::vector<std::string>& words) {
  constexpr std::size_t kListed = 5;
  std::string list;
  for (std::size_t i = 0; i < std::min(words.size(), kListed); ++i) list += (i > 0 ? " " : "") + words[i];
  return words.size() > kListed ? list + " …" : list;
}

}  // namespace

Facts facts_of(const Run& run, const Settings& settings) {
  Facts facts;
  const tape::Tape& training = run.twin->training.tape;
  const tape::Tape& inference = run.twin->inference.tape;
  facts.newest = settings.prefix - 1;
  facts.d_k = training.tensor(self_attention(0, Site::query)).shape[2];
  facts.total = static_cast<int>(run.twin->differences.size());
  facts.equal = static_cast<int>(std::count_if(run.twin->differences.begin(), run.twin->differences.end(),
                                               [](const auto& difference) { return difference.equal(); }));
  facts.all_equal = facts.equal == facts.total;
  if (run.twin->first_different >= 0) {
    const tape::TensorDifference& first =
        run.twin->differences[static_cast<std::size_t>(run.twin->first_different)];
    facts.first_place = place_of(first.label);
    facts.first_difference = exponent(first.largest_difference);
    facts.first_focus = focus_of(first);
  }
  facts.training_sees = visible_keys(training, facts.newest);
  facts.inference_sees = visible_keys(inference, facts.newest);
  facts.newest_scores =
      tape::compare_tensor(training, inference, self_attention(0, Site::scores), facts.newest);
  facts.newest_weights =
      tape::compare_tensor(training, inference, self_attention(0, Site::weights), facts.newest);
  facts.output = tape::compare_tensor(training, inference, kOutput);
  facts.masks = tape::compare_tensor(training, inference, self_attention(0, Site::mask));
  for (int row = 0; row < facts.newest; ++row)
    if (!tape::compare_tensor(training, inference, self_attention(0, Site::weights), row).equal())
      ++facts.changed_older_rows;
  facts.first_poked_row = first_row_changed_by_poke(run);
  facts.tokens = list_words(run.target_words);
  return facts;
}

std::string verdict_markup(const tape::TensorDifference& difference) {
  if (difference.equal()) return "{eq|0 ULP}";
  return "{ne|" + exponent(difference.largest_difference) + "}, " + thousands(difference.ulp_at_largest) +
         " ULP";
}

}  // namespace attn::lessons::mask_equivalence
