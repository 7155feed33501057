// The one table of what the conformance data asks for and the engine leaves out, with the reason. It is meant
// to stay as small as possible: what a lesson or a user of nn.Transformer meets may not stand here. Whatever
// is neither supported nor listed fails.
#pragma once

#include <string_view>

namespace attn::conformance {

/// Ends the case as unsupported; `feature` must be a row of the table.
[[noreturn]] void unsupported(std::string_view feature);

}  // namespace attn::conformance
