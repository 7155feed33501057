// Every word the UI draws, in both languages. Words with a % are printf formats: `phrase` fills them.
#pragma once

#include <cstdint>
#include <string>

#include "lessons/text.h"

namespace attn::ui {

enum class Word : std::uint8_t {
  brand_first,
  brand_second,
  language_zh,
  language_en,
  language,
  theme,
  settings,
  help,
  close,
  training,
  inference,
  one_token,
  token_count,     // %d
  inference_step,  // %d
  mask,
  equal_ulp,     // "0 ULP"
  differs_by,    // %s
  ulp_distance,  // %s
  not_generated,
  no_visible_key,
  open_block,
  close_block,
  not_compared,
  nothing_compared,
  layer_of_encoder,  // %d
  layer_of_decoder,  // %d
  encoder,
  decoder,
  self_attention,
  cross_attention,
  feed_forward,
  head,  // %d
  heads,
  every_tensor,
  tensors,
  equal_count,        // %d %d
  equal_count_short,  // %d %d
  first_different,
  group_encoder_attention,
  group_decoder_self,
  group_decoder_cross,
  group_encoder_feed_forward,
  group_decoder_feed_forward,
  group_encoder_short,
  group_self_short,
  group_cross_short,
  group_encoder_feed_forward_short,
  group_decoder_feed_forward_short,
  every_layer,
  layer,  // %d
  row,    // %d
  pick_a_cell_title,
  pick_a_cell,
  not_in_inference,
  masked_cell,
  merged_cells,
  merged_cells_short,
  masked_not_drawn,
  given_value,
  measured_value,
  may_toggle,
  terms_more,  // %s
  divided_by,
  their_sum,
  may_change,
  replaced_value,
  may_replace,
  change_number,
  own_numbers,
  future_terms,
  because_future,  // before, between and after the coloured words
  so_differs,
  same_as,
  target,
  query,
  view,
  as_matrix,
  as_arcs,
  key,
  poke,
  poke_pick,
  poke_undo,
  back,
  play,
  pause,
  forward,
  speed,
  train,
  work_step,
  work_restart,
  work_left,  // %d
  work_done,
  work_was_hidden,
  step_of,  // %d %d
  try_it,
  reset,
  undo,
  redo,
  lessons,
  next_lesson,  // %s
  next_short,   // %s
  next_plain,
  narration,
  open_narration,
  text_up,
  text_down,
  decrease,
  increase,
  lens_left,
  lens_right,
  help_title,
  help_step,
  help_forward,
  help_play,
  help_ends,
  help_clear,
  help_undo,
  help_groups,
  help_cells,
  help_digits,
  error_title,
  retry,
};
inline constexpr int kWordCount = static_cast<int>(Word::retry) + 1;

const char* word(Word word, lessons::Language language);

/// A word that is a printf format, filled.
[[gnu::format(printf, 1, 2)]] std::string phrase(const char* format, ...);

}  // namespace attn::ui
