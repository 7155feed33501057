#include "io/vocabulary.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/check.h"
#include "core/utf8.h"
#include "io/json_scanner.h"

namespace attn::io {
namespace {

constexpr std::string_view kSpecialSymbols[] = {"<pad>", "<bos>", "<eos>"};
static_assert(std::size(kSpecialSymbols) == Vocabulary::kSpecials);

bool is_special(std::string_view symbol) {
  return std::find(std::begin(kSpecialSymbols), std::end(kSpecialSymbols), symbol) !=
         std::end(kSpecialSymbols);
}

// What is wrong with a symbol of its own, null if nothing is.
const char* fault_of(const std::string& symbol) {
  if (symbol.empty()) return "is empty";
  if (symbol.size() > Vocabulary::kMostBytes) return "is longer than 64 bytes";
  if (core::well_formed(symbol) != symbol) return "is not UTF-8";
  for (const char byte : symbol) {
    const auto code = static_cast<unsigned char>(byte);
    if (code <= 0x20 || code == 0x7F) return "has white space or a control character in it";
  }
  return is_special(symbol) ? "has the name of a special symbol" : nullptr;
}

}  // namespace

Vocabulary::Vocabulary() : symbols_(std::begin(kSpecialSymbols), std::end(kSpecialSymbols)) {
  for (int id = 0; id < kSpecials; ++id) by_text_.push_back(id);
  std::sort(by_text_.begin(), by_text_.end(), [&](int a, int b) { return symbol(a) < symbol(b); });
}

core::Result<Vocabulary> Vocabulary::from_symbols(std::span<const std::string> symbols) {
  if (symbols.size() > kMostSymbols - kSpecials)
    return core::error_at("vocabulary: %zu symbols, at most %zu are allowed", symbols.size() + kSpecials,
                          kMostSymbols);
  Vocabulary vocabulary;
  for (const std::string& symbol : symbols) {
    const int id = vocabulary.size();
    if (const char* fault = fault_of(symbol))
      return core::error_at("vocabulary: symbol %d, %s, %s", id, quoted(core::well_formed(symbol)).c_str(),
                            fault);
    vocabulary.symbols_.push_back(symbol);
  }

  std::vector<std::pair<std::string, int>> order;
  for (int id = 0; id < vocabulary.size(); ++id) order.emplace_back(lower_case(vocabulary.symbol(id)), id);
  std::sort(order.begin(), order.end());
  vocabulary.by_text_.clear();
  for (const auto& [text, id] : order) vocabulary.by_text_.push_back(id);
  for (std::size_t first = 0; first < order.size(); ++first)
    for (std::size_t i = first + 1; i < order.size() && order[i].first == order[first].first; ++i)
      if (vocabulary.symbol(order[i].second) == vocabulary.symbol(order[first].second))
        return core::error_at("vocabulary: symbol %d, %s, is there already as symbol %d", order[i].second,
                              quoted(vocabulary.symbol(order[i].second)).c_str(), order[first].second);
  return vocabulary;
}

core::Result<Vocabulary> Vocabulary::from_json(std::string_view json) {
  JsonScanner scanner({reinterpret_cast<const std::uint8_t*>(json.data()), json.size()}, 0);
  std::vector<std::string> symbols;
  if (scanner.expect('[') && !scanner.accept(']')) {
    do {
      std::string symbol;
      if (!scanner.read_string(symbol)) break;
      if (symbols.size() == kMostSymbols) {
        scanner.fail("more than 65536 symbols");
        break;
      }
      symbols.push_back(std::move(symbol));
    } while (scanner.accept(','));
    scanner.expect(']');
  }
  scanner.expect_end();
  if (scanner.failed()) return core::error_at("vocabulary: %s", scanner.error().c_str());
  for (std::size_t id = 0; id < kSpecials; ++id)
    if (symbols.size() <= id || symbols[id] != kSpecialSymbols[id])
      return core::error_at("vocabulary: symbol %zu must be '%s'%s%s", id,
                            std::string(kSpecialSymbols[id]).c_str(), symbols.size() <= id ? "" : ", not ",
                            symbols.size() <= id ? "" : quoted(symbols[id]).c_str());
  return from_symbols(std::span(symbols).subspan(kSpecials));
}

std::string Vocabulary::to_json() const {
  std::string json = "[";
  for (const std::string& symbol : symbols_) {
    if (json.size() > 1) json += ',';
    json += '"';
    for (const char byte : symbol) {
      if (byte == '"' || byte == '\\') json += '\\';
      json += byte;
    }
    json += '"';
  }
  return json + ']';
}

const std::string& Vocabulary::symbol(int id) const {
  ATTN_CHECK(id >= 0 && id < size());
  return symbols_[static_cast<std::size_t>(id)];
}

std::optional<int> Vocabulary::find(std::string_view text) const {
  const std::string folded = lower_case(text);
  const auto less = [&](int id, const std::string& wanted) { return lower_case(symbol(id)) < wanted; };
  const auto first = std::lower_bound(by_text_.begin(), by_text_.end(), folded, less);
  std::optional<int> found;
  for (auto id = first; id != by_text_.end() && lower_case(symbol(*id)) == folded; ++id) {
    if (symbol(*id) == text) return *id;
    if (!found) found = *id;
  }
  return found;
}

std::vector<int> Vocabulary::nearest(std::string_view text, std::size_t count) const {
  const std::string folded = lower_case(text);
  std::vector<std::pair<std::size_t, int>> distances;
  for (int id = kSpecials; id < size(); ++id)
    distances.emplace_back(edit_distance(folded, lower_case(symbol(id))), id);
  std::sort(distances.begin(), distances.end());
  if (distances.size() > count) distances.resize(count);
  std::vector<int> ids;
  for (const auto& [distance, id] : distances) ids.push_back(id);
  return ids;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  const std::vector<std::string_view> x = characters_of(a);
  const std::vector<std::string_view> y = characters_of(b);
  // Rows i - 2, i - 1 and i of the table of distances between the first i of x and the first j of y.
  std::vector<std::size_t> before_last(y.size() + 1);
  std::vector<std::size_t> last(y.size() + 1);
  std::vector<std::size_t> row(y.size() + 1);
  for (std::size_t j = 0; j <= y.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= x.size(); ++i) {
    std::swap(before_last, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= y.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (x[i - 1] == y[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && x[i - 1] == y[j - 2] && x[i - 2] == y[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[y.size()];
}

std::vector<std::string_view> characters_of(std::string_view text) {
  std::vector<std::string_view> characters;
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(core::utf8_length(text), 1);
    characters.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return characters;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& byte : lower)
    if (byte >= 'A' && byte <= 'Z') byte = static_cast<char>(byte - 'A' + 'a');
  return lower;
}

}  // namespace attn::io
