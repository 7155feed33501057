#include "training/grammar.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/bits.h"
#include "core/check.h"
#include "core/random.h"
#include "core/utf8.h"
#include "training/grammar_tables.h"

namespace attn::training {
namespace {

using Tags = std::bitset<128>;
constexpr std::size_t kAll = SIZE_MAX;
constexpr int kFew = 50;  // sentences with a word

// The tags that mean something here.
enum : std::size_t { kWhole, kThird, kPlural };
constexpr std::string_view kTagNames[] = {"whole", "third", "plural"};

struct Word {
  std::string text;
  int uses = 0;  // in sentences made so far
};

struct Entry {
  std::vector<std::string> forms;  // one a column; "-" does not exist
  std::vector<std::vector<std::size_t>> words;  // of each form, in Grammar::words_
  Tags tags;
  std::uint64_t hash = 0;  // of the forms
};

struct Table {
  std::vector<std::string> columns;
  std::vector<Entry> entries;
};

// What stands at one place of a rule: a text, or a slot's form.
struct Part {
  std::string text;
  int slot = -1;  // of Rule::slots
  std::size_t column = 0;
};

// One place in English: a part, or several of which the subject chooses.
using Choice = std::vector<Part>;

struct Slot {
  std::string name;  // letter and digit
  char table = 0;
  Tags filter;  // every entry must have these
};

struct Rule {
  std::size_t most = kAll;         // sentences, with S from table S
  std::size_t most_of_people = 0;  // sentences, with S from table W
  std::uint64_t hash = 0;          // of its text
  std::vector<Slot> slots;
  std::vector<Choice> english;
  std::vector<Part> chinese;
};

// An entry for each slot.
struct Filling {
  std::array<const Entry*, 6> entries{};
  std::uint64_t hash = core::fnv1a(nullptr, 0);  // of the entries
  std::uint32_t draw = 0;                        // which of the rule's sentences come first
  int rarest = 0;                                // uses of its rarest word
};

// The text before the first `mark`, which is taken off; the whole text if there is none.
std::string_view cut(std::string_view& text, char mark) {
  const std::size_t end = std::min(text.find(mark), text.size());
  const std::string_view head = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return head;
}

std::vector<std::string_view> split(std::string_view text, char mark) {
  std::vector<std::string_view> pieces;
  while (!text.empty())
    if (const std::string_view piece = cut(text, mark); !piece.empty()) pieces.push_back(piece);
  return pieces;
}

bool is_upper(char letter) { return letter >= 'A' && letter <= 'Z'; }

class Grammar {
 public:
  Grammar() {
    read_words(grammar_words());
    for (const std::string_view line : split(grammar_rules(), '\n')) read_rule(line);
  }

  std::vector<Pair> sentences;

 private:
  Table& table(char letter) { return tables_[static_cast<std::size_t>(letter - 'A')]; }

  Tags tags_of(std::string_view names) {
    Tags tags;
    for (const std::string_view name : split(names, ',')) {
      auto found = std::find(tag_names_.begin(), tag_names_.end(), name);
      if (found == tag_names_.end()) found = tag_names_.insert(found, name);
      tags.set(static_cast<std::size_t>(found - tag_names_.begin()));
    }
    ATTN_CHECK(tag_names_.size() <= tags.size());
    return tags;
  }

  void add(Table& table, std::vector<std::string> forms, Tags tags) {
    ATTN_CHECK(forms.size() == table.columns.size());
    Entry entry{std::move(forms), {}, tags};
    for (const std::string& form : entry.forms) {
      entry.words.emplace_back();
      for (const std::string_view text : split(form, ' ')) {
        const auto same = [&](const Word& word) { return word.text == text; };
        const auto found = std::find_if(words_.begin(), words_.end(), same);
        entry.words.back().push_back(static_cast<std::size_t>(found - words_.begin()));
        if (found == words_.end()) words_.push_back(Word{std::string(text)});
      }
    }
    if (std::find(entry.forms.begin(), entry.forms.end(), "-") == entry.forms.end()) entry.tags.set(kWhole);
    entry.hash = core::fnv1a(nullptr, 0);
    for (const std::string& form : entry.forms)
      entry.hash = core::fnv1a(form.c_str(), form.size() + 1, entry.hash);
    table.entries.push_back(std::move(entry));
  }

  void read_words(std::string_view text) {
    Table* current = nullptr;
    for (const std::string_view line : split(text, '\n')) {
      const std::vector<std::string_view> cells = split(line, ' ');
      if (is_upper(cells[0][0])) {
        current = &table(cells[0][0]);
        current->columns.assign(cells.begin() + 1, cells.end());
        continue;
      }
      const std::size_t n_columns = current->columns.size();
      ATTN_CHECK(cells.size() == n_columns || cells.size() == n_columns + 1);
      std::vector<std::string> forms;
      for (const std::string_view cell : std::span(cells).first(n_columns)) {
        forms.emplace_back(cell == "~" ? "" : cell);
        std::replace(forms.back().begin(), forms.back().end(), '_', ' ');
      }
      add(*current, std::move(forms), tags_of(cells.size() > n_columns ? cells.back() : ""));
    }
  }

