// A lesson is data: a slug, parameters the reader may change, a plan of steps, and one function that runs the
// engine and returns an immutable Run. It needs no GL and no browser, so one generic test covers every
// lesson.
//
// To add a lesson: one .cpp that defines a `const Lesson`, and one line in lessons/registry.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"
#include "lessons/board.h"
#include "lessons/sentence.h"
#include "lessons/text.h"
#include "tape/compare.h"
#include "tape/tape.h"

namespace attn::training {
struct Translator;
}

namespace attn::lessons {

enum class ParameterKind : std::uint8_t {
  number,  // minimum..maximum, by one
  choice,  // one of `choices`
  toggle,  // 0 or 1
};

/// Where a control belongs: next to what it changes.
enum class ParameterPlace : std::uint8_t {
  model,      // seed, layers, heads…: the settings of the experiment
  training,   // header of the training pass
  inference,  // header of the inference pass
  tokens,     // the token row: prefix, poke
  map,        // header of the tensor map
  board,      // over the board: choices and toggles of what it shows
};

struct Choice {
  int value;
  Text title;
};

struct Parameter {
  const char* name;  // "seed", stable: used in URLs and commands
  Text title;
  ParameterKind kind;
  ParameterPlace place;
  int minimum;
  int maximum;
  int initial;
  std::span<const Choice> choices = {};  // of a choice; minimum and maximum are its first and last values
  /// Of a number that another one limits: value <= value of `limited_by` + `limit_offset`, but never below
  /// its own minimum. "prefix" is limited by "length", "poke" by "length" with offset -1.
  const char* limited_by = nullptr;
  int limit_offset = 0;
};

/// One value per parameter of the lesson, in its order.
using ParameterValues = std::vector<int>;

/// A number the reader put in place of a tensor's own. A cell that a run doesn't have is left alone, so an
/// edit outlives a change of sizes.
struct CellEdit {
  tape::Label tensor;
  int head = 0;
  int row = 0;
  int column = 0;
  float value = 0.0f;
  bool operator==(const CellEdit&) const = default;
};
inline constexpr float kLargestEdit = 1000.0f;  // in magnitude

/// Everything a reader chooses.
struct Inputs {
  ParameterValues values;
  std::vector<CellEdit> edits = {};     // at most one a cell
  std::vector<std::string> words = {};  // the reader's sentence; empty: the lesson's own
  /// The weights that ship with the project, where the lesson needs them for these values, else nullptr.
  std::shared_ptr<const training::Translator> translator = {};
  bool operator==(const Inputs&) const = default;
};

/// A tensor the reader looks at, and a cell of it.
struct Focus {
  tape::Label tensor;
  int head = 0;
  int row = -1;  // -1: no cell chosen
  int column = -1;
  bool unmasked = false;  // of scores that a board shows before and after their mask: before
  bool open = false;      // on a board: alone with its operands, as large as it gets

  bool has_cell() const { return row >= 0 && column >= 0; }
  bool operator==(const Focus&) const = default;
};

struct Formula {
  std::string text;    // one line of Unicode, for the native window
  std::string mathml;  // the content of <math>, for the page
};

/// A formula whose MathML has stand-ins of two characters ("$d") for parts that recur.
struct FormulaPart {
  const char* name;
  const char* mathml;
};
Formula formula_of(const char* text, std::string mathml, std::span<const FormulaPart> parts);

/// What the reader has found out so far about the question of a step, judged from the run.
enum class Answer : std::uint8_t {
  none,   // the step asks nothing
  open,   // nothing tried yet
  wrong,  // tried; the narration says why that isn't it
  right,  // found; the narration says why
};

/// The name used in JSON: "none", "open", "wrong", "right".
std::string_view name_of(Answer answer);

/// What the reader is told: "To answer", "Not yet", "Right"; empty for none.
const Text& words_of(Answer answer);

/// What one step says; all numbers in it come from the run.
struct Step {
  RunText title;
  RunText narration;     // markup, at most ~60 words, one idea
  RunText brief;         // markup, one sentence, for narrow screens
  RunText try_it = {};   // markup, one suggestion; may be empty
  Formula formula = {};  // may be empty
  Focus focus;           // what the stage opens with
  int sheet = 0;         // of a board: which of its sheets is shown
  Answer answer = Answer::none;
};

/// The parameters a step sets while the reader is there; the rest stays as the reader chose it.
struct StepPlan {
  std::vector<std::pair<const char*, int>> sets;
  /// Parameters over the board that change nothing there, or that the step sets because it is about something
  /// else: their controls are not shown.
  std::vector<const char*> hidden = {};
  /// The step begins with the lesson's own numbers: cells the reader changed before are set back on arrival.
  bool own_cells = false;
};

/// One computation the stage shows.
struct Pass {
  Text title;
  tape::Tape tape;
  int target_length = 0;  // target tokens it was given
  bool causal_mask = true;
};

/// Two computations side by side, and how they compare: the twin panes, the verdicts, the tensor map.
struct Twin {
  Pass training;                                   // one pass over the whole target
  Pass inference;                                  // one pass over the first `inference.target_length` tokens
  std::optional<tape::Tape> training_before_poke;  // only while a token is poked
  std::optional<tape::Tape> inference_before_poke;
  int poked_position = -1;
  bool newest_row_only = false;  // what `differences` compares: the newest row, or all common rows
  std::vector<tape::TensorDifference> differences;  // training against inference, in tape order
  int first_different = -1;                         // index into differences
};

/// The blocks of a sheet that stand in one place with block `index`, most often that one alone.
std::span<const Block> blocks_in_place(const Sheet& sheet, std::size_t index);

/// Everything a screen of the lesson shows: a twin or a board. Immutable once returned.
struct Run {
  std::shared_ptr<const void> owner;      // keeps the model alive whose parameters the tapes borrow
  std::vector<std::string> source_words;  // what stands at the positions of the source axis
  std::vector<std::string>
      target_words;  // … of the target axis; a twin's inference pass has a prefix of them
  std::vector<std::string> vocabulary_words;  // … of the vocabulary axis, by token id
  std::optional<Twin> twin;
  std::optional<Board> board;
  std::vector<Step> steps;  // as many as the lesson's plan

