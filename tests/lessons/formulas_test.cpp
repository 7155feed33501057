// A formula is written twice, as text for the canvas and as MathML for the page: both name the same symbols.
#include <set>
#include <utility>

#include "lessons/registry.h"
#include "lessons/session.h"
#include "support/catch.h"
#include "support/shipped_translator.h"

using namespace attn::lessons;

namespace {

using Symbols = std::set<std::string>;

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// What stands between the tags; words set upright, "softmax", stay whole in both as their letters.
std::string without_tags(const std::string& mathml) {
  std::string text;
  bool inside = false;
  for (const char c : mathml) {
    if (c == '<') inside = true;
    if (!inside) text += c;
    if (c == '>') inside = false;
  }
  return text;
}

/// The letters, digits and signs of equality; not how they are put together: brackets, commas, bars, dots for
/// products, signs that MathML draws (√, a fraction's line, a power).
Symbols symbols_of(std::string text) {
  constexpr std::pair<const char*, const char*> kSame[] = {
      {"exp", "e"}, {"ₖ", "k"}, {"ᵥ", "v"}, {"ₕ", "h"}, {"ᵢ", "i"}, {"ⱼ", "j"}, {"ₜ", "t"},  {"ᵀ", "T"},
      {"₀", "0"},   {"₁", "1"}, {"₂", "2"}, {"₃", "3"}, {"²", "2"}, {"∑", "Σ"}, {"&lt;", ""}};
  for (const auto& [from, to] : kSame) replace_all(text, from, to);
  constexpr std::string_view kLeftOut[] = {"√", "·", "⋅", "×",      "−",      "⁻",
                                           "…", "⟨", "⟩", "\u2061", "\u2062", "∣"};
  for (const std::string_view sign : kLeftOut) replace_all(text, sign, "");
  Symbols symbols;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
    const std::string symbol = text.substr(i, end - i);
    if (symbol.find_first_of(" []()|,:;/_+-^*{}<>&.") == std::string::npos) symbols.insert(symbol);
    i = end;
  }
  return symbols;
}

}  // namespace

TEST_CASE("symbols are read alike off text and MathML") {
  CHECK(
      symbols_of("α[i,j] = q[i] · k[j] / √dₖ") ==
      symbols_of(without_tags("<msub><mi>α</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><mo>=</mo><mfrac>"
                              "<mrow><mi>q</mi><mi>k</mi></mrow><msub><mi>d</mi><mi>k</mi></msub></mfrac>")));
  CHECK(symbols_of("u₀w₀") != symbols_of("uw"));
}

TEST_CASE("a formula's text and its MathML name the same symbols") {
  std::set<std::pair<std::string, std::string>> formulas;
  for (const Lesson* lesson : all_lessons())
    for (std::size_t i = 0; i <= lesson->parameters.size(); ++i) {
      ParameterValues values = initial_values(*lesson);
      if (i < values.size()) {
        if (lesson->parameters[i].place != ParameterPlace::board) continue;
        values[i] = lesson->parameters[i].maximum;
      }
      const attn::core::Result<Run> run =
          lesson->run(attn::test::inputs_of(*lesson, limited(*lesson, values)), nullptr);
      REQUIRE(run.ok());
      for (std::size_t step = 0; step < run.value().steps.size(); ++step) {
        const Formula& formula = run.value().steps[step].formula;
        if (formula.text.empty() || !formulas.emplace(formula.text, formula.mathml).second) continue;
        INFO(lesson->slug << " step " << step + 1 << ": " << formula.text << " | "
                          << without_tags(formula.mathml));
        CHECK(symbols_of(formula.text) == symbols_of(without_tags(formula.mathml)));
      }
    }
  CHECK(formulas.size() > 30);
}
