// The explanation of one cell as two lines that stand under each other: symbols and their numbers.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tape/explain.h"
#include "ui/pane_model.h"

namespace attn::ui {

enum class Align : std::uint8_t { left, centre, right };

/// A stretch of both lines; its two texts share one column.
struct Segment {
  std::string symbol;
  std::string number;
  Colour colour = Colour::ink;
  bool strong = false;
  Align align = Align::left;  // within the column
  int term = -1;              // which summand it belongs to
};

/// What tensors are called: a block of a sheet by its title where its symbol is a mere word or
/// that of other blocks too, else by the symbol.
struct Names {
  std::span<const lessons::Block> blocks = {};
  lessons::Language language = lessons::Language::en;
  std::size_t most = 60;  // bytes of a title

  /// "q[2,0]", "Output[2,0]": the index without the head; the title, else the short one, of at most so many
  /// bytes.
  std::string of(const tape::Element& element, std::size_t bytes) const;
  std::string of(const tape::Element& element) const { return of(element, most); }
};

struct Sum {
  tape::Explanation explanation;
  float value = 0.0f;
  bool shifted = true;      // softmax: write e^(s − m) rather than e^s
  std::vector<bool> extra;  // of each term: the other pass's sum doesn't have it (a future token)
  Names names = {};
  /// Of a function of one number that no block shows: how that number is made.
  std::optional<tape::Explanation> inner = {};
};

enum class InspectorState : std::uint8_t {
  nothing,  // no cell chosen
  masked,   // hatched in the training pass
  no_visible_key,
  given,  // not computed
  sum,
};

struct InspectorModel {
  InspectorState state = InspectorState::nothing;
  std::string name;    // "scores[2,1]"
  std::string origin;  // of a given cell: where it comes from, in its block's words, or empty
  Sum training;
  Sum inference;
  bool in_inference = false;      // the inference pass has this cell and may see it
  bool inference_masked = false;  // it has it and may not see it
  bool equal = false;             // bits
  float difference = 0.0f;
  std::uint32_t ulp = 0;
};

/// Of cell (row, column) of the stage's tensor; nothing when row or column is negative.
InspectorModel inspector_model(const lessons::Run& run, const StageModel& stage, int row, int column);

/// Of a cell of a run with one tape: `training` alone is filled.
InspectorModel cell_model(const lessons::Run& run, const lessons::Focus& focus, const Names& names = {});

/// The formula after "name = ", with at most `terms` summands: the first ones, how many are left out, the
/// last.
std::vector<Segment> segments_of(const Sum& sum, int terms, lessons::Language language);

Colour role_colour(const tape::Label& label);

}  // namespace attn::ui
