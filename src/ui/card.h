// A card over the stage: its place, its face, and the numbers of its regions.
#pragma once

#include <string>

#include "ui/context.h"

namespace attn::ui {

enum CardPart : int { kBackdrop, kClose, kReset, kUndo, kRedo, kKeys, kFace = 32, kFirstItem = 64 };

inline RegionId card_id(int part) { return region_id(group_of(Group::card), part); }

Rect centred_card(const Layout& layout, float width, float height);

/// The card's face with title and close button; what lies under it is veiled and a click there closes it.
void begin_card(Context& context, const Rect& card, const std::string& title);

}  // namespace attn::ui
