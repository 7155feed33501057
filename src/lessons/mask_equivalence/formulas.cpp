#include "lessons/mask_equivalence/formulas.h"

namespace attn::lessons::mask_equivalence {
namespace {

constexpr const char* kScoreAt = "<msub><mi>s</mi><mrow><mi>i</mi><mi>%s</mi></mrow></msub>";

std::string score_at(const char* column) {
  std::string markup(kScoreAt);
  return markup.replace(markup.find("%s"), 2, column);
}

}  // namespace

Formula score_formula() {
  return {"s[i,j] = q[i] · k[j] / √dₖ",
          "<mrow>" + score_at("j") +
              "<mo>=</mo><mfrac><mrow><msub><mi class=\"q\">q</mi><mi>i</mi></msub><mo>·</mo>"
              "<msub><mi class=\"k\">k</mi><mi>j</mi></msub></mrow>"
              "<msqrt><msub><mi>d</mi><mi>k</mi></msub></msqrt></mfrac></mrow>"};
}

Formula softmax_formula(bool causal_mask) {
  const std::string range = causal_mask ? "<mrow><mi>l</mi><mo>≤</mo><mi>i</mi></mrow>" : "<mi>l</mi>";
  return {
      causal_mask ? "w[i,j] = exp(s[i,j]) / Σ exp(s[i,l]),  l ≤ i" : "w[i,j] = exp(s[i,j]) / Σ exp(s[i,l])",
      "<mrow><msub><mi>w</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><mo>=</mo><mfrac><msup><mi>e</mi>" +
          score_at("j") + "</msup><mrow><munder><mo>∑</mo>" + range + "</munder><msup><mi>e</mi>" +
          score_at("l") + "</msup></mrow></mfrac></mrow>"};
}

}  // namespace attn::lessons::mask_equivalence
