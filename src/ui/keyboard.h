// The keyboard's half of ui/interaction.
#pragma once

#include "ui/interaction.h"

namespace attn::ui {

/// Emits the region's intent, with the cell filled in for a grid.
void activate(const Region& region, const Spot& spot, bool touch, ViewState& view, Response& response);

/// Ends typing into a number field: what was typed becomes the parameter's value, nothing typed changes
/// nothing.
void commit_edit(ViewState& view, Response& response);

void use_keyboard(const Scene& scene, const Input& input, ViewState& view, Response& response);

}  // namespace attn::ui
