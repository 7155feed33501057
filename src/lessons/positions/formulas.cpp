#include "lessons/positions/formulas.h"

namespace attn::lessons::positions {
namespace {

// Stand-ins of the patterns below: $p = p, $i = i, $f = f with index i, $s = sum over i.
constexpr FormulaPart kParts[] = {
    {"$p", "<mi>p</mi>"},
    {"$f", "<msub><mi>f</mi><mi>i</mi></msub>"},
    {"$s", "<munder><mo>∑</mo><mi>i</mi></munder>"},
    {"$x", "<msup><mn>10000</mn><mrow><mn>2</mn><mi>i</mi><mo>/</mo><mi>d</mi></mrow></msup>"},
    {"$e", "<mi mathvariant=\"normal\">PE</mi>"},
};

Formula formula(const char* text, std::string mathml) { return formula_of(text, std::move(mathml), kParts); }

}  // namespace

Formula output_formula() {
  return formula(
      "b[i] = Σ w[i,j] · v[j]",
      "<msub><mi class=\"out\">b</mi><mi>i</mi></msub><mo>=</mo><munder><mo>∑</mo><mi>j</mi></munder>"
      "<msub><mi>w</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><msub><mi class=\"v\">v</mi><mi>j</mi>"
      "</msub>");
}

Formula sum_formula() {
  return formula("x[p] = e[p] + PE[p]",
                 "<msub><mi>x</mi>$p</msub><mo>=</mo><msub><mi>e</mi>$p</msub><mo>+</mo><msub>$e$p</msub>");
}

Formula encoding_formula() {
  return formula(
      "PE[p, 2i] = sin(p / 10000^(2i/d)),  PE[p, 2i+1] = cos(p / 10000^(2i/d))",
      "<msub>$e<mrow>$p<mo>,</mo><mn>2</mn><mi>i</mi></mrow></msub><mo>=</mo><mi>sin</mi><mfrac>$p$x"
      "</mfrac><mo>,</mo><mspace width=\"1em\"/><msub>$e<mrow>$p<mo>,</mo><mn>2</mn><mi>i</mi><mo>+</mo>"
      "<mn>1</mn></mrow></msub><mo>=</mo><mi>cos</mi><mfrac>$p$x</mfrac>");
}

Formula wavelength_formula() {
  return formula("λ[i] = 2π · 10000^(2i/d)",
                 "<msub><mi>λ</mi><mi>i</mi></msub><mo>=</mo><mn>2</mn><mi>π</mi><mo>·</mo>$x");
}

Formula distance_formula() {
  return formula("PE[p] · PE[p+k] = Σ cos(k · f[i])",
                 "<msub>$e$p</msub><mo>·</mo><msub>$e<mrow>$p<mo>+</mo><mi>k</mi></mrow></msub><mo>=</mo>$s"
                 "<mi>cos</mi><mo>(</mo><mi>k</mi>$f<mo>)</mo>");
}

}  // namespace attn::lessons::positions
