// The C interface that a page's JavaScript calls, exported from the wasm module and compiled natively for
// tests. One module instance is one embed, so there is one host.
//
// Strings are UTF-8 and end in NUL. A returned string stays valid until the next call that returns one of its
// kind. No call traps, whatever it is given: pointers are checked against NULL, alignment and the end of
// memory, text is parsed strictly and bounded in size, and an error leaves everything as it was.
//
// State: a C function has no `this`, and JavaScript has no pointer to give it, so one pointer at file scope
// names the host; `attach` sets it. Everything else, the returned strings included, lives in the host.
#pragma once

#include "api/session_host.h"

namespace attn::api {

enum class Code : int {
  ok = 0,
  not_ready = 1,  // no host is attached (the module hasn't started, or could not)
  malformed = 2,  // can't be read: not a string, too long, not JSON, not a command
  refused = 3,    // understood, but the lesson or the interface doesn't allow it
};

/// The host all later calls work on; it must outlive them. nullptr detaches.
void attach(SessionHost* host);

}  // namespace attn::api

extern "C" {

/// Opens a lesson by its slug, at its first step. Returns a Code.
int attn_open(const char* slug);

/// Gives the file that the session waits for (`waiting` of the state), `size` bytes, which are copied: what
/// waited happens now. One that is given unasked is kept. `file` NULL: it can't be had, and nothing waits any
/// more. Returns a Code; refused are a file that can't be read and what waited.
int attn_provide(const unsigned char* file, unsigned size);

/// The state as JSON (api/state_json.h); "null" when no host is attached.
const char* attn_state_json();

/// Carries out one command (api/command.h). Returns a Code.
int attn_command(const char* json_utf8);

/// What the last call that failed has to say; "" when the last one that can fail didn't.
const char* attn_last_error();

/// The same for a reader, as JSON: {zh, en, suggestions: [text]}. What only a programmer meets is
/// English in both. Suggestions are texts to write instead of a sentence that was refused.
const char* attn_last_refusal();

/// Grows whenever attn_state_json would say something else; 0 when no host is attached.
unsigned attn_revision();

/// The values of a tensor, row-major: `label` as in api/state_json.h's focus, `which_pass` 0 for the training
/// pass and 1 for the inference pass. Writes the extents to shape4[0..3] (0 beyond the rank) and the rank to
/// rank[0]. Returns NULL, and writes nothing, when there is no such tensor. Valid until the next command:
/// copy.
const float* attn_tensor(const char* label, int which_pass, int* shape4, int* rank);
}
