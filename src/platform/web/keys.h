// Key numbers as web/input.js sends them: printable ASCII as itself (letters lower-case), the others from 256
// in the order of kNamedKeys in web/input.js.
#pragma once

namespace attn::platform {

/// The ImGuiKey of a number, ImGuiKey_None (0) when it has none.
int imgui_key(int key);

}  // namespace attn::platform
