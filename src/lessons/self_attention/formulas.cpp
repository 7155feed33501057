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

/// Where the query i meets a key: by rows [i, key], by columns [key, i].
std::string meeting(const std::string& key, bool columns) {
  return columns ? pair(key, "i") : pair("i", key);
}

std::string power_of_score(const std::string& key, bool columns) {
  return "<msup>" + mi("e") + sub(mi("α"), meeting(key, columns)) + "</msup>";
}

}  // namespace

Formula query_formula() { return projection("q", "q[i] = W_q · x[i]", "q"); }
Formula key_formula() { return projection("k", "k[i] = W_k · x[i]", "k"); }
Formula value_formula() { return projection("v", "v[i] = W_v · x[i]", "v"); }

Formula score_formula(bool columns) {
  const std::string query = sub(mi("q", "q"), mi("i"));
  const std::string key = sub(mi("k", "k"), mi("j"));
  return {columns ? "α[j,i] = k[j] · q[i] / √dₖ" : "α[i,j] = q[i] · k[j] / √dₖ",
          row(sub(mi("α"), meeting("j", columns)) + mo("=") + "<mfrac>" +
              row(columns ? key + mo("·") + query : query + mo("·") + key) + root_of_d_k() + "</mfrac>")};
}

Formula weight_formula(bool causal, bool columns) {
  const std::string range = causal ? row(mi("l") + mo("≤") + mi("i")) : mi("l");
  std::string text =
      columns ? "α′[j,i] = exp(α[j,i]) / Σ exp(α[l,i])" : "α′[i,j] = exp(α[i,j]) / Σ exp(α[i,l])";
  if (causal) text += ",  l ≤ i";
  return {std::move(text),
          row(sub(mi("α′"), meeting("j", columns)) + mo("=") + "<mfrac>" + power_of_score("j", columns) +
              row("<munder>" + mo("∑") + range + "</munder>" + power_of_score("l", columns)) + "</mfrac>")};
}

Formula output_formula(bool columns) {
  const std::string weight = sub(mi("α′"), meeting("j", columns));
  const std::string value = sub(mi("v", "v"), mi("j"));
  return {columns ? "b[i] = Σ v[j] · α′[j,i]" : "b[i] = Σ α′[i,j] · v[j]",
          row(sub(mi("b", "out"), mi("i")) + mo("=") + "<munder>" + mo("∑") + mi("j") + "</munder>" +
              (columns ? value + weight : weight + value))};
}

Formula matrix_formula(bool columns) {
  const std::string query = mi("Q", "q");
  const std::string key = mi("K", "k");
  const auto turned = [](const std::string& matrix) { return "<msup>" + matrix + mi("T") + "</msup>"; };
  const std::string softmax = "<mi mathvariant=\"normal\">softmax</mi><mrow>" + mo("(") + "<mfrac>" +
                              row(columns ? turned(key) + query : query + turned(key)) + root_of_d_k() +
                              "</mfrac>" + mo(")") + "</mrow>";
  const std::string value = mi("V", "v");
  return {columns ? "B = V · softmax(Kᵀ·Q / √dₖ)" : "B = softmax(Q·Kᵀ / √dₖ) · V",
          row(mi("B", "out") + mo("=") + (columns ? value + softmax : softmax + value))};
}

}  // namespace attn::lessons::self_attention
