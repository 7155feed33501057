#include "lessons/mask_equivalence/phrases.h"

namespace attn::lessons::mask_equivalence {

std::string number(int value) { return std::to_string(value); }

std::string plural(int count, const std::string& noun) {
  return number(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string rows_up_to(int last) { return last == 0 ? "0" : "0–" + number(last); }

RunText overall(const Facts& facts) {
  if (facts.all_equal)
    return fill({"{eq|$0 / $1 个张量相等}，0 ULP。", "{eq|$0 / $1 tensors are equal}, 0 ULP."},
                {facts.equal, facts.total});
  return fill(
      {"{ne|最先不同}：{strong|$0}，相差 {ne|$1}。", "{ne|first to differ}: {strong|$0}, by {ne|$1}."},
      {facts.first_place, facts.first_difference});
}

RunText about_masks(const Facts& facts) {
  return fill(facts.masks.equal()
                  ? Text{"两边掩码共 $1 格，{eq|$0 格不同}。", "Masks: {eq|$0 of $1} common cells differ."}
                  : Text{"两边掩码共 $1 格，{ne|$0 格不同}。", "Masks: {ne|$0 of $1} common cells differ."},
              {facts.masks.different, facts.masks.compared});
}

RunText scope(const Facts& facts, const Settings& settings) {
  if (!settings.newest_row_only) return fill({"比较两边共有的行：", "In all common rows: "});
  return fill({"只比最新的行 $0：", "In the newest row, $0: "}, {facts.newest});
}

}  // namespace attn::lessons::mask_equivalence
