#include "api/state_json.h"

#include "api/tensor_table.h"
#include "io/json_writer.h"
#include "lessons/glossary.h"
#include "lessons/numbers.h"

namespace attn::api {
namespace {

using io::JsonWriter;
using lessons::Language;
using lessons::ParameterKind;
using lessons::Session;

// What the comparison of a run comes to.
struct Verdict {
  int equal = 0;
  int total = 0;
  float largest_difference = 0.0f;
  std::uint32_t ulp = 0;  // at the cell of the largest difference
};

Verdict verdict_of(const lessons::Twin& twin) {
  Verdict verdict;
  for (const tape::TensorDifference& difference : twin.differences) {
    ++verdict.total;
    if (difference.equal()) {
      ++verdict.equal;
      continue;
    }
    if (verdict.ulp > 0 && difference.largest_difference <= verdict.largest_difference) continue;
    verdict.largest_difference = difference.largest_difference;
    verdict.ulp = difference.ulp_at_largest;
  }
  return verdict;
}

// What the comparison of a twin comes to, in words.
std::string comparison(const lessons::Twin& twin, Language language) {
  const bool chinese = language == Language::zh;
  const Verdict verdict = verdict_of(twin);
  const std::string equal = std::to_string(verdict.equal);
  const std::string total = std::to_string(verdict.total);
  std::string text;
  if (twin.newest_row_only) text = chinese ? "最新一行，" : "in the newest row, ";
  text +=
      chinese ? total + " 个张量中 " + equal + " 个相等，" : equal + " of " + total + " tensors are equal, ";
  if (verdict.equal == verdict.total) return text + (chinese ? "0 ULP。" : "0 ULP.");
  const std::string largest = lessons::exponent(verdict.largest_difference);
  const std::string ulp = lessons::thousands(verdict.ulp);
  return text + (chinese ? "最大相差 " + largest + "，即 " + ulp + " ULP。"
                         : "the largest difference is " + largest + ", " + ulp + " ULP.");
}

// A title as a sentence: one that asks has its mark already.
std::string sentence(const std::string& title, bool chinese) {
  if (chinese) return title + (title.ends_with("？") ? "" : "。");
  return title + (title.ends_with("?") ? "" : ".");
}

std::string announcement(const Session& session, Language language) {
  const bool chinese = language == Language::zh;
  const std::string step = std::to_string(session.step_index() + 1);
  const std::string steps = std::to_string(session.step_count());
  const std::string& title = session.step().title.in(language);
  const std::optional<lessons::Twin>& twin = session.run().twin;
  std::string text =
      chinese ? "第 " + step + " 步，共 " + steps + " 步：" : "Step " + step + " of " + steps + ": ";
  text += twin ? title + (chinese ? "；" : "; ") + comparison(*twin, language) : sentence(title, chinese);
  const std::string answer = lessons::words_of(session.step().answer).in(language);
  if (answer.empty()) return text;
  return text + (chinese ? "" : " ") + sentence(answer, chinese);
}

// Narration in the reader's language; a term is explained where it occurs first.
struct Prose {
  JsonWriter& json;
  Language language;
  lessons::TermsSeen seen = {};

  void write_run(const lessons::TextRun& run) {
    json.begin_object();
    json.text("text", run.text);
    json.text("role", lessons::name_of(run.role));
    if (run.topic.lights()) json.integer("topic", lessons::code_of(run.topic));
    if (run.term != nullptr) {
      json.text("term", run.term->name.in(language));
      json.text("definition", run.term->definition.in(language));
    }
    json.end_object();
  }

  void write_paragraph(const lessons::Paragraph& paragraph) {
    json.begin_array();
    for (const lessons::TextRun& run : lessons::with_terms(paragraph, seen)) write_run(run);
    json.end_array();
  }

