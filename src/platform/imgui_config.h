// Build options of Dear ImGui, for every file that includes it: IMGUI_USER_CONFIG="platform/imgui_config.h".
#pragma once

#define IMGUI_DISABLE_OBSOLETE_FUNCTIONS
#define IMGUI_DISABLE_DEMO_WINDOWS
#define IMGUI_DISABLE_DEBUG_TOOLS
#define IMGUI_DISABLE_DEFAULT_FONT
#define IMGUI_DISABLE_FILE_FUNCTIONS

// Glyphs come from platform/glyph_source.h. This switch leaves ImGui's own rasteriser out and makes it ask
// `ImGuiFreeType::GetFontLoader()` for a default loader, which platform/font_loader.cpp defines; FreeType
// itself is neither needed nor linked.
#define IMGUI_ENABLE_FREETYPE

// In a page, platform/web/scan_integers.cpp reads what Dear ImGui reads with sscanf.
#ifdef __EMSCRIPTEN__
#define sscanf attn_scan_integers
#endif
