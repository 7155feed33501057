#include "platform/font_loader.h"

#include <array>
#include <cmath>

#include "imgui.h"
#include "imgui_internal.h"

namespace attn::platform {
namespace {

constexpr float kBaseline = 0.86f;  // under the top of the line box, in sizes

/// ImFontConfig::FontData of our fonts; ImGui copies it.
struct FontData {
  const GlyphSource* source = nullptr;
  Face face;
};

const FontData& font_data(const ImFontConfig* config) {
  return *static_cast<const FontData*>(config->FontData);
}

float density_of(const ImFontConfig* config, const ImFontBaked* baked) {
  return config->RasterizerDensity * baked->RasterizerDensity;
}

bool contains_glyph(ImFontAtlas*, ImFontConfig* config, ImWchar codepoint) {
  return font_data(config).source->has_glyph(font_data(config).face, codepoint);
}

bool init_baked(ImFontAtlas*, ImFontConfig* config, ImFontBaked* baked, void*) {
  const float density = density_of(config, baked);
  baked->Ascent = std::round(kBaseline * baked->Size * density) / density;
  baked->Descent = baked->Ascent - baked->Size;
  return true;
}

bool place_glyph(ImFontAtlas* atlas, ImFontConfig* config, ImFontBaked* baked, const GlyphBox& box,
                 float em_px, ImFontGlyph* glyph) {
  const ImFontAtlasRectId id = ImFontAtlasPackAddRect(atlas, box.width, box.height);
  if (id == ImFontAtlasRectId_Invalid) return false;
  ImTextureRect* rect = ImFontAtlasPackGetRect(atlas, id);
  ImVector<unsigned char>& coverage = atlas->Builder->TempBuffer;
  coverage.resize(box.width * box.height);
  const FontData& data = font_data(config);
  data.source->draw(data.face, glyph->Codepoint, em_px, box, coverage.Data);

  const float pixel = 1.0f / density_of(config, baked);
  glyph->X0 = static_cast<float>(box.left) * pixel;
  glyph->Y0 = baked->Ascent + static_cast<float>(box.top) * pixel;
  glyph->X1 = static_cast<float>(box.left + box.width) * pixel;
  glyph->Y1 = baked->Ascent + static_cast<float>(box.top + box.height) * pixel;
  glyph->Visible = true;
  glyph->PackId = id;
  ImFontAtlasBakedSetFontGlyphBitmap(atlas, baked, config, glyph, rect, coverage.Data, ImTextureFormat_Alpha8,
                                     box.width);
  return true;
}

/// ImGui asks either for the advance alone (`advance_x` set) or for the whole glyph.
bool load_glyph(ImFontAtlas* atlas, ImFontConfig* config, ImFontBaked* baked, void*, ImWchar codepoint,
                ImFontGlyph* glyph, float* advance_x) {
  const FontData& data = font_data(config);
  if (!data.source->has_glyph(data.face, codepoint)) return false;
  const float density = density_of(config, baked);
  const float em_px = baked->Size * density;
  const GlyphBox box = data.source->measure(data.face, codepoint, em_px);
  const float advance = std::round(box.advance) / density;
  if (advance_x != nullptr) {
    *advance_x = advance;
    return true;
  }
  glyph->Codepoint = codepoint;
  glyph->AdvanceX = advance;
  if (box.width <= 0 || box.height <= 0) return true;
  return place_glyph(atlas, config, baked, box, em_px, glyph);
}

ImFontLoader make_loader() {
  ImFontLoader loader;
  loader.Name = "attention playground";
  loader.FontSrcContainsGlyph = contains_glyph;
  loader.FontBakedInit = init_baked;
  loader.FontBakedLoadGlyph = load_glyph;
  return loader;
}

const ImFontLoader* font_loader() {
  static const ImFontLoader loader = make_loader();
  return &loader;
}

}  // namespace

Fonts add_fonts(const GlyphSource& source) {
  ImFontAtlas* atlas = ImGui::GetIO().Fonts;
  constexpr int kFaces = 6;
  constexpr std::array<Face, kFaces> faces{Face{400, false}, Face{500, false}, Face{600, false},
                                           Face{400, true},  Face{500, true},  Face{600, true}};
  std::array<ImFont*, kFaces> fonts{};
  for (std::size_t i = 0; i < faces.size(); ++i) {
    FontData data{&source, faces[i]};
    ImFontConfig config;
    std::snprintf(config.Name, sizeof config.Name, "%s %d", faces[i].mono ? "mono" : "ui", faces[i].weight);
    config.FontData = &data;
    config.FontDataSize = sizeof data;
    config.FontDataOwnedByAtlas = false;
    config.FontLoader = font_loader();
    fonts[i] = atlas->AddFont(&config);
  }
  return {fonts[0], fonts[1], fonts[2], fonts[3], fonts[4], fonts[5]};
}

}  // namespace attn::platform

/// IMGUI_ENABLE_FREETYPE makes ImGui ask for this one as the atlas's default loader; see
/// platform/imgui_config.h.
namespace ImGuiFreeType {
const ImFontLoader* GetFontLoader();
const ImFontLoader* GetFontLoader() { return attn::platform::font_loader(); }
}  // namespace ImGuiFreeType
