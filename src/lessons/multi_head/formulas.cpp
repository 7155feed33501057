#include "lessons/multi_head/formulas.h"

namespace attn::lessons::multi_head {

Formula split_formula() {
  return {"Qᵢ = Q[:, (i−1)·dₖ … i·dₖ − 1],  i = 1 … h",
          "<mrow><msub><mi class=\"q\">Q</mi><mi>i</mi></msub><mo>=</mo><mi class=\"q\">Q</mi><mo>[</mo>"
          "<mo>:</mo><mo>,</mo><mo>(</mo><mi>i</mi><mo>−</mo><mn>1</mn><mo>)</mo><msub><mi>d</mi><mi>k</mi>"
          "</msub><mo>…</mo><mi>i</mi><msub><mi>d</mi><mi>k</mi></msub><mo>−</mo><mn>1</mn><mo>]</mo>"
          "<mo>,</mo><mi>i</mi><mo>=</mo><mn>1</mn><mo>…</mo><mi>h</mi></mrow>"};
}

Formula head_formula() {
  return {"headᵢ = softmax(Qᵢ·Kᵢᵀ / √dₖ)·Vᵢ",
          "<mrow><msub><mi mathvariant=\"normal\">head</mi><mi>i</mi></msub><mo>=</mo>"
          "<mi mathvariant=\"normal\">softmax</mi><mo>(</mo><mfrac><mrow><msub><mi class=\"q\">Q</mi>"
          "<mi>i</mi></msub><msubsup><mi class=\"k\">K</mi><mi>i</mi><mi>T</mi></msubsup></mrow><msqrt><msub>"
          "<mi>d</mi><mi>k</mi></msub></msqrt></mfrac><mo>)</mo><msub><mi class=\"v\">V</mi><mi>i</mi></msub>"
          "</mrow>"};
}

Formula output_formula() {
  return {
      "MultiHead = Concat(head₁, …, headₕ)·W_o",
      "<mrow><mi mathvariant=\"normal\">MultiHead</mi><mo>=</mo><mi mathvariant=\"normal\">Concat</mi>"
      "<mo>(</mo><msub><mi mathvariant=\"normal\">head</mi><mn>1</mn></msub><mo>,</mo><mo>…</mo><mo>,</mo>"
      "<msub><mi mathvariant=\"normal\">head</mi><mi>h</mi></msub><mo>)</mo><msub><mi>W</mi><mi>o</mi>"
      "</msub></mrow>"};
}

}  // namespace attn::lessons::multi_head
