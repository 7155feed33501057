// What the lesson `positions` draws of its run.
#pragma once

#include "lessons/positions/experiment.h"

namespace attn::lessons::positions {

enum SheetOf : int {
  kOrderSheet,     // both orders through the head
  kRoundingSheet,  // what differs between them, tensor by tensor
  kTableSheet,     // the sinusoidal table
  kWavesSheet,     // some of its columns, and all wavelengths
  kDistanceSheet,  // products of its rows, and of a learned table's
  kLayoutSheet,    // the same table in two layouts
  kSawsSheet,      // words + positions to outputs, in the other order
};

/// Title and sheets of the run's board, from what stands on its tape.
void make_sheets(Run& run, const Settings& settings);

/// "1.2e−7, 3 ULP" or "0 ULP".
std::string size_of(const Change& change);

}  // namespace attn::lessons::positions
