#include "lessons/lesson.h"

#include <algorithm>
#include <array>

#include "lessons/plane.h"

namespace attn::lessons {
namespace {

const Parameter& parameter_at(const Lesson& lesson, int index) {
  return lesson.parameters[static_cast<std::size_t>(index)];
}

bool is_choice(const Parameter& parameter, int value) {
  return std::any_of(parameter.choices.begin(), parameter.choices.end(),
                     [&](const Choice& choice) { return choice.value == value; });
}

struct AnswerRow {
  Answer answer;
  std::string_view name;
  Text words;
};

constexpr std::array<AnswerRow, 4> kAnswers{{{Answer::none, "none", {}},
                                             {Answer::open, "open", {"待回答", "To answer"}},
                                             {Answer::wrong, "wrong", {"再试试", "Not yet"}},
                                             {Answer::right, "right", {"答对了", "Right"}}}};
static_assert(kAnswers.size() == static_cast<std::size_t>(Answer::right) + 1 &&
                  kAnswers[1].answer == Answer::open && kAnswers[2].answer == Answer::wrong &&
                  kAnswers[3].answer == Answer::right,
              "one row per Answer, in the order of the enum");

}  // namespace

std::string_view name_of(Answer answer) { return kAnswers[static_cast<std::size_t>(answer)].name; }

const Text& words_of(Answer answer) { return kAnswers[static_cast<std::size_t>(answer)].words; }

Formula formula_of(const char* text, std::string mathml, std::span<const FormulaPart> parts) {
  for (const FormulaPart& part : parts)
    for (std::size_t at = mathml.find(part.name); at != std::string::npos; at = mathml.find(part.name))
      mathml.replace(at, 2, part.mathml);
  return {text, "<mrow>" + mathml + "</mrow>"};
}

const Text& Run::tape_title() const { return twin ? twin->training.title : board->title; }

const std::vector<std::string>& Run::words_of_rows(const tape::Label& tensor) const {
  const int axis = tape::row_axis(tensor);
  if (!board || axis < 0) return words();
  const bool source = tape::axes_of(tensor)[static_cast<std::size_t>(axis)] == tape::Axis::source;
  return source && !source_words.empty() ? source_words : words();
}

std::span<const Block> blocks_in_place(const Sheet& sheet, std::size_t index) {
  const std::vector<Block>& blocks = sheet.blocks;
  std::size_t first = index;
  std::size_t end = index + 1;
  while (first > 0 && blocks[first].in_place) --first;
  while (end < blocks.size() && blocks[end].in_place) ++end;
  return std::span(blocks).subspan(first, end - first);
}

namespace {

bool goes_into(const tape::Tape& tape, tape::Value from, tape::Value made) {
  if (!from.valid() || !made.valid()) return false;
  std::vector<bool> reached(static_cast<std::size_t>(made.index) + 1, false);
  reached.back() = true;
  for (int i = made.index; i > from.index; --i)
    if (reached[static_cast<std::size_t>(i)])
      for (const tape::Value input : tape.entry({i}).inputs)
        if (input.valid()) reached[static_cast<std::size_t>(input.index)] = true;
  return from.index <= made.index && reached[static_cast<std::size_t>(from.index)];
}

const Block& shown_in(std::span<const Block> place, const tape::Tape& tape, const Focus& focus) {
  for (const Block& block : place)
    if (block.tensor == focus.tensor && block.unmasked == focus.unmasked) return block;
  for (const Block& block : place)
    if (block.tensor == focus.tensor) return block;
  const bool before =
      place.size() > 1 && goes_into(tape, tape.find(focus.tensor), tape.find(place[0].tensor));
  return before ? place.front() : place.back();
}

}  // namespace

std::vector<const Block*> Run::shown_at(int step, const Focus& focus) const {
  const Sheet& sheet = sheet_at(step);
  std::vector<const Block*> shown;
  for (std::size_t i = 0; i < sheet.blocks.size();) {
    const std::span<const Block> place = blocks_in_place(sheet, i);
    shown.push_back(&shown_in(place, tape(), focus));
    i += place.size();
  }
  return shown;
}

const Block* Run::block_of(const tape::Label& tensor, int step) const {
  const auto in = [&](const Sheet& sheet) {
    const Block* found = nullptr;
    for (const Block& block : sheet.blocks)
      if (block.tensor == tensor && (found == nullptr || block.kind == BlockKind::matrix)) found = &block;
    return found;
  };
  if (!board) return nullptr;
  const Block* found = in(sheet_at(step));
  for (const Sheet& sheet : board->sheets)
    if (found == nullptr) found = in(sheet);
  return found;
}

std::string Run::word_at(tape::Axis axis, int position) const {
  const std::vector<std::string>* words = axis == tape::Axis::target       ? &target_words
                                          : axis == tape::Axis::source     ? &source_words
                                          : axis == tape::Axis::vocabulary ? &vocabulary_words
                                                                           : nullptr;
  if (words == nullptr || position < 0 || static_cast<std::size_t>(position) >= words->size()) return {};
  return (*words)[static_cast<std::size_t>(position)];
}

int find_parameter(const Lesson& lesson, std::string_view name) {
  for (std::size_t i = 0; i < lesson.parameters.size(); ++i)
    if (lesson.parameters[i].name == name) return static_cast<int>(i);
  return -1;
}

std::vector<std::string> sentence_of(const Lesson& lesson, const Inputs& inputs) {
  return inputs.words.empty() ? own_words(lesson.sentence) : inputs.words;
}

bool is_editable(const Lesson& lesson, const tape::Label& tensor) {
  return std::find(lesson.editable.begin(), lesson.editable.end(), tensor) != lesson.editable.end();
}

bool is_toggled(const Lesson& lesson, const tape::Label& tensor) {
  return std::find(lesson.toggled.begin(), lesson.toggled.end(), tensor) != lesson.toggled.end();
}

void apply_edits(std::span<const CellEdit> edits, const tape::Label& tensor, core::Tensor& values) {
  const Plane plane = plane_of(tensor, values.shape());
  for (const CellEdit& edit : edits)
    if (edit.tensor == tensor && plane.has_cell(edit.head, edit.row, edit.column))
      values.values()[plane.offset(edit.head, edit.row, edit.column)] = edit.value;
}

ParameterValues initial_values(const Lesson& lesson) {
  ParameterValues values;
  values.reserve(lesson.parameters.size());
  for (const Parameter& parameter : lesson.parameters) values.push_back(parameter.initial);
  return values;
}

int maximum_now(const Lesson& lesson, const ParameterValues& values, int index) {
  const Parameter& parameter = parameter_at(lesson, index);
  if (parameter.limited_by == nullptr) return parameter.maximum;
  const int by = find_parameter(lesson, parameter.limited_by);
  ATTN_CHECK(by >= 0);
  const int limit = values[static_cast<std::size_t>(by)] + parameter.limit_offset;
  return std::clamp(limit, parameter.minimum, parameter.maximum);
}

ParameterValues limited(const Lesson& lesson, ParameterValues values) {
  // Values only fall and no further than their minima, so this ends.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (lesson.parameters[i].limited_by == nullptr) continue;
      const int maximum = maximum_now(lesson, values, static_cast<int>(i));
      changed = changed || values[i] > maximum;
      values[i] = std::min(values[i], maximum);
    }
  }
  return values;
}

