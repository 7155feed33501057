// Build options of Dear ImGui, for every file that includes it:
// -DIMGUI_USER_CONFIG="\"platform/imgui_config.h\"".
#pragma once

#include "core/check.h"

#define IM_ASSERT(condition) ATTN_CHECK(condition)

#define IMGUI_DISABLE_OBSOLETE_FUNCTIONS
#define IMGUI_DISABLE_DEMO_WINDOWS
#define IMGUI_DISABLE_DEBUG_TOOLS
#define IMGUI_DISABLE_DEFAULT_FONT
#define IMGUI_DISABLE_FILE_FUNCTIONS
#define IMGUI_DISABLE_WIN32_FUNCTIONS

#ifdef __EMSCRIPTEN__
// In a page, glyphs come from Canvas2D (platform/web/glyphs.cpp): this switch leaves the TrueType rasteriser
// out of the download and makes ImGui ask `ImGuiFreeType::GetFontLoader()` for a loader, which we define;
// FreeType itself isn't used.
#define IMGUI_ENABLE_FREETYPE
#endif
