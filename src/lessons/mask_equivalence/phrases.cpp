#include "lessons/mask_equivalence/phrases.h"

namespace attn::lessons::mask_equivalence {

std::string number(int value) { return std::to_string(value); }

std::string plural(int count, const std::string& noun) {
  return number(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string rows_up_to(int last) { return last == 0 ? "0" : "0–" + number(last); }

RunText overall(const Facts& facts) {
  if (facts.all_equal) {
    const std::string count = number(facts.equal) + " / " + number(facts.total);
    return {"{eq|" + count + " 个张量相等}，0 ULP。", "{eq|" + count + " tensors are equal}, 0 ULP."};
  }
  return {
      "{ne|最先不同}：{strong|" + facts.first_place.zh + "}，相差 {ne|" + facts.first_difference + "}。",
      "{ne|first to differ}: {strong|" + facts.first_place.en + "}, by {ne|" + facts.first_difference + "}."};
}

RunText about_masks(const Facts& facts) {
  const int different = facts.masks.different;
  const std::string role = different == 0 ? "{eq|" : "{ne|";
  return {
      "两边的掩码共有 " + number(facts.masks.compared) + " 格，" + role + number(different) + " 格不同}。",
      "Masks: " + role + number(different) + " of " + number(facts.masks.compared) +
          "} common cells differ."};
}

RunText scope(const Facts& facts, const Settings& settings) {
  if (!settings.newest_row_only) return {"比较两边共有的行：", "In all common rows: "};
  return {"只比最新的行 " + number(facts.newest) + "：", "In the newest row, " + number(facts.newest) + ": "};
}

}  // namespace attn::lessons::mask_equivalence