core::Status validate_value(const Lesson& lesson, int index, int value) {
  const Parameter& parameter = parameter_at(lesson, index);
  const RunText name{in_quotes(parameter.title.zh).zh, in_quotes(parameter.name).en};
  switch (parameter.kind) {
    case ParameterKind::toggle:
      if (value == 0 || value == 1) return core::ok_status();
      return refusal({"$0只能是 0 或 1，不能是 $1", "parameter $0: $1 is neither 0 nor 1"}, {name, value});
    case ParameterKind::choice:
      if (is_choice(parameter, value)) return core::ok_status();
      return refusal({"$0没有 $1 这个选项", "parameter $0: $1 is none of its choices"}, {name, value});
    case ParameterKind::number:
      if (value >= parameter.minimum && value <= parameter.maximum) return core::ok_status();
      return refusal({"$0要在 $2 到 $3 之间，不能是 $1", "parameter $0: $1 is not in $2..$3"},
                     {name, value, parameter.minimum, parameter.maximum});
  }
  return core::ok_status();
}

core::Status validate(const Lesson& lesson, const ParameterValues& values) {
  if (values.size() != lesson.parameters.size()) {
    return core::error_at("lesson '%s': %zu values for %zu parameters", lesson.slug, values.size(),
                          lesson.parameters.size());
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    core::Status alone = validate_value(lesson, static_cast<int>(i), values[i]);
    if (!alone.ok()) return alone;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Parameter& parameter = lesson.parameters[i];
    if (parameter.limited_by == nullptr) continue;
    const int maximum = maximum_now(lesson, values, static_cast<int>(i));
    if (values[i] > maximum) {
      return core::error_at("parameter '%s': %d is above %d, where '%s' limits it", parameter.name, values[i],
                            maximum, parameter.limited_by);
    }
  }
  return core::ok_status();
}

}  // namespace attn::lessons
