// What the steps of `mask-lab` share: what they are told from, and turns of phrase.
#pragma once

#include "lessons/mask_lab/narration.h"

namespace attn::lessons::mask_lab {

struct Scene {
  const Run& run;
  const Facts& facts;
  const Settings& settings;
  bool clicked;  // the reader has toggled cells of the mask

  std::string word(int row) const { return run.word_at(tape::Axis::target, row); }
  const Judgement& table(int index) const { return facts.tables[static_cast<std::size_t>(index)]; }
};

/// "row 3 (saw)".
RunText row_name(const Scene& scene, int row);

Focus cell(int table, tape::Site site, int row, int column);

/// Of the first row that sees nothing: "0.20 everywhere", "as if unmasked (up to 0.48)".
RunText empty_row_under(const Scene& scene, int table);

// The steps in order.
Step tell_grid(const Scene& scene);
Step tell_two_masks(const Scene& scene);
Step tell_before(const Scene& scene);
Step tell_after(const Scene& scene);
Step tell_nobody(const Scene& scene);
Step tell_conventions(const Scene& scene);
Step tell_positions(const Scene& scene);
Step tell_question(const Scene& scene);

}  // namespace attn::lessons::mask_lab