  // A word, or `N2.column:tag`.
  Part read_part(std::string_view text, Rule& rule, std::string_view default_column) {
    if (!is_upper(text[0])) return Part{std::string(text)};
    std::string_view rest = text;
    std::string_view column = cut(rest, ':');
    const Tags filter = tags_of(rest);
    const std::string_view name = cut(column, '.');
    const auto same = [&](const Slot& slot) { return slot.name == name; };
    auto found = std::find_if(rule.slots.begin(), rule.slots.end(), same);
    if (found == rule.slots.end())
      found = rule.slots.insert(found, Slot{std::string(name), name[0], Tags{}});
    found->filter |= filter;

    const std::vector<std::string>& columns = table(name[0]).columns;
    if (column.empty()) column = default_column.empty() ? std::string_view(columns.front()) : default_column;
    const auto at = std::find(columns.begin(), columns.end(), column);
    ATTN_CHECK(at != columns.end());
    return Part{"", static_cast<int>(found - rule.slots.begin()),
                static_cast<std::size_t>(at - columns.begin())};
  }

  void read_rule(std::string_view line) {
    Rule rule;
    rule.hash = core::fnv1a(line.data(), line.size());
    std::string_view head = line;
    const bool makes_entries = is_upper(line[0]);
    if (makes_entries) {
      head = cut(line, ':');
    } else {
      std::string_view counts = cut(line, ' ');
      rule.most = read_count(cut(counts, '+'));
      rule.most_of_people = read_count(counts);
    }
    std::string_view chinese = line;
    const std::string_view english = cut(chinese, '=');
    for (const std::string_view place : split(english, ' ')) {
      Choice choice;
      for (const std::string_view text : split(place, '/')) choice.push_back(read_part(text, rule, ""));
      rule.english.push_back(std::move(choice));
    }
    for (const std::string_view text : split(chinese, ' '))
      rule.chinese.push_back(read_part(text, rule, "zh"));

    if (makes_entries) {
      Table& target = table(head[0]);
      head.remove_prefix(2);
      const Tags tags = tags_of(cut(head, ' '));
      for (Pair& pair : expand(rule, kAll)) add(target, {pair.english, pair.chinese}, tags);
      return;
    }
    append(expand(rule, rule.most));
    for (Slot& slot : rule.slots)
      if (slot.name == "S" && rule.most_of_people > 0) {
        slot.table = 'W';
        append(expand(rule, rule.most_of_people));
      }
  }

  static std::size_t read_count(std::string_view text) {
    if (text == "all") return kAll;
    std::size_t number = 0;
    for (const char digit : text) number = number * 10 + static_cast<std::size_t>(digit - '0');
    return number;
  }

  void append(std::vector<Pair> pairs) {
    sentences.insert(sentences.end(), std::make_move_iterator(pairs.begin()),
                     std::make_move_iterator(pairs.end()));
  }

  // At most `most` sentences of the rule. A third of them are the first in the order of their draws; each of the
  // others is the one with the rarest word, as long as there are few sentences with that.
  std::vector<Pair> expand(const Rule& rule, std::size_t most) {
    std::vector<Filling> fillings;
    Filling filling;
    fill(rule, 0, filling, fillings);
    std::stable_sort(fillings.begin(), fillings.end(),
                     [](const Filling& a, const Filling& b) { return a.draw < b.draw; });
    std::vector<Pair> pairs;
    std::size_t next = 0;
    for (; next < fillings.size() && pairs.size() < (most == kAll ? most : most / 3); ++next)
      speak(rule, fillings[next], pairs);

    fillings.erase(fillings.begin(), fillings.begin() + static_cast<std::ptrdiff_t>(next));
    const auto later = [](const Filling& a, const Filling& b) {
      return a.rarest != b.rarest ? a.rarest > b.rarest : a.draw > b.draw;
    };
    for (Filling& each : fillings) each.rarest = rarest(rule, each);
    std::make_heap(fillings.begin(), fillings.end(), later);
    while (!fillings.empty() && pairs.size() < most) {
      std::pop_heap(fillings.begin(), fillings.end(), later);
      Filling& first = fillings.back();
      const int known = first.rarest;
      first.rarest = rarest(rule, first);
      if (first.rarest > known && first.rarest < kFew) {
        std::push_heap(fillings.begin(), fillings.end(), later);
        continue;
      }
      if (first.rarest < kFew) speak(rule, first, pairs);
      fillings.pop_back();
    }
    return pairs;
  }

  void speak(const Rule& rule, const Filling& filling, std::vector<Pair>& pairs) {
    Pair pair;
    if (!write(rule, filling, pair)) return;
    pairs.push_back(std::move(pair));
    for_words(rule, filling, [](Word& word) { ++word.uses; });
  }

  // Uses so far of the word of a slot that was used least.
  int rarest(const Rule& rule, const Filling& filling) {
    int fewest = kFew;
    for_words(rule, filling, [&](const Word& word) { fewest = std::min(fewest, word.uses); });
    return fewest;
  }

