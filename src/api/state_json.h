// Everything a page needs to say what the canvas shows, as one JSON object in the reader's language:
//
//   revision, lesson, lang ("zh" | "en"), theme ("auto" | "light" | "dark"), step (from 0), steps, title,
//   paragraphs   [[{text, role}]]      roles: plain strong code q k v out mem eq ne; where a term of the
//   glossary
//                occurs first also {term, definition}: its name and what it means
//   answer       "none" | "open" | "wrong" | "right": of the step's question; answer_text: the same in words
//   brief, try_it  [{text, role}]      try_it may be empty
//   formula_mathml, formula_text       may be empty
//   parameters   [{name, title, kind ("number" | "choice" | "toggle"), min, max, value, choices: [{value,
//   title}]}]
//                max is what the other values allow now
//   sentence     null, or {text, own, words: [text], fewest, most, longest_word, name, hint, refused}: the
//                reader may write another of so many words of so many characters; `own` is the lesson's;
//                `name` and `hint` are for the field, `refused` goes before the reason why a text wasn't
//                taken
//   editable     [label]: the tensors whose cells may be changed
//   edits        [{tensor, head, row, column, value}]: the cells that are
//   focus        {tensor, head, row, column}      row and column -1: no cell chosen
//   table        {caption, columns: [text], rows: [{head, cells: [text]}]}       see api/tensor_table.h
//   verdict      {equal, total, first_different (label or null), largest_difference (null: not finite), ulp}
//                ulp is the distance at the cell of the largest difference
//   waiting      "", or the file that the session waits for ("models/translator.safetensors"): to be given by
//                attn_provide
//   announcement one sentence for a live region
#pragma once

#include <string>
#include <string_view>

#include "api/session_host.h"

namespace attn::api {

std::string state_json(SessionHost& host);

/// An error in both languages, and what could be written instead (attn_last_refusal).
std::string refusal_json(const core::Error& error);

std::string_view name_of(lessons::Language language);
std::string_view name_of(lessons::Theme theme);

}  // namespace attn::api
