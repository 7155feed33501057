#include "lessons/scale_by_sqrt_dk/formulas.h"

namespace attn::lessons::scale_by_sqrt_dk {
namespace {

// Stand-ins of the patterns below: $d = d_k, $s = s with index ij, $q, $k = σ², $m, $n = μ² of q and k.
constexpr FormulaPart kParts[] = {
    {"$d", "<msub><mi>d</mi><mi>k</mi></msub>"},
    {"$s", "<msub><mi>s</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub>"},
    {"$q", "<msubsup><mi>σ</mi><mi class=\"q\">q</mi><mn>2</mn></msubsup>"},
    {"$k", "<msubsup><mi>σ</mi><mi class=\"k\">k</mi><mn>2</mn></msubsup>"},
    {"$m", "<msubsup><mi>μ</mi><mi class=\"q\">q</mi><mn>2</mn></msubsup>"},
    {"$n", "<msubsup><mi>μ</mi><mi class=\"k\">k</mi><mn>2</mn></msubsup>"},
    {"$v",
     "<mrow><mi mathvariant=\"normal\">Var</mi><mo>(</mo>"
     "<msub><mi>s</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><mo>)</mo></mrow><mo>=</mo>"},
};

Formula formula(const char* text, std::string mathml) { return formula_of(text, std::move(mathml), kParts); }

}  // namespace

Formula score_formula() {
  return formula(
      "s[i,j] = Σ q[i,d] · k[j,d],  d = 1 … dₖ",
      "$s<mo>=</mo><munderover><mo>∑</mo><mrow><mi>d</mi><mo>=</mo><mn>1</mn></mrow>$d</munderover>"
      "<msub><mi class=\"q\">q</mi><mrow><mi>i</mi><mi>d</mi></mrow></msub>"
      "<msub><mi class=\"k\">k</mi><mrow><mi>j</mi><mi>d</mi></mrow></msub>");
}

Formula variance_formula() {
  return formula("Var(s[i,j]) = dₖ · Var(q·k)",
                 "$v$d<mo>·</mo><mi mathvariant=\"normal\">Var</mi><mo>(</mo><mi class=\"q\">q</mi>"
                 "<mi class=\"k\">k</mi><mo>)</mo>");
}

Formula scaled_formula() {
  return formula("s[i,j] = q[i] · k[j] / √dₖ",
                 "$s<mo>=</mo><mfrac><mrow><msub><mi class=\"q\">q</mi><mi>i</mi></msub><mo>·</mo>"
                 "<msub><mi class=\"k\">k</mi><mi>j</mi></msub></mrow><msqrt>$d</msqrt></mfrac>");
}

Formula general_variance_formula() {
  return formula("Var(s[i,j]) = dₖ (σ_q² σ_k² + σ_q² μ_k² + σ_k² μ_q²)",
                 "$v$d<mo>(</mo>$q$k<mo>+</mo>$q$n<mo>+</mo>$k$m<mo>)</mo>");
}

Formula slope_formula() {
  return formula("∂w[i]/∂s[j] = w[i] (δ[i,j] − w[j])",
                 "<mfrac><mrow><mo>∂</mo><msub><mi>w</mi><mi>i</mi></msub></mrow><mrow><mo>∂</mo>"
                 "<msub><mi>s</mi><mi>j</mi></msub></mrow></mfrac><mo>=</mo><msub><mi>w</mi><mi>i</mi></msub>"
                 "<mo>(</mo><msub><mi>δ</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><mo>−</mo>"
                 "<msub><mi>w</mi><mi>j</mi></msub><mo>)</mo>");
}

}  // namespace attn::lessons::scale_by_sqrt_dk