  // Markup of one line.
  void write_line(std::string_view key, std::string_view markup) {
    lessons::Paragraph line;
    for (lessons::Paragraph& paragraph : lessons::parse_narration(markup))
      line.insert(line.end(), paragraph.begin(), paragraph.end());
    json.key(key);
    write_paragraph(line);
  }
};

void write_step(JsonWriter& json, const Session& session, Language language) {
  const lessons::Step& step = session.step();
  json.integer("step", session.step_index());
  json.integer("steps", session.step_count());
  json.text("title", step.title.in(language));
  json.text("answer", lessons::name_of(step.answer));
  json.text("answer_text", lessons::words_of(step.answer).in(language));
  Prose prose{json, language};
  json.key("paragraphs");
  json.begin_array();
  for (const lessons::Paragraph& paragraph : lessons::parse_narration(step.narration.in(language)))
    prose.write_paragraph(paragraph);
  json.end_array();
  prose.write_line("try_it", step.try_it.in(language));
  Prose{json, language}.write_line("brief", step.brief.in(language));  // read in place of the others
  json.text("formula_mathml", step.formula.mathml);
  json.text("formula_text", step.formula.text);
}

std::string_view name_of(ParameterKind kind) {
  switch (kind) {
    case ParameterKind::number:
      return "number";
    case ParameterKind::choice:
      return "choice";
    case ParameterKind::toggle:
      return "toggle";
  }
  return {};
}

void write_parameters(JsonWriter& json, const Session& session, Language language) {
  json.key("parameters");
  json.begin_array();
  for (std::size_t i = 0; i < session.values().size(); ++i) {
    const lessons::Parameter& parameter = session.lesson().parameters[i];
    json.begin_object();
    json.text("name", parameter.name);
    json.text("title", parameter.title.in(language));
    json.text("kind", name_of(parameter.kind));
    json.integer("min", parameter.minimum);
    json.integer("max", lessons::maximum_now(session.lesson(), session.values(), static_cast<int>(i)));
    json.integer("value", session.values()[i]);
    json.key("choices");
    json.begin_array();
    for (const lessons::Choice& choice : parameter.choices) {
      json.begin_object();
      json.integer("value", choice.value);
      json.text("title", choice.title.in(language));
      json.end_object();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

/// Of a focus or an edit: the members of its object.
template <class Cell>
void write_cell(JsonWriter& json, const Cell& cell) {
  json.text("tensor", tape::to_string(cell.tensor));
  json.integer("head", cell.head);
  json.integer("row", cell.row);
  json.integer("column", cell.column);
}

void write_focus(JsonWriter& json, const lessons::Focus& focus) {
  json.key("focus");
  json.begin_object();
  write_cell(json, focus);
  json.end_object();
}

void write_edits(JsonWriter& json, const Session& session) {
  json.key("editable");
  json.begin_array();
  for (const tape::Label& tensor : session.lesson().editable) json.text(tape::to_string(tensor));
  json.end_array();
  json.key("edits");
  json.begin_array();
  for (const lessons::CellEdit& edit : session.edits()) {
    json.begin_object();
    write_cell(json, edit);
    json.key("value");
    json.number(edit.value);
    json.end_object();
  }
  json.end_array();
}

void write_texts(JsonWriter& json, std::string_view key, const std::vector<std::string>& texts) {
  json.key(key);
  json.begin_array();
  for (const std::string& text : texts) json.text(text);
  json.end_array();
}

void write_sentence(JsonWriter& json, const Session& session, Language language) {
  const lessons::SentenceRule& rule = session.lesson().sentence;
  json.key("sentence");
  if (rule.most == 0) return json.null();
  const std::vector<std::string> words = session.words();
  json.begin_object();
  json.text("text", lessons::joined(words));
  json.text("own", lessons::joined(lessons::own_words(rule)));
  write_texts(json, "words", words);
  json.integer("fewest", rule.fewest);
  json.integer("most", rule.most);
  json.integer("longest_word", rule.longest_word);
  json.text("name", lessons::kSentenceName.in(language));
  json.text("hint", lessons::hint_of(rule).in(language));
  json.text("refused", lessons::kSentenceRefused.in(language));
  json.end_object();
}

void write_table(JsonWriter& json, const TensorTable& table) {
  json.key("table");
  json.begin_object();
  json.text("caption", table.caption);
  write_texts(json, "columns", table.columns);
  json.key("rows");
  json.begin_array();
  for (const TableRow& row : table.rows) {
    json.begin_object();
    json.text("head", row.head);
    write_texts(json, "cells", row.cells);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void write_verdict(JsonWriter& json, const std::optional<lessons::Twin>& twin) {
  json.key("verdict");
  if (!twin) return json.null();
  const Verdict verdict = verdict_of(*twin);
  json.begin_object();
  json.integer("equal", verdict.equal);
  json.integer("total", verdict.total);
  json.key("first_different");
  if (twin->first_different < 0) {
    json.null();
  } else {
    json.text(tape::to_string(twin->differences[static_cast<std::size_t>(twin->first_different)].label));
  }
  json.key("largest_difference");
  json.number(verdict.largest_difference);
  json.integer("ulp", verdict.ulp);
  json.end_object();
}

}  // namespace

std::string_view name_of(Language language) { return language == Language::zh ? "zh" : "en"; }

std::string_view name_of(lessons::Theme theme) {
  switch (theme) {
    case lessons::Theme::automatic:
      return "auto";
    case lessons::Theme::light:
      return "light";
    case lessons::Theme::dark:
      return "dark";
  }
  return {};
}

std::uint32_t current_revision(SessionHost& host) {
  const bool seen =
      host.session_revision_seen == host.session.revision() && host.preferences_seen == host.preferences;
  if (!seen) ++host.revision;
  host.session_revision_seen = host.session.revision();
  host.preferences_seen = host.preferences;
  return host.revision;
}

std::string refusal_json(const core::Error& error) {
  JsonWriter json;
  json.begin_object();
  for (const Language language : {Language::zh, Language::en})
    json.text(name_of(language), lessons::said_in(error, language));
  write_texts(json, "suggestions", error.suggestions);
  json.end_object();
  return json.take();
}

std::string state_json(SessionHost& host) {
  const Session& session = host.session;
  const Language language = host.preferences.language;
  JsonWriter json;
  json.begin_object();
  json.integer("revision", current_revision(host));
  json.text("lesson", session.lesson().slug);
  json.text("lang", name_of(language));
  json.text("theme", name_of(host.preferences.theme));
  write_step(json, session, language);
  write_parameters(json, session, language);
  write_sentence(json, session, language);
  write_edits(json, session);
  write_focus(json, session.focus());
  write_table(json, table_of(session.run(), session.step_index(), session.focus(), language));
  write_verdict(json, session.run().twin);
  if (session.lesson().work != nullptr) {
    const lessons::WorkProgress work = session.work_progress();
    json.key("work");
    json.begin_object();
    json.integer("done", work.done);
    json.integer("total", work.total);
    json.end_object();
  }
  json.text("waiting", session.awaits_translator() ? lessons::kTranslatorFile : "");
  json.text("announcement", announcement(session, language));
  json.end_object();
  return json.take();
}

}  // namespace attn::api
