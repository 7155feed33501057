// One reader in one lesson: the only place where state changes. The canvas, the page and JavaScript send it
// intents and read the result.
//
// History: a step, a parameter or a reset is one entry that can be undone, at most kHistoryLimit of them.
// Looking somewhere else (focus) isn't an entry of its own; it belongs to the current one and comes back with
// it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "lessons/lesson.h"

namespace attn::lessons {

class Session {
 public:
  static constexpr std::size_t kHistoryLimit = 200;
  using File = std::vector<std::uint8_t>;

  /// Opens a lesson at its first step. The lesson must outlive the session. `translator` is the file that
  /// some lessons need (provide_translator). Errors: no lesson of that slug, one whose plan and run don't fit
  /// together, or one that needs a file which isn't given or can't be read.
  static core::Result<Session> open(std::string_view slug, File translator = {});
  static core::Result<Session> open(const Lesson& lesson, File translator = {});

  /// Goes on with another lesson at its first step, with a history of its own; revisions keep growing. The
  /// lesson that is open already is reset. An error leaves everything as it was.
  core::Status change_lesson(std::string_view slug);

  const Lesson& lesson() const { return *lesson_; }
  const Run& run() const { return *run_; }
  const Step& step() const { return run_->steps[static_cast<std::size_t>(now().step)]; }
  int step_index() const { return now().step; }
  int step_count() const { return static_cast<int>(lesson_->plan.size()); }
  const ParameterValues& values() const { return now().inputs.values; }
  const std::vector<CellEdit>& edits() const { return now().inputs.edits; }
  /// The words the run is about; none where the lesson has no sentence of the reader's.
  std::vector<std::string> words() const { return sentence_of(*lesson_, now().inputs); }
  int value_of(std::string_view parameter) const;  // of a parameter the lesson has
  const Focus& focus() const { return now().focus; }

  /// Grows with every change; equal revisions show equal screens.
  std::uint32_t revision() const { return revision_; }

  /// A step sets its plan's parameters, in order and then limited, and its focus; it may also begin with the
  /// lesson's own cells. What it sets holds as long
  /// as the reader stays; the next step starts from the reader's own values again. Out of range is an error;
  /// the state stays.
  core::Status go_to_step(int index);
  bool can_step(int by) const;
  void step_by(int by);  // clamped

  /// Sets one parameter by name; the run is recomputed when a value changed. An error leaves everything as it
  /// was. Values that depend on each other are limited (the prefix never exceeds the target length). The
  /// focus stays if the new run still has it, else it becomes the step's. A parameter the step sets is
  /// changed for this step only, any other for good.
  core::Status set_parameter(std::string_view name, int value);

  /// Puts a number in place of a cell's own: of a tensor the lesson makes editable, at most kLargestEdit in
  /// magnitude. Edits hold through steps and parameters until they are cleared or reset. An error leaves
  /// everything as it was.
  core::Status edit_cell(const Focus& cell, float value);
  /// Several cells at once, as one entry. `replaces`: in place of the entry before, which was the same
  /// drag's.
  core::Status edit_cells(std::span<const CellEdit> edits, bool replaces);
  core::Status clear_edits();

  /// Writes another sentence, where the lesson has one to write (lessons/sentence.h); a blank one, or the
  /// lesson's words, bring back its own. Cells that were edited, but for those of weights, were those of
  /// other words, so these edits go. An error leaves everything as it was.
  core::Status set_sentence(std::string_view text);

  /// Looks at another tensor, head or cell: a tensor (of a twin: of both passes), a head and a cell of it (of
  /// a twin: of the training pass's (masked or not yet generated cells included); a row or column of -1 is
  /// none. Anything else is an error.
  core::Status focus_on(const Focus& focus);
  void clear_cell();

  /// The lesson's work (lessons/lesson.h); a lesson without has none to do. `advance_work` and `step_work` go
  /// on with it and show what came of it: at once when it is finished or was a step, else every
  /// kShowWorkEvery seconds. `restart_work` begins anew.
  static constexpr double kShowWorkEvery = 0.15;
  WorkProgress work_progress() const;
  void advance_work(double budget_ms, double now_s);
  void step_work();
  void restart_work();

  /// What a reader asks for may need the translator that ships with the project,
  /// models/translator.safetensors (lessons::TranslatorUse). While its file isn't here nothing changes, and
  /// the session waits: the latest such wish is carried out when the file is provided, and dropped when the
  /// reader does something else.
  bool awaits_translator() const { return waiting_.has_value(); }

  /// The file is here. An error, of the file or of what waited for it, leaves everything as it was, nothing
  /// waits any more, and a file that can't be read is forgotten: the wish may be repeated.
  core::Status provide_translator(File file);

  /// The file can't be had: nothing waits any more.
  void give_up_translator();

  bool can_undo() const { return position_ > 0; }
  bool can_redo() const { return position_ + 1 < history_.size(); }
  void undo();
  void redo();

  /// Back to the first step with every parameter at its initial value (can be undone).
  void reset();
  /// Whether that would change anything but where the reader looks.
  bool can_reset() const;

 private:
  struct State {
    int step = 0;
    ParameterValues own;  // what the reader chose; steps don't touch it
    Inputs inputs;        // what the run used: the reader's choice under what this step sets
    Focus focus;
    bool operator==(const State&) const = default;
  };

  /// What waits for the translator: a lesson to be opened, or a state of this one.
  struct Wish {
    const Lesson* lesson = nullptr;
    State state = {};
    bool keep_focus = false;
  };

  Session() = default;
  const State& now() const { return history_[position_]; }
  core::Result<State> arrive(int step, ParameterValues own, Inputs kept) const;
  core::Result<std::shared_ptr<const Run>> run_for(const Inputs& inputs) const;
  core::Status enter(State state, bool keep_focus);
  core::Status check_edit(const CellEdit& edit) const;
  void go_to_entry(std::size_t position);
  void show_work(const Run* previous);
  bool lacks_translator(const Lesson& lesson, const ParameterValues& values) const;
  core::Status find_translator(Inputs& inputs);
  core::Status change_lesson(const Lesson& lesson);
  void wait_for(Wish wish);

  const Lesson* lesson_ = nullptr;
  std::shared_ptr<const Run> run_;
  std::vector<State> history_;
  std::size_t position_ = 0;
  std::uint32_t revision_ = 0;
  double work_shown_s_ = 0.0;
  File translator_file_;  // until it is read
  std::shared_ptr<const training::Translator> translator_;
  std::optional<Wish> waiting_;
};

}  // namespace attn::lessons
