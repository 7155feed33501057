#include "lessons/mask_equivalence/narration.h"

namespace attn::lessons::mask_equivalence {

std::vector<Step> narrate(const Run& run, const Settings& settings) {
  const Facts facts = facts_of(run, settings);
  return {two_ways(facts, settings),
          masked_row(facts, settings),
          same_denominator(facts, settings),
          layer_by_layer(facts, settings),
          every_tensor(facts, settings),
          training_unmasked(facts, settings),
          inference_unmasked_one_layer(facts, settings),
          inference_unmasked_two_layers(facts, settings),
          poked_token(facts, settings),
          question(facts, settings)};
}

}  // namespace attn::lessons::mask_equivalence
