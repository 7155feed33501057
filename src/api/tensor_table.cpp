#include "api/tensor_table.h"

#include <algorithm>
#include <array>

#include "lessons/numbers.h"
#include "lessons/place.h"
#include "lessons/plane.h"

namespace attn::api {
namespace {

using lessons::Language;
using lessons::Plane;
using lessons::PlaneAxes;
using lessons::Text;
using tape::Axis;

constexpr std::array<Text, 5> kAxisNames{{{"头", "heads"},
                                          {"目标位置", "target positions"},
                                          {"源位置", "source positions"},
                                          {"特征", "features"},
                                          {"词表", "vocabulary"}}};
static_assert(kAxisNames.size() == static_cast<std::size_t>(Axis::vocabulary) + 1, "one name per Axis");

constexpr Text kMasked{"已掩码", "masked"};

std::string name_of(Axis axis, Language language) {
  return kAxisNames[static_cast<std::size_t>(axis)].in(language);
}

// "2: 7" for position 2 with the word 7, "2" for anything else.
std::string heading(const lessons::Run& run, Axis axis, int index) {
  const std::string word = run.word_at(axis, index);
  return word.empty() ? std::to_string(index) : std::to_string(index) + ": " + word;
}

// What is shown of an axis that doesn't fit: ", first 32 of 64 columns".
std::string cut(int count, const Text& what, Language language) {
  if (count <= kTableLimit) return {};
  const std::string limit = std::to_string(kTableLimit);
  const std::string all = std::to_string(count);
  const std::string name = what.in(language);
  return language == Language::zh ? "，共 " + all + " " + name + "，只列前 " + limit + " " + name
                                  : ", first " + limit + " of " + all + " " + name;
}

std::string caption_of(const lessons::Run& run, int step, const lessons::Focus& focus, const Plane& plane,
                       const PlaneAxes& axes, Language language) {
  const lessons::Block* block = run.block_of(focus.tensor, step);
  const std::string name =
      block != nullptr ? block->title.in(language) : lessons::place_of(focus.tensor).in(language);
  const bool chinese = language == Language::zh;
  std::string text = name + (chinese ? "，" : ", ") + run.tape_title().in(language);
  if (plane.heads > 1) {
    const std::string head = std::to_string(focus.head + 1);
    const std::string heads = std::to_string(plane.heads);
    text += chinese ? "，第 " + head + " 头，共 " + heads + " 头" : ", head " + head + " of " + heads;
  }
  const std::string rows = name_of(axes.rows, language);
  const std::string columns = name_of(axes.columns, language);
  text += chinese ? "；行：" + rows + "，列：" + columns : "; rows: " + rows + ", columns: " + columns;
  const std::string origin = block != nullptr ? block->origin.in(language) : "";
  if (!origin.empty()) text += (chinese ? "；" : "; ") + origin;
  return text + cut(plane.rows, {"行", "rows"}, language) + cut(plane.columns, {"列", "columns"}, language);
}

}  // namespace

TensorTable table_of(const lessons::Run& run, int step, const lessons::Focus& focus, Language language) {
  const tape::Tape& tape = run.tape();
  const core::TensorView tensor = tape.tensor(focus.tensor);
  const Plane plane = lessons::plane_of(focus.tensor, tensor.shape);
  const PlaneAxes axes = lessons::plane_axes(focus.tensor);
  TensorTable table;
  table.caption = caption_of(run, step, focus, plane, axes, language);
  const int columns = std::min(plane.columns, kTableLimit);
  for (int column = 0; column < columns; ++column)
    table.columns.push_back(heading(run, axes.columns, column));
  for (int row = 0; row < std::min(plane.rows, kTableLimit); ++row) {
    TableRow cells{heading(run, axes.rows, row), {}};
    for (int column = 0; column < columns; ++column) {
      const bool visible = focus.unmasked || tape::is_visible(tape, focus.tensor, row, column);
      const float value = tensor.values[plane.offset(focus.head, row, column)];
      cells.cells.push_back(visible ? lessons::six_digits(value) : kMasked.in(language));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace attn::api
