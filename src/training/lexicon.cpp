#include "training/lexicon.h"

#include <algorithm>
#include <span>

#include "core/bits.h"
#include "core/check.h"

namespace attn::training {
namespace {

// The text before the first `mark`, which is taken off; the whole text if there is none.
std::string_view cut(std::string_view& text, char mark) {
  const std::size_t end = std::min(text.find(mark), text.size());
  const std::string_view head = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return head;
}

bool is_upper(char letter) { return letter >= 'A' && letter <= 'Z'; }

Tags tags_of(Lexicon& lexicon, std::string_view names) {
  std::vector<std::string_view>& known = lexicon.tag_names;
  Tags tags;
  for (const std::string_view name : split(names, ',')) {
    auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) found = known.insert(found, name);
    ATTN_CHECK(known.size() <= tags.size());
    tags.set(static_cast<std::size_t>(found - known.begin()));
  }
  return tags;
}

std::size_t word_of(Lexicon& lexicon, std::string_view text) {
  std::vector<Word>& words = lexicon.words;
  const auto same = [&](const Word& word) { return word.text == text; };
  auto found = std::find_if(words.begin(), words.end(), same);
  if (found == words.end()) found = words.insert(found, Word{std::string(text)});
  return static_cast<std::size_t>(found - words.begin());
}

// A word, or `N2.column:tag`.
Part read_part(Lexicon& lexicon, std::string_view text, Rule& rule, std::string_view default_column) {
  if (!is_upper(text[0])) return Part{std::string(text), {word_of(lexicon, text)}};
  std::string_view filter = text;
  std::string_view column = cut(filter, ':');
  const std::string_view name = cut(column, '.');
  const auto same = [&](const Slot& slot) { return slot.name == name; };
  auto slot = std::find_if(rule.slots.begin(), rule.slots.end(), same);
  if (slot == rule.slots.end()) slot = rule.slots.insert(slot, Slot{std::string(name), name[0], Tags{}});
  slot->filter |= tags_of(lexicon, filter);

  const std::vector<std::string>& columns = lexicon.table(name[0]).columns;
  if (column.empty()) column = default_column.empty() ? std::string_view(columns.front()) : default_column;
  const auto at = std::find(columns.begin(), columns.end(), column);
  ATTN_CHECK(at != columns.end());
  return Part{
      "", {}, static_cast<int>(slot - rule.slots.begin()), static_cast<std::size_t>(at - columns.begin())};
}

std::size_t read_count(std::string_view text) {
  if (text == "all") return kAll;
  std::size_t number = 0;
  for (const char digit : text) number = number * 10 + static_cast<std::size_t>(digit - '0');
  return number;
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, char mark) {
  std::vector<std::string_view> pieces;
  while (!text.empty())
    if (const std::string_view piece = cut(text, mark); !piece.empty()) pieces.push_back(piece);
  return pieces;
}

void add_entry(Lexicon& lexicon, char table, std::vector<std::string> forms, Tags tags) {
  ATTN_CHECK(forms.size() == lexicon.table(table).columns.size());
  Entry entry{std::move(forms), {}, tags};
  if (std::find(entry.forms.begin(), entry.forms.end(), "-") == entry.forms.end()) entry.tags.set(kWhole);
  entry.hash = core::fnv1a(nullptr, 0);
  for (const std::string& form : entry.forms) {
    entry.hash = core::fnv1a(form.c_str(), form.size() + 1, entry.hash);
    entry.words.emplace_back();
    for (const std::string_view word : split(form, ' ')) entry.words.back().push_back(word_of(lexicon, word));
  }
  lexicon.table(table).entries.push_back(std::move(entry));
}

Lexicon read_words(std::string_view text) {
  Lexicon lexicon;
  char table = 0;
  for (const std::string_view line : split(text, '\n')) {
    const std::vector<std::string_view> cells = split(line, ' ');
    if (is_upper(cells[0][0])) {
      table = cells[0][0];
      lexicon.table(table).columns.assign(cells.begin() + 1, cells.end());
      continue;
    }
    const std::size_t n_columns = lexicon.table(table).columns.size();
    ATTN_CHECK(cells.size() == n_columns || cells.size() == n_columns + 1);
    std::vector<std::string> forms;
    for (const std::string_view cell : std::span(cells).first(n_columns)) {
      forms.emplace_back(cell == "~" ? "" : cell);
      std::replace(forms.back().begin(), forms.back().end(), '_', ' ');
    }
    const Tags tags = tags_of(lexicon, cells.size() > n_columns ? cells.back() : "");
    add_entry(lexicon, table, std::move(forms), tags);
  }
  return lexicon;
}

Rule read_rule(Lexicon& lexicon, std::string_view line) {
  Rule rule;
  if (is_upper(line[0])) {
    rule.makes = line[0];
    const std::vector<std::string_view> head = split(cut(line, '>'), ' ');
    if (head.size() > 1) rule.tags = tags_of(lexicon, head[1]);
  } else {
    std::string_view counts = cut(line, ' ');
    rule.most = read_count(cut(counts, '+'));
    rule.most_of_people = read_count(counts);
  }
  rule.hash = core::fnv1a(line.data(), line.size());
  const std::string_view english = cut(line, '=');
  for (const std::string_view place : split(english, ' ')) {
    Choice choice;
    for (const std::string_view text : split(place, '/'))
      choice.push_back(read_part(lexicon, text, rule, ""));
    rule.english.push_back(std::move(choice));
  }
  for (const std::string_view text : split(line, ' '))
    rule.chinese.push_back(read_part(lexicon, text, rule, "zh"));
  return rule;
}

}  // namespace attn::training
