// A lesson's work in the transport bar, where others have their tokens: a step of it, beginning anew, how far
// it is and how long it will take.
#pragma once

#include "ui/context.h"

namespace attn::ui {

/// The bar of what is done, with its words.
void view_progress(Context& context, const Rect& area);

/// Both buttons; where `progress` isn't empty, the bar right of them. They begin at `at`.
void view_work(Context& context, const Rect& at, bool with_progress);

}  // namespace attn::ui
