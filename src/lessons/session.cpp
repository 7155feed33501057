#include "lessons/session.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lessons/plane.h"
#include "lessons/registry.h"

namespace attn::lessons {
namespace {

core::Status check_focus(const Run& run, const Focus& focus) {
  const std::string name = tape::to_string(focus.tensor);
  const tape::Value value = run.tape().find(focus.tensor);
  if (focus.tensor.site == tape::Site::unnamed || !value.valid() ||
      (run.twin && !run.twin->inference.tape.find(focus.tensor).valid())) {
    return core::error_at("focus: this lesson has no tensor '%s'", name.c_str());
  }
  const Plane plane = plane_of(focus.tensor, run.tape().tensor(value).shape);
  if (focus.head < 0 || focus.head >= plane.heads) {
    return core::error_at("focus: '%s' has heads 0..%d, not %d", name.c_str(), plane.heads - 1, focus.head);
  }
  if (focus.row < -1 || focus.row >= plane.rows) {
    return core::error_at("focus: '%s' has rows 0..%d, not %d", name.c_str(), plane.rows - 1, focus.row);
  }
  if (focus.column < -1 || focus.column >= plane.columns) {
    return core::error_at("focus: '%s' has columns 0..%d, not %d", name.c_str(), plane.columns - 1,
                          focus.column);
  }
  return core::ok_status();
}

bool shows(const Run& run, int step, const tape::Label& tensor) {
  const std::vector<Block>& blocks = run.sheet_at(step).blocks;
  return std::any_of(blocks.begin(), blocks.end(),
                     [&](const Block& block) { return block.tensor == tensor; });
}

bool step_sets(const Lesson& lesson, int step, std::string_view name) {
  const auto& sets = lesson.plan[static_cast<std::size_t>(step)].sets;
  return std::any_of(sets.begin(), sets.end(), [&](const auto& set) { return name == set.first; });
}

core::Result<const Lesson*> lesson_of(std::string_view slug) {
  const Lesson* lesson = find_lesson(slug);
  if (lesson == nullptr) return refusal({"没有$0这一课", "no lesson $0"}, {in_quotes(slug)});
  return lesson;
}

}  // namespace

core::Result<Session> Session::open(std::string_view slug, File translator) {
  core::Result<const Lesson*> lesson = lesson_of(slug);
  if (!lesson.ok()) return lesson.failure();
  return open(*lesson.value(), std::move(translator));
}

core::Result<Session> Session::open(const Lesson& lesson, File translator) {
  Session session;
  session.lesson_ = &lesson;
  session.translator_file_ = std::move(translator);
  core::Result<State> start = session.arrive(0, initial_values(lesson), {});
  if (!start.ok()) return start.failure();
  if (core::Status entered = session.enter(std::move(start).value(), false); !entered.ok())
    return entered.failure();
  return session;
}

core::Status Session::change_lesson(std::string_view slug) {
  if (slug == lesson_->slug) {
    reset();
    return core::ok_status();
  }
  core::Result<const Lesson*> lesson = lesson_of(slug);
  if (!lesson.ok()) return lesson.failure();
  if (lacks_translator(*lesson.value(), initial_values(*lesson.value()))) {
    wait_for({.lesson = lesson.value()});
    return core::ok_status();
  }
  return change_lesson(*lesson.value());
}

core::Status Session::change_lesson(const Lesson& lesson) {
  Session other;
  other.lesson_ = &lesson;
  other.translator_file_ = std::exchange(translator_file_, {});
  other.translator_ = translator_;
  core::Result<State> start = other.arrive(0, initial_values(lesson), {});
  core::Status entered = start.ok() ? other.enter(std::move(start).value(), false) : start.failure();
  if (!entered.ok()) {
    translator_file_ = std::move(other.translator_file_);
    translator_ = std::move(other.translator_);
    return entered;
  }
  other.revision_ = revision_ + 1;
  *this = std::move(other);
  return core::ok_status();
}

int Session::value_of(std::string_view parameter) const {
  const int index = find_parameter(*lesson_, parameter);
  ATTN_CHECK(index >= 0);
  return values()[static_cast<std::size_t>(index)];
}

// The state at a step for a reader whose own values these are; of what they entered, edits and words stay.
core::Result<Session::State> Session::arrive(int step, ParameterValues own, Inputs kept) const {
  if (step < 0 || step >= step_count()) {
    return refusal({"这一课有第 1 到 $0 步，没有第 $1 步", "this lesson has steps 1 to $0, not $1"},
                   {step_count(), std::to_string(std::int64_t{step} + 1)});
  }
  ParameterValues values = own;
  for (const auto& [name, value] : lesson_->plan[static_cast<std::size_t>(step)].sets) {
    const int index = find_parameter(*lesson_, name);
    if (index < 0) return core::error_at("step %d sets '%s', which is no parameter", step, name);
    values[static_cast<std::size_t>(index)] = value;
  }
  kept.values = limited(*lesson_, std::move(values));
  if (lesson_->plan[static_cast<std::size_t>(step)].own_cells) kept.edits.clear();
  return State{step, std::move(own), std::move(kept), {}};
}

core::Result<std::shared_ptr<const Run>> Session::run_for(const Inputs& inputs) const {
  if (run_ != nullptr && inputs == now().inputs) return run_;
  if (core::Status allowed = validate(*lesson_, inputs.values); !allowed.ok()) return allowed.failure();
  core::Result<Run> run = lesson_->run(inputs, run_.get());
  if (!run.ok()) return run.failure();
  if (run.value().steps.size() != lesson_->plan.size()) {
    return core::error_at("lesson '%s': %zu steps in its run, %zu in its plan", lesson_->slug,
                          run.value().steps.size(), lesson_->plan.size());
  }
  return std::shared_ptr<const Run>(std::make_shared<Run>(std::move(run).value()));
}

// Makes `state` the current one, as a new entry unless nothing changes. Everything that can fail comes first.
core::Status Session::enter(State state, bool keep_focus) {
  if (run_ != nullptr && lacks_translator(*lesson_, state.inputs.values)) {
    wait_for({lesson_, std::move(state), keep_focus});
    return core::ok_status();
  }
  if (core::Status found = find_translator(state.inputs); !found.ok()) return found;
  core::Result<std::shared_ptr<const Run>> run = run_for(state.inputs);
  if (!run.ok()) return run.failure();
  if (!keep_focus || !check_focus(*run.value(), state.focus).ok()) {
    state.focus = run.value()->steps[static_cast<std::size_t>(state.step)].focus;
    if (core::Status found = check_focus(*run.value(), state.focus); !found.ok())
      return core::error_at("step %d: %s", state.step, found.error().c_str());
  }
  if (keep_focus && run_ != nullptr && run_->board && shows(*run_, state.step, state.focus.tensor) &&
      !shows(*run.value(), state.step, state.focus.tensor)) {
    // The sheet has another tensor in its place now.
    Focus instead = state.focus;
    instead.tensor = run.value()->steps[static_cast<std::size_t>(state.step)].focus.tensor;
    if (check_focus(*run.value(), instead).ok()) state.focus = instead;
  }
  give_up_translator();
  if (!history_.empty() && state == now()) return core::ok_status();
  if (!history_.empty()) {
    history_.erase(history_.begin() + static_cast<std::ptrdiff_t>(position_) + 1, history_.end());
    if (history_.size() == kHistoryLimit) history_.erase(history_.begin());
  }
  history_.push_back(std::move(state));
  position_ = history_.size() - 1;
  run_ = std::move(run).value();
  ++revision_;
  return core::ok_status();
}

core::Status Session::go_to_step(int index) {
  core::Result<State> state = arrive(index, now().own, now().inputs);
  if (!state.ok()) return state.failure();
  return enter(std::move(state).value(), false);
}

bool Session::can_step(int by) const {
  const long long target = static_cast<long long>(step_index()) + by;
  return by != 0 && target >= 0 && target < step_count();
}

void Session::step_by(int by) {
  const long long target = static_cast<long long>(step_index()) + by;
  const long long last = step_count() - 1;
  const int index = static_cast<int>(std::clamp(target, 0LL, last));
  if (index != step_index()) static_cast<void>(go_to_step(index));
}

core::Status Session::set_parameter(std::string_view name, int value) {
  const int index = find_parameter(*lesson_, name);
  if (index < 0)
    return refusal({"这一课没有$1这个参数", "lesson '$0' has no parameter $1"},
                   {lesson_->slug, in_quotes(name)});
  if (core::Status allowed = validate_value(*lesson_, index, value); !allowed.ok()) return allowed;
  State state = now();
  ParameterValues& values = state.inputs.values;
  values[static_cast<std::size_t>(index)] = value;
  if (!step_sets(*lesson_, state.step, name)) {
    state.own[static_cast<std::size_t>(index)] = value;
    state.own = limited(*lesson_, std::move(state.own));
  }
  values = limited(*lesson_, std::move(values));
  return enter(std::move(state), true);
}

core::Status Session::check_edit(const CellEdit& edit) const {
  const Focus cell{edit.tensor, edit.head, edit.row, edit.column};
  if (core::Status found = check_focus(*run_, cell); !found.ok()) return found;
  const std::string name = tape::to_string(cell.tensor);
  if (!is_editable(*lesson_, cell.tensor))
    return refusal({"$0 的数是算出来的，不能改", "edit: the cells of '$0' are computed, not given"}, {name});
  if (!cell.has_cell()) return core::error_at("edit: which cell of '%s'?", name.c_str());
  if (is_toggled(*lesson_, cell.tensor) && edit.value != 0.0f && edit.value != 1.0f)
    return refusal({"$0 的格子只能是 0 或 1", "edit: a cell of '$0' is 0 or 1"}, {name});
  if (!(std::fabs(edit.value) <= kLargestEdit))
    return refusal({"格子里的数要在 −$1 到 $1 之间", "edit: a cell of '$0' must lie in -$1..$1"},
                   {name, static_cast<int>(kLargestEdit)});
  return core::ok_status();
}

core::Status Session::edit_cell(const Focus& cell, float value) {
  const CellEdit edit{cell.tensor, cell.head, cell.row, cell.column, value};
  return edit_cells(std::span(&edit, 1), false);
}

core::Status Session::edit_cells(std::span<const CellEdit> edits, bool replaces) {
  State state = now();
  for (const CellEdit& one : edits) {
    if (core::Status allowed = check_edit(one); !allowed.ok()) return allowed;
    std::vector<CellEdit>& all = state.inputs.edits;
    const auto same = std::find_if(all.begin(), all.end(), [&](const CellEdit& edit) {
      return edit.tensor == one.tensor && edit.head == one.head && edit.row == one.row &&
             edit.column == one.column;
    });
    if (same != all.end()) all.erase(same);
    all.push_back(one);
    state.focus = {one.tensor, one.head, one.row, one.column};
  }
  if (state == now()) return core::ok_status();
  const std::size_t before = position_;
  if (core::Status entered = enter(std::move(state), true); !entered.ok()) return entered;
  if (replaces && before > 0 && position_ == before + 1) {
    history_.erase(history_.begin() + static_cast<std::ptrdiff_t>(before));
    --position_;
  }
  return core::ok_status();
}

core::Status Session::clear_edits() {
  State state = now();
  state.inputs.edits.clear();
  return enter(std::move(state), true);
}

core::Status Session::set_sentence(std::string_view text) {
  const SentenceRule& rule = lesson_->sentence;
  if (rule.most == 0)
    return refusal({"这一课的句子不能换", "lesson '$0' has no sentence to write"}, {lesson_->slug});
  std::vector<std::string> words;
  if (!is_blank(text)) {
    core::Result<std::vector<std::string>> read = rule.read(rule, text);
    if (!read.ok()) return read.failure();
    words = std::move(read).value();
    if (words == own_words(rule)) words.clear();
  }
  State state = now();
  if (words == state.inputs.words) return core::ok_status();
  state.inputs.words = std::move(words);
  std::erase_if(state.inputs.edits,
                [](const CellEdit& edit) { return !tape::is_parameter(edit.tensor.site); });
  return enter(std::move(state), true);
}

core::Status Session::focus_on(const Focus& focus) {
  if (core::Status found = check_focus(*run_, focus); !found.ok()) return found;
  if (focus == now().focus) return core::ok_status();
  history_[position_].focus = focus;
  ++revision_;
  return core::ok_status();
}

void Session::clear_cell() {
  Focus& focus = history_[position_].focus;
  if (focus.row < 0 && focus.column < 0) return;
  focus.row = -1;
  focus.column = -1;
  ++revision_;
}

void Session::go_to_entry(std::size_t position) {
  core::Result<std::shared_ptr<const Run>> run = run_for(history_[position].inputs);
  ATTN_CHECK(run.ok());  // these values ran before, and a lesson's run depends on nothing else
  run_ = std::move(run).value();
  position_ = position;
  waiting_.reset();
  ++revision_;
}

WorkProgress Session::work_progress() const {
  return lesson_->work == nullptr ? WorkProgress{} : lesson_->work->progress(*run_);
}

void Session::advance_work(double budget_ms, double now_s) {
  const WorkProgress before = work_progress();
  if (before.done >= before.total) return;
  lesson_->work->advance(*run_, budget_ms);
  const WorkProgress after = work_progress();
  const bool finished = after.done >= after.total;
  if (!finished && now_s >= work_shown_s_ && now_s < work_shown_s_ + kShowWorkEvery) return;
  work_shown_s_ = now_s;
  show_work(run_.get());
}

void Session::step_work() {
  const WorkProgress before = work_progress();
  if (before.done >= before.total) return;
  lesson_->work->step(*run_);
  show_work(run_.get());
}

void Session::restart_work() {
  if (lesson_->work != nullptr) show_work(nullptr);
}

// The run of the same inputs once more, after `previous`.
void Session::show_work(const Run* previous) {
  core::Result<Run> run = lesson_->run(now().inputs, previous);
  ATTN_CHECK(run.ok() && run.value().steps.size() == lesson_->plan.size());  // as before
  run_ = std::make_shared<Run>(std::move(run).value());
  if (!check_focus(*run_, now().focus).ok()) history_[position_].focus = step().focus;
  ++revision_;
}

void Session::undo() {
  if (can_undo()) go_to_entry(position_ - 1);
}

void Session::redo() {
  if (can_redo()) go_to_entry(position_ + 1);
}

bool Session::can_reset() const {
  core::Result<State> start = arrive(0, initial_values(*lesson_), {});
  if (start.ok()) start.value().inputs.translator = now().inputs.translator;  // no choice of the reader's
  return start.ok() &&
         !(now().step == 0 && now().own == start.value().own && now().inputs == start.value().inputs);
}

void Session::reset() {
  core::Result<State> start = arrive(0, initial_values(*lesson_), {});
  ATTN_CHECK(start.ok());  // as when the lesson was opened
  const core::Status entered = enter(std::move(start).value(), false);
  ATTN_CHECK(entered.ok());
}

}  // namespace attn::lessons
