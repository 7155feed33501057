#include "lessons/self_attention/formulas.h"

namespace attn::lessons::self_attention {
namespace {

std::string mi(const std::string& name, const std::string& role = {}) {
  return role.empty() ? "<mi>" + name + "</mi>" : "<mi class=\"" + role + "\">" + name + "</mi>";
}

std::string mo(const std::string& sign) { return "<mo>" + sign + "</mo>"; }

std::string row(const std::string& content) { return "<mrow>" + content + "</mrow>"; }

std::string sub(const std::string& base, const std::string& index) {
  return "<msub>" + base + index + "</msub>";
}

std::string pair(const std::string& a, const std::string& b) { return row(mi(a) + mi(b)); }

/// "q = W x" of a position.
Formula projection(const std::string& letter, const char* text, const char* symbol) {
  return {text, row(sub(mi(symbol, letter), mi("i")) + mo("=") + sub(mi("W"), mi(symbol, letter)) +
                    sub(mi("x"), mi("i")))};
}

std::string root_of_d_k() { return "<msqrt>" + sub(mi("d"), mi("k")) + "</msqrt>"; }

std::string power_of_score(const std::string& column) {
  return "<msup>" + mi("e") + sub(mi("α"), pair("i", column)) + "</msup>";
}

}  // namespace

Formula query_formula() { return projection("q", "q[i] = W_q · x[i]", "q"); }
Formula key_formula() { return projection("k", "k[i] = W_k · x[i]", "k"); }
Formula value_formula() { return projection("v", "v[i] = W_v · x[i]", "v"); }

Formula score_formula() {
  return {"α[i,j] = q[i] · k[j] / √dₖ",
          row(sub(mi("α"), pair("i", "j")) + mo("=") + "<mfrac>" +
              row(sub(mi("q", "q"), mi("i")) + mo("·") + sub(mi("k", "k"), mi("j"))) + root_of_d_k() +
              "</mfrac>")};
}

Formula weight_formula(bool causal) {
  const std::string range = causal ? row(mi("l") + mo("≤") + mi("i")) : mi("l");
  return {causal ? "α′[i,j] = exp(α[i,j]) / Σ exp(α[i,l]),  l ≤ i" : "α′[i,j] = exp(α[i,j]) / Σ exp(α[i,l])",
          row(sub(mi("α′"), pair("i", "j")) + mo("=") + "<mfrac>" + power_of_score("j") +
              row("<munder>" + mo("∑") + range + "</munder>" + power_of_score("l")) + "</mfrac>")};
}

Formula output_formula() {
  return {"b[i] = Σ α′[i,j] · v[j]",
          row(sub(mi("b", "out"), mi("i")) + mo("=") + "<munder>" + mo("∑") + mi("j") + "</munder>" +
              sub(mi("α′"), pair("i", "j")) + sub(mi("v", "v"), mi("j")))};
}

Formula matrix_formula() {
  return {"B = softmax(Q·Kᵀ / √dₖ) · V",
          row(mi("B", "out") + mo("=") + "<mi mathvariant=\"normal\">softmax</mi><mrow>" + mo("(") +
              "<mfrac>" + row(mi("Q", "q") + "<msup>" + mi("K", "k") + mi("T") + "</msup>") + root_of_d_k() +
              "</mfrac>" + mo(")") + "</mrow>" + mi("V", "v"))};
}

}  // namespace attn::lessons::self_attention