  template <class Function>
  void for_words(const Rule& rule, const Filling& filling, Function function) {
    for (const Choice& choice : rule.english) {
      const Part& part = spoken(rule, filling, choice);
      if (part.slot < 0) continue;
      const Entry& entry = *filling.entries[static_cast<std::size_t>(part.slot)];
      for (const std::size_t word : entry.words[part.column]) function(words_[word]);
    }
  }

  static const Part& spoken(const Rule& rule, const Filling& filling, const Choice& choice) {
    return choice[choice.size() > 1 ? person(rule, filling, choice.size()) : 0];
  }

  // Fills the slots from number `i` on in every way that agrees.
  void fill(const Rule& rule, std::size_t i, Filling& filling, std::vector<Filling>& fillings) {
    if (i == rule.slots.size()) {
      filling.draw = core::RandomStream{filling.hash, rule.hash}.bits(0);
      fillings.push_back(filling);
      return;
    }
    const Slot& slot = rule.slots[i];
    const std::uint64_t hash = filling.hash;
    for (const Entry& entry : table(slot.table).entries) {
      const auto clashes = [&](const Slot& other, const Entry& with) {
        return must_agree(other.table, slot.table) && (with.tags & entry.tags & ~Tags{}.set(kWhole)).none();
      };
      bool agrees = (entry.tags & slot.filter) == slot.filter;
      for (std::size_t j = 0; j < i; ++j) agrees = agrees && !clashes(rule.slots[j], *filling.entries[j]);
      if (!agrees) continue;
      filling.entries[i] = &entry;
      filling.hash = core::fnv1a(&entry.hash, sizeof entry.hash, hash);
      fill(rule, i + 1, filling, fillings);
    }
    filling.hash = hash;
  }

  static bool must_agree(char a, char b) {
    for (const std::string_view pair : kAgreeing)
      if ((pair[0] == a && pair[1] == b) || (pair[0] == b && pair[1] == a)) return true;
    return false;
  }

  // False when a form does not exist or the sentence is too long.
  bool write(const Rule& rule, const Filling& filling, Pair& pair) {
    const auto form = [&](const Part& part) -> const std::string& {
      return part.slot < 0 ? part.text : filling.entries[static_cast<std::size_t>(part.slot)]->forms[part.column];
    };
    for (const Choice& choice : rule.english) {
      const std::string& word = form(spoken(rule, filling, choice));
      if (word == "-") return false;
      if (pair.english == "a" || pair.english.ends_with(" a"))
        if (std::string_view("aeiou").find(word[0]) != std::string_view::npos) pair.english += 'n';
      if (!pair.english.empty()) pair.english += ' ';
      pair.english += word;
    }
    for (const Part& part : rule.chinese) {
      const std::string& characters = form(part);
      if (characters == "-") return false;
      pair.chinese += characters;
    }
    const auto starts_character = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; };
    return std::count(pair.english.begin(), pair.english.end(), ' ') < kMostWords &&
           std::count_if(pair.chinese.begin(), pair.chinese.end(), starts_character) <= kMostCharacters;
  }

  // Which of two (base, third) or three (first, third, plural) forms goes with the subject.
  static std::size_t person(const Rule& rule, const Filling& filling, std::size_t n_forms) {
    const auto is_subject = [](const Slot& slot) { return slot.name == "S"; };
    const auto subject = std::find_if(rule.slots.begin(), rule.slots.end(), is_subject);
    ATTN_CHECK(subject != rule.slots.end());
    const Tags tags = filling.entries[static_cast<std::size_t>(subject - rule.slots.begin())]->tags;
    if (tags[kThird]) return 1;
    return n_forms == 3 && tags[kPlural] ? 2 : 0;
  }

  std::array<Table, 26> tables_;
  std::vector<Word> words_;
  std::vector<std::string_view> tag_names_{std::begin(kTagNames), std::end(kTagNames)};
};

}  // namespace

std::vector<Pair> fixed_pairs() {
  return {{"machine learning is fun", "机器学习真好玩"},
          {"i love you", "我爱你"},
          {"i saw a saw", "我看见了一把锯子"}};
}

std::vector<Pair> make_pairs() {
  std::vector<Pair> pairs = fixed_pairs();
  for (Pair& pair : Grammar().sentences) pairs.push_back(std::move(pair));

  // A sentence that two rules make stays where it came first.
  std::vector<std::size_t> order(pairs.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return pairs[a].english < pairs[b].english; });
  std::vector<bool> again(pairs.size());
  for (std::size_t i = 1; i < order.size(); ++i) {
    const Pair& before = pairs[order[i - 1]];
    const Pair& pair = pairs[order[i]];
    if (pair.english != before.english) continue;
    ATTN_CHECK(pair.chinese == before.chinese);
    again[order[i]] = true;
  }
  std::vector<Pair> different;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (!again[i]) different.push_back(std::move(pairs[i]));
  return different;
}

}  // namespace attn::training
