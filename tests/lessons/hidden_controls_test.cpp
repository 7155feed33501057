// What a step hides over its board changes nothing there, or the step itself sets it.
#include <algorithm>
#include <string_view>

#include "core/bits.h"
#include "lessons/registry.h"
#include "lessons/session.h"
#include "support/catch.h"
#include "support/shipped_translator.h"

using namespace attn;
using namespace attn::lessons;

namespace {

/// All that a reader sees of a step, as one text.
std::string seen(const Run& run, int step) {
  const Step& of = run.steps[static_cast<std::size_t>(step)];
  std::string text;
  const auto add = [&](const RunText& words) { text += words.zh + words.en + '\n'; };
  const auto add_tensor = [&](const tape::Label& label) {
    if (label.site == tape::Site::unnamed) return;
    const core::TensorView tensor = run.tape().tensor(label);
    for (const float value : tensor.flat()) text += std::to_string(core::bits_of(value)) + ' ';
  };
  for (const RunText* words : {&of.title, &of.narration, &of.brief, &of.try_it}) add(*words);
  text += of.formula.text;
  text += name_of(of.answer);
  for (const Block& block : run.sheet_at(step).blocks) {
    text += block.note;
    add(block.verdict.text);
    if (block.kind != BlockKind::plot && block.kind != BlockKind::table) add_tensor(block.tensor);
    add_tensor(block.mask);
    add_tensor(block.row_figures);
    for (const TableRow& row : block.table.rows) {
      add(row.name);
      for (const RunText& cell : row.cells) add(cell);
    }
    for (const Series& series : block.plot.series)
      for (const float y : series.y) text += std::to_string(core::bits_of(y)) + ' ';
  }
  return text;
}

}  // namespace

TEST_CASE("a control that a step hides changes nothing there, unless the step sets it") {
  int hidden = 0;
  for (const Lesson* lesson : all_lessons())
    for (std::size_t step = 0; step < lesson->plan.size(); ++step)
      for (const std::string_view name : lesson->plan[step].hidden) {
        ++hidden;
        const auto& sets = lesson->plan[step].sets;
        if (std::any_of(sets.begin(), sets.end(), [&](const auto& set) { return name == set.first; }))
          continue;
        INFO(lesson->slug << " step " << step << " " << name);
        const int index = find_parameter(*lesson, name);
        REQUIRE(index >= 0);
        const Parameter& parameter = lesson->parameters[static_cast<std::size_t>(index)];
        REQUIRE(parameter.place == ParameterPlace::board);
        Session session = test::open_session(*lesson);
        REQUIRE(session.go_to_step(static_cast<int>(step)).ok());
        const std::string before = seen(session.run(), static_cast<int>(step));
        for (int value = parameter.minimum; value <= parameter.maximum; ++value) {
          if (!validate_value(*lesson, index, value).ok()) continue;
          REQUIRE(session.set_parameter(parameter.name, value).ok());
          CHECK((seen(session.run(), static_cast<int>(step)) == before));
        }
      }
  CHECK(hidden > 0);
}