  /// What focus, tables and the inspector refer to.
  const tape::Tape& tape() const { return twin ? twin->training.tape : board->tape; }
  const Text& tape_title() const;

  /// The sequence a reader picks words from: the target's, the source's where there is no target.
  const std::vector<std::string>& words() const { return target_words.empty() ? source_words : target_words; }

  /// … and where a tensor is chosen whose rows are the other sequence, that one.
  const std::vector<std::string>& words_of_rows(const tape::Label& tensor) const;

  /// What a step of a board shows.
  const Sheet& sheet_at(int step) const {
    return board->sheets[static_cast<std::size_t>(steps[static_cast<std::size_t>(step)].sheet)];
  }

  /// The blocks of a step's sheet that show while the reader looks there. Of those in one place the one that
  /// is looked at; else the first while what is looked at goes into it, and the last after that.
  std::vector<const Block*> shown_at(int step, const Focus& focus) const;

  /// The block a step shows a tensor in, one with its numbers before a picture of them; where the step's
  /// sheet has none, a block of another sheet. nullptr: no sheet shows it. Its title is what a reader calls
  /// the tensor: labels of a board tell variants apart by layers that mean nothing to them.
  const Block* block_of(const tape::Label& tensor, int step) const;

  /// The word at a position of an axis, or of a token id; "" for features and beyond the last.
  std::string word_at(tape::Axis axis, int position) const;
};

/// How far the work of a run is; done == total: finished.
struct WorkProgress {
  int done = 0;
  int total = 0;
  double left_s = 0.0;  // about so long it will take, as it went until now; 0: not known
};

/// Work that goes on while the reader watches, in slices: training. It changes what the run's owner holds;
/// what is seen of it is a new run of the same inputs, which takes the owner over from the one before. A run
/// without one before it begins anew. Work is no part of the history: to undo a setting doesn't undo it.
struct Work {
  WorkProgress (*progress)(const Run& run);
  void (*advance)(const Run& run, double budget_ms);  // for about so long, but not nothing
  void (*step)(const Run& run);                       // to the end of the next unit
};

/// Where the translator that ships with the project is, below the folder of the page or of the program.
inline constexpr char kTranslatorFile[] = "models/translator.safetensors";

/// A lesson whose runs need the translator that ships with the project (training/translator.h). Its file is
/// fetched when a run needs it, and that run is put off until it is there (Session::provide_translator).
struct TranslatorUse {
  bool (*needed)(const ParameterValues& values);
  core::Result<std::shared_ptr<const training::Translator>> (*read)(std::span<const std::uint8_t> file);
};

struct Lesson {
  const char* slug;
  Text title;
  Text short_title;  // in the list of lessons, and where a bar has no room for the title
  Text promise;      // one sentence: what the reader will have seen
  std::span<const Parameter> parameters;
  std::span<const StepPlan> plan;
  /// Runs the engine. `previous` is the run now on screen, or nullptr: what is still right in its `owner` (a
  /// model with the same weights) may be used again; the result is the same with and without it.
  core::Result<Run> (*run)(const Inputs& inputs, const Run* previous);
  /// Tensors of a board whose cells the reader may change; `run` puts the edits in place of its own numbers.
  std::span<const tape::Label> editable = {};
  /// Those of them whose cells are 0 or 1: a click toggles.
  std::span<const tape::Label> toggled = {};
  /// The sentence that stands at the source axis, where the reader may write another.
  SentenceRule sentence = {};
  const Work* work = nullptr;  // what playing does, instead of going through the words
  const TranslatorUse* translator = nullptr;
};

/// The words a run is about: the reader's, or the lesson's own.
std::vector<std::string> sentence_of(const Lesson& lesson, const Inputs& inputs);

/// Index of a parameter, -1 if the lesson has none of that name.
int find_parameter(const Lesson& lesson, std::string_view name);

bool is_editable(const Lesson& lesson, const tape::Label& tensor);
bool is_toggled(const Lesson& lesson, const tape::Label& tensor);

/// Puts the edits of one tensor in place of its values.
void apply_edits(std::span<const CellEdit> edits, const tape::Label& tensor, core::Tensor& values);

/// Every parameter at its initial value.
ParameterValues initial_values(const Lesson& lesson);

/// The largest value parameter `index` may have beside these values.
int maximum_now(const Lesson& lesson, const ParameterValues& values, int index);

/// Lowers every limited value that exceeds its limit, until none does (limits may themselves be limited).
ParameterValues limited(const Lesson& lesson, ParameterValues values);

/// Whether parameter `index` allows this value, whatever the others are.
core::Status validate_value(const Lesson& lesson, int index, int value);

/// Names the first value that its parameter doesn't allow by itself, or beside the others.
core::Status validate(const Lesson& lesson, const ParameterValues& values);

}  // namespace attn::lessons
