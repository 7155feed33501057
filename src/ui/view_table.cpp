#include <algorithm>
#include <vector>

#include "ui/view_blocks.h"

namespace attn::ui {
namespace {

using lessons::Table;
using lessons::TableRow;

constexpr float kLargestGap = 20.0f;  // between columns
constexpr float kSmallestGap = 8.0f;
constexpr float kLargest = 14.0f;  // text size
constexpr float kLargestAlone = 16.0f;
constexpr float kSmallest = 9.0f;
constexpr float kMostSpread = 40.0f;  // more, where there is room
constexpr float kMostSpreadAlone = 64.0f;

struct Columns {
  float names = 0.0f;
  std::vector<float> cells;
  float total = 0.0f;
};

TextStyle cell_style(const TableRow& row, float size) {
  return {.font = row.strong ? Font::mono600 : Font::mono400,
          .size = size,
          .colour = row.role == lessons::Role::plain ? Colour::ink : colour_of_role(row.role),
          .tag = {.mark = Mark::table_cell}};
}

TextStyle name_style(const TableRow& row, float size) {
  return {.font = row.strong ? Font::ui600 : Font::ui400,
          .size = size,
          .colour = row.strong ? Colour::ink : Colour::ink2};
}

Columns columns_of(const Context& context, const Table& table, float size, float gap) {
  const lessons::Language language = context.language();
  const TextStyle heading{.size = size - 1.0f};
  Columns columns;
  columns.cells.resize(table.columns.size());
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    columns.cells[c] = context.sketch.width(table.columns[c].in(language), heading);
  for (const TableRow& row : table.rows) {
    columns.names =
        std::max(columns.names, context.sketch.width(row.name.in(language), name_style(row, size)));
    for (std::size_t c = 0; c < row.cells.size(); ++c)
      columns.cells[c] =
          std::max(columns.cells[c], context.sketch.width(row.cells[c].in(language), cell_style(row, size)));
  }
  columns.total = columns.names;
  for (const float width : columns.cells) columns.total += gap + width;
  return columns;
}

}  // namespace

void draw_table(Context& context, const BlockModel& block, const BlockPlace& place) {
  const Table& table = block.block->table;
  const lessons::Language language = context.language();
  Sketch& sketch = context.sketch;
  const Rect& body = place.body;
  const float largest_row = block.alone ? kLargeTableRow : kTableRow;
  const float fits = body.height / (largest_row * static_cast<float>(table.rows.size() + 1));
  float size = block.alone && fits > 0.8f ? kLargestAlone : kLargest;
  float gap = kLargestGap;
  Columns columns = columns_of(context, table, size, gap);
  while (columns.total > body.width && (gap > kSmallestGap || size > kSmallest)) {
    if (gap > kSmallestGap)
      gap -= 2.0f;
    else
      size -= 0.5f;
    columns = columns_of(context, table, size, gap);
  }
  const float spread =
      table.columns.empty()
          ? 0.0f
          : std::clamp((body.width - columns.total) / static_cast<float>(table.columns.size()), 0.0f,
                       block.alone ? kMostSpreadAlone : kMostSpread);
  const float row_height = std::min(largest_row, body.height / static_cast<float>(table.rows.size() + 1));
  const float width = std::min(columns.total + spread * static_cast<float>(table.columns.size()), body.width);
  // Where a column's numbers end.
  std::vector<float> ends;
  float x = body.x + columns.names;
  for (const float cell : columns.cells) ends.push_back(x += cell + gap + spread);

  const TextStyle heading{.size = size - 1.0f, .colour = Colour::ink3};
  float y = body.y;
  for (std::size_t c = 0; c < ends.size(); ++c)
    sketch.text_right(ends[c], baseline_at(y + row_height / 2.0f, size), table.columns[c].in(language),
                      heading);
  y += row_height;
  sketch.line({body.x, y}, {body.x + width, y}, Colour::line2);
  for (const TableRow& row : table.rows) {
    const float baseline = baseline_at(y + row_height / 2.0f, size);
    if (row.strong)
      sketch.box({body.x - 6.0f, y + 1.0f, width + 12.0f, row_height - 2.0f}, Colour::band, 4.0f);
    sketch.text(body.x, baseline, sketch.fitted(row.name.in(language), width, name_style(row, size)),
                name_style(row, size));
    for (std::size_t c = 0; c < row.cells.size(); ++c)
      sketch.text_right(ends[c], baseline, row.cells[c].in(language), cell_style(row, size));
    y += row_height;
    sketch.line({body.x, y}, {body.x + width, y}, Colour::line);
  }
}

}  // namespace attn::ui
