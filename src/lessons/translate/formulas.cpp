#include "lessons/translate/formulas.h"

namespace attn::lessons::translate {
namespace {

constexpr FormulaPart kParts[] = {
    {"$i", "<msub><mi>z</mi><mi>i</mi></msub>"},
    {"$j", "<msub><mi>z</mi><mi>j</mi></msub>"},
    {"$p", "<msub><mi>p</mi><mi>i</mi></msub><mo>=</mo>"},
    {"$s", "<munder><mo>∑</mo><mi>j</mi></munder>"},
};

}  // namespace

Formula embedding_formula() {
  return formula_of("x = E[id] + PE[t]",
                    "<mi>x</mi><mo>=</mo><mi>E</mi><mo>[</mo><mi mathvariant=\"normal\">id</mi><mo>]</mo>"
                    "<mo>+</mo><mi mathvariant=\"normal\">PE</mi><mo>[</mo><mi>t</mi><mo>]</mo>",
                    kParts);
}

Formula softmax_formula() {
  return formula_of("pᵢ = e^zᵢ / Σⱼ e^zⱼ",
                    "$p<mfrac><msup><mi>e</mi>$i</msup><mrow>$s<msup><mi>e</mi>$j</msup></mrow></mfrac>",
                    kParts);
}

Formula attention_formula() {
  return formula_of("α = softmax(q·Kᵀ / √dₖ)",
                    "<mi>α</mi><mo>=</mo><mi mathvariant=\"normal\">softmax</mi><mo>(</mo><mfrac><mrow>"
                    "<mi class=\"q\">q</mi><msup><mi class=\"k\">K</mi><mi>T</mi></msup></mrow><msqrt><msub>"
                    "<mi>d</mi><mi>k</mi></msub></msqrt></mfrac><mo>)</mo>",
                    kParts);
}

Formula temperature_formula() {
  return formula_of("pᵢ = e^(zᵢ/T) / Σⱼ e^(zⱼ/T)",
                    "$p<mfrac><msup><mi>e</mi><mrow>$i<mo>/</mo><mi>T</mi></mrow></msup><mrow>$s<msup>"
                    "<mi>e</mi><mrow>$j<mo>/</mo><mi>T</mi></mrow></msup></mrow></mfrac>",
                    kParts);
}

}  // namespace attn::lessons::translate
