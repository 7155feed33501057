#include "training/grammar.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>

#include "core/bits.h"
#include "core/check.h"
#include "core/random.h"
#include "io/vocabulary.h"
#include "training/grammar_tables.h"
#include "training/lexicon.h"

namespace attn::training {
namespace {

// Rules prefer words that fewer sentences have, and stop early where all their words have as many.
constexpr int kFew = 26;

// An entry for each slot of a rule.
struct Filling {
  std::array<const Entry*, 6> entries{};
  std::uint64_t hash = core::fnv1a(nullptr, 0);  // of the entries
  std::uint32_t draw = 0;                        // which of the rule's sentences come first
  int rarest = 0;                                // uses of its rarest word
};

bool must_agree(char a, char b) {
  for (const std::string_view pair : kAgreeing)
    if ((pair[0] == a && pair[1] == b) || (pair[0] == b && pair[1] == a)) return true;
  return false;
}

// Which of two (base, third) or three (first, third, plural) forms goes with the subject.
std::size_t person(const Rule& rule, const Filling& filling, std::size_t n_forms) {
  const auto is_subject = [](const Slot& slot) { return slot.name == "S"; };
  const auto subject = std::find_if(rule.slots.begin(), rule.slots.end(), is_subject);
  ATTN_CHECK(subject != rule.slots.end());
  const Tags tags = filling.entries[static_cast<std::size_t>(subject - rule.slots.begin())]->tags;
  if (tags[kThird]) return 1;
  return n_forms == 3 && tags[kPlural] ? 2 : 0;
}

const Part& spoken(const Rule& rule, const Filling& filling, const Choice& choice) {
  return choice[choice.size() > 1 ? person(rule, filling, choice.size()) : 0];
}

const Entry& entry_of(const Filling& filling, const Part& part) {
  return *filling.entries[static_cast<std::size_t>(part.slot)];
}

// False when a form does not exist or the sentence is too long.
bool write(const Rule& rule, const Filling& filling, Pair& pair) {
  const auto form = [&](const Part& part) -> const std::string& {
    return part.slot < 0 ? part.text : entry_of(filling, part).forms[part.column];
  };
  for (const Choice& choice : rule.english) {
    const std::string& word = form(spoken(rule, filling, choice));
    if (word == "-") return false;
    const bool after_a = pair.english == "a" || pair.english.ends_with(" a");
    if (after_a && std::string_view("aeiou").find(word[0]) != std::string_view::npos) pair.english += 'n';
    if (!pair.english.empty()) pair.english += ' ';
    pair.english += word;
  }
  for (const Part& part : rule.chinese) {
    const std::string& characters = form(part);
    if (characters == "-") return false;
    pair.chinese += characters;
  }
  return split(pair.english, ' ').size() <= kMostWords &&
         io::characters_of(pair.chinese).size() <= kMostCharacters;
}

template <class Function>
void for_words(Lexicon& lexicon, const Rule& rule, const Filling& filling, Function function) {
  for (const Choice& choice : rule.english) {
    const Part& part = spoken(rule, filling, choice);
    const auto& words = part.slot < 0 ? part.words : entry_of(filling, part).words[part.column];
    for (const std::size_t word : words) function(lexicon.words[word]);
  }
}

// Uses so far of the word that was used least.
int rarest(Lexicon& lexicon, const Rule& rule, const Filling& filling) {
  int fewest = kFew;
  for_words(lexicon, rule, filling, [&](const Word& word) { fewest = std::min(fewest, word.uses); });
  return fewest;
}

void speak(Lexicon& lexicon, const Rule& rule, const Filling& filling, std::vector<Pair>& pairs) {
  Pair pair;
  if (!write(rule, filling, pair)) return;
  pairs.push_back(std::move(pair));
  for_words(lexicon, rule, filling, [](Word& word) { ++word.uses; });
}

// Fills the slots from number `i` on in every way that agrees.
void fill(Lexicon& lexicon, const Rule& rule, std::size_t i, Filling& filling,
          std::vector<Filling>& fillings) {
  if (i == rule.slots.size()) {
    filling.draw = core::RandomStream{filling.hash, rule.hash}.bits(0);
    fillings.push_back(filling);
    return;
  }
  const Slot& slot = rule.slots[i];
  const std::uint64_t hash = filling.hash;
  for (const Entry& entry : lexicon.table(slot.table).entries) {
    bool agrees = (entry.tags & slot.filter) == slot.filter;
    for (std::size_t j = 0; j < i && agrees; ++j) {
      const Entry& other = *filling.entries[j];
      if (must_agree(rule.slots[j].table, slot.table))
        agrees = (other.tags & entry.tags & ~Tags{}.set(kWhole)).any();
      else if (rule.slots[j].table == slot.table)
        agrees = other.forms[0] != entry.forms[0];
    }
    if (!agrees) continue;
    filling.entries[i] = &entry;
    filling.hash = core::fnv1a(&entry.hash, sizeof entry.hash, hash);
    fill(lexicon, rule, i + 1, filling, fillings);
  }
  filling.hash = hash;
}

// At most `most` sentences of a rule. A third of them are the first in the order of their draws; each of the
// others is the one with the rarest word, as long as there are few sentences with that.
std::vector<Pair> expand(Lexicon& lexicon, const Rule& rule, std::size_t most) {
  ATTN_CHECK(rule.slots.size() <= Filling{}.entries.size());
  std::vector<Filling> fillings;
  Filling filling;
  fill(lexicon, rule, 0, filling, fillings);
  std::stable_sort(fillings.begin(), fillings.end(),
                   [](const Filling& a, const Filling& b) { return a.draw < b.draw; });
  std::vector<Pair> pairs;
  std::size_t next = 0;
  for (; next < fillings.size() && pairs.size() < (most == kAll ? most : (most + 2) / 3); ++next)
    speak(lexicon, rule, fillings[next], pairs);

  fillings.erase(fillings.begin(), fillings.begin() + static_cast<std::ptrdiff_t>(next));
  const auto later = [](const Filling& a, const Filling& b) {
    return a.rarest != b.rarest ? a.rarest > b.rarest : a.draw > b.draw;
  };
  for (Filling& each : fillings) each.rarest = rarest(lexicon, rule, each);
  std::make_heap(fillings.begin(), fillings.end(), later);
  while (!fillings.empty() && pairs.size() < most && fillings.front().rarest < kFew) {
    std::pop_heap(fillings.begin(), fillings.end(), later);
    Filling& first = fillings.back();
    const int now = rarest(lexicon, rule, first);  // its words may have been used meanwhile
    if (now > first.rarest) {
      first.rarest = now;
      std::push_heap(fillings.begin(), fillings.end(), later);
    } else {
      speak(lexicon, rule, first, pairs);
      fillings.pop_back();
    }
  }
  return pairs;
}

// What all rules make, in their order.
std::vector<Pair> sentences() {
  Lexicon lexicon = read_words(grammar_words());
  std::vector<Pair> all;
  const auto append = [&](std::vector<Pair> pairs) {
    ATTN_CHECK(!pairs.empty());
    all.insert(all.end(), std::make_move_iterator(pairs.begin()), std::make_move_iterator(pairs.end()));
  };
  for (const std::string_view line : split(grammar_rules(), '\n')) {
    Rule rule = read_rule(lexicon, line);
    if (rule.makes != 0) {
      for (Pair& pair : expand(lexicon, rule, kAll))
        add_entry(lexicon, rule.makes, {std::move(pair.english), std::move(pair.chinese)}, rule.tags);
      continue;
    }
    append(expand(lexicon, rule, rule.most));
    if (rule.most_of_people == 0) continue;
    for (Slot& slot : rule.slots)
      if (slot.name == "S") slot.table = 'W';
    append(expand(lexicon, rule, rule.most_of_people));
  }
  return all;
}

}  // namespace

std::vector<Pair> fixed_pairs() {
  return {{"machine learning is fun", "机器学习真好玩"},
          {"i love you", "我爱你"},
          {"i saw a saw", "我看见了一把锯子"}};
}

std::vector<Pair> make_pairs() {
  std::vector<Pair> pairs = fixed_pairs();
  for (Pair& pair : sentences()) pairs.push_back(std::move(pair));

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
