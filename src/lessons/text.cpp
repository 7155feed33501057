#include "lessons/text.h"

#include <array>

#include "io/json_scanner.h"

namespace attn::lessons {
namespace {

constexpr std::array<std::string_view, 10> kRoleNames{"plain", "strong", "code", "q",  "k",
                                                      "v",     "out",    "mem",  "eq", "ne"};
static_assert(kRoleNames.size() == static_cast<std::size_t>(Role::different) + 1,
              "one name per Role, in the order of the enum");

bool is_shared(Role role) { return role >= Role::query && role <= Role::memory; }

// The words that a markup name introduces; plain for a name that isn't one.
TextRun run_named(std::string_view name) {
  for (std::size_t i = 1; i < kRoleNames.size(); ++i)
    if (kRoleNames[i] == name) {
      const auto role = static_cast<Role>(i);
      return {{}, role, {is_shared(role) ? role : Role::plain}};
    }
  const core::Result<tape::Label> label = tape::parse_label("model." + std::string(name));
  if (!label.ok() || label.value().block != tape::Block::none) return {};
  return {{}, Role::strong, {Role::plain, label.value().site, label.value().layer}};
}

void append_plain(Paragraph& paragraph, std::string_view text) {
  if (text.empty()) return;
  if (paragraph.empty() || paragraph.back().role != Role::plain) paragraph.push_back({});
  paragraph.back().text += text;
}

Paragraph parse_paragraph(std::string_view markup) {
  Paragraph paragraph;
  while (!markup.empty()) {
    const std::size_t open = markup.find('{');
    append_plain(paragraph, markup.substr(0, open));
    if (open == std::string_view::npos) break;
    markup.remove_prefix(open);
    // A run is `{name|words}` without another brace inside; a brace that doesn't open one stays visible.
    const std::size_t bar = markup.find('|');
    const std::size_t close = markup.find_first_of("{}", 1);
    const bool is_run = bar < close && close != std::string_view::npos && markup[close] == '}';
    TextRun run = is_run ? run_named(markup.substr(1, bar - 1)) : TextRun{};
    if (run.role == Role::plain) {
      append_plain(paragraph, markup.substr(0, 1));
      markup.remove_prefix(1);
      continue;
    }
    run.text = markup.substr(bar + 1, close - bar - 1);
    paragraph.push_back(std::move(run));
    markup.remove_prefix(close + 1);
  }
  return paragraph;
}

std::string filled(std::string_view pattern, std::initializer_list<Filling> fillings, bool chinese) {
  std::string text;
  while (!pattern.empty()) {
    const std::size_t place = pattern.find('$');
    text += pattern.substr(0, place);
    if (place == std::string_view::npos) break;
    pattern.remove_prefix(place);
    const auto index = pattern.size() > 1 ? static_cast<std::size_t>(pattern[1] - '0') : fillings.size();
    if (index < fillings.size()) {
      const Filling& filling = fillings.begin()[index];
      if (filling.zh == nullptr)
        text += std::to_string(filling.number);
      else
        text += chinese ? filling.zh : filling.en;
      pattern.remove_prefix(2);
    } else {
      text += '$';
      pattern.remove_prefix(1);
    }
  }
  return text;
}

constexpr int kSiteBits = 6;
static_assert(tape::kSiteCount <= 1 << kSiteBits && kRoleNames.size() <= 16, "a topic's code holds both");

}  // namespace

bool Topic::covers(const Topic& block) const {
  if (is_shared(role)) return role == block.role;
  return site != tape::Site::unnamed && site == block.site && (layer < 0 || layer == block.layer);
}

int code_of(const Topic& topic) {
  return static_cast<int>(topic.role) | static_cast<int>(topic.site) << 4 |
         (topic.layer + 1) << (4 + kSiteBits);
}

Topic topic_of(int code) {
  const int role = code & 0xF;
  const int site = code >> 4 & ((1 << kSiteBits) - 1);
  if (code < 0 || code > 0xFFFF || !(role == 0 || is_shared(static_cast<Role>(role))) ||
      site >= tape::kSiteCount)
    return {};
  return {static_cast<Role>(role), static_cast<tape::Site>(site), (code >> (4 + kSiteBits)) - 1};
}

RunText fill(const Text& pattern, std::initializer_list<Filling> fillings) {
  return {filled(pattern.zh, fillings, true), filled(pattern.en, fillings, false)};
}

void add(RunText& text, const Text& pattern, std::initializer_list<Filling> fillings) {
  text.zh += filled(pattern.zh, fillings, true);
  text.en += filled(pattern.en, fillings, false);
}

RunText in_quotes(std::string_view name) {
  const std::string quoted = io::quoted(name);
  return {"“" + quoted.substr(1, quoted.size() - 2) + "”", quoted};
}

core::Error refusal(const Text& pattern, std::initializer_list<Filling> fillings) {
  return {.message = filled(pattern.en, fillings, false), .chinese = filled(pattern.zh, fillings, true)};
}

const std::string& said_in(const core::Error& error, Language language) {
  return language == Language::zh && !error.chinese.empty() ? error.chinese : error.message;
}

RunText counted(int count, const Text& one, const char* several_en) {
  const std::string number = std::to_string(count);
  return {number + " " + one.zh, number + " " + (count == 1 ? one.en : several_en)};
}

RunText& operator+=(RunText& text, const RunText& more) {
  text.zh += more.zh;
  text.en += more.en;
  return text;
}

std::vector<Paragraph> parse_narration(std::string_view markup) {
  std::vector<Paragraph> paragraphs;
  while (!markup.empty()) {
    const std::size_t end = markup.find('\n');
    Paragraph paragraph = parse_paragraph(markup.substr(0, end));
    if (!paragraph.empty()) paragraphs.push_back(std::move(paragraph));
    if (end == std::string_view::npos) break;
    markup.remove_prefix(end + 1);
  }
  return paragraphs;
}

std::string_view name_of(Role role) { return kRoleNames[static_cast<std::size_t>(role)]; }

}  // namespace attn::lessons
