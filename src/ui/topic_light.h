// Words of the narration and what the stage shows light each other: while the pointer is over a word, the
// blocks, panes and rows of the map it speaks of have an outline; while it is over one of those, the words
// that speak of it have a line under them.
#pragma once

#include "ui/context.h"

namespace attn::ui {

struct TopicLight {
  lessons::Topic blocks;  // what the word under the pointer speaks of
  lessons::Topic words;   // that, or what is under the pointer on the stage
};

/// What is lit by the pointer, on the canvas or on a word of the page.
TopicLight topic_light(const Subject& subject, const ViewState& view);

/// What a word must speak of to light this: a block of a board by the role it has there, a tensor of a twin
/// by what it is.
lessons::Topic topic_of(const lessons::Block& block);
lessons::Topic topic_of(const tape::Label& label);

/// In the index of a word's region: it is a term of the glossary. No topic has this bit (text.h's code_of:
/// a layer beyond the 30th).
inline constexpr int kTermWord = 0x8000;

/// A word that lights something, as a region the pointer can be over but not press.
Region word_region(const Piece& word, const Rect& rect);

}  // namespace attn::ui
