// Needs installed fonts and no window: glyphs are made and read back from ImGui's atlas.
#include "platform/font_loader.h"

#include <cmath>
#include <vector>

#include "imgui.h"
#include "imgui_internal.h"
#include "platform/glyph_snap.h"
#include "platform/screen.h"
#include "support/catch.h"

using namespace attn::platform;

namespace {

constexpr float kSize = 13.0f;

/// An ImGui context with the product's fonts inside an open frame.
struct FontFixture {
  GlyphSource* source = nullptr;
  Fonts fonts;

  explicit FontFixture(float pixel_ratio) {
    auto created = GlyphSource::create();
    REQUIRE(created.ok());
    source = created.value();
    fonts = create_imgui(*source);
    ImGuiIO& io = ImGui::GetIO();
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
    io.DisplaySize = {100.0f, 100.0f};
    io.DisplayFramebufferScale = {pixel_ratio, pixel_ratio};
    io.DeltaTime = 0.016f;
    ImGui::NewFrame();
  }
  ~FontFixture() {
    ImGui::EndFrame();
    destroy_imgui();
    GlyphSource::destroy(source);
  }

  ImFontGlyph* glyph(ImFont* font, unsigned codepoint, float size = kSize) const {
    ImGui::PushFont(font, size);
    ImFontGlyph* found = ImGui::GetFontBaked()->FindGlyphNoFallback(static_cast<ImWchar>(codepoint));
    ImGui::PopFont();
    return found;
  }
};

}  // namespace

TEST_CASE("every font draws Latin, Chinese and the mathematical signs") {
  const FontFixture fixture(1.0f);
  const Fonts& fonts = fixture.fonts;
  const unsigned signs[] = {'A',
                            '0',
                            0x8BAD /* 训 */,
                            0x8BCD /* 词 */,
                            0x221A /* √ */,
                            0x1D40 /* ᵀ */,
                            0x2096 /* ₖ */,
                            0x03B1 /* α */,
                            0x2032 /* ′ */,
                            0x2212 /* − */,
                            0x221E /* ∞ */,
                            0x2260 /* ≠ */,
                            0x00B7};
  for (ImFont* font : {fonts.ui400, fonts.ui500, fonts.ui600, fonts.mono400, fonts.mono500, fonts.mono600}) {
    for (const unsigned sign : signs) {
      const ImFontGlyph* glyph = fixture.glyph(font, sign);
      INFO("U+" << std::hex << sign);
      REQUIRE(glyph != nullptr);
      CHECK(glyph->Visible);
      CHECK(glyph->AdvanceX > 0.0f);
    }
  }
}

TEST_CASE("digits, minus and Latin letters of the mono fonts are equally wide") {
  const FontFixture fixture(2.0f);
  const float width = fixture.glyph(fixture.fonts.mono400, '0')->AdvanceX;
  for (const unsigned sign : {unsigned{'1'}, unsigned{'W'}, unsigned{'.'}, 0x2212u, 0x00B7u, 0x221Au}) {
    CHECK(fixture.glyph(fixture.fonts.mono400, sign)->AdvanceX == width);
  }
}

TEST_CASE("the square root is no wider than a capital in the proportional fonts") {
  const FontFixture fixture(1.0f);
  CHECK(fixture.glyph(fixture.fonts.ui400, 0x221A)->AdvanceX <=
        fixture.glyph(fixture.fonts.ui400, 'W')->AdvanceX);
}

TEST_CASE("glyphs lie on the device pixel grid at every ratio") {
  for (const float ratio : {1.0f, 1.25f, 1.5f, 2.0f, 3.0f}) {
    const FontFixture fixture(ratio);
    for (const unsigned sign : {unsigned{'g'}, 0x8BADu}) {
      const ImFontGlyph* glyph = fixture.glyph(fixture.fonts.ui400, sign);
      for (const float edge : {glyph->X0, glyph->Y0, glyph->X1, glyph->Y1, glyph->AdvanceX}) {
        INFO("ratio " << ratio << ", edge " << edge);
        CHECK(std::abs(edge * ratio - std::round(edge * ratio)) < 1e-3f);
      }
    }
  }
}

TEST_CASE("at a fractional ratio text lands on device pixels, and shapes stay where they are") {
  constexpr float kRatio = 1.5f;
  const FontFixture fixture(kRatio);
  ImDrawList* list = ImGui::GetBackgroundDrawList();
  for (ImFont* font : ImGui::GetIO().Fonts->Fonts) font->CurrentRasterizerDensity = kRatio;
  const int text_from = list->VtxBuffer.Size;
  list->AddText(fixture.fonts.ui400, kSize, {11.0f, 7.0f}, 0xFF000000u, "Ag 训练");
  const int text_until = list->VtxBuffer.Size;
  list->AddRectFilled({11.1f, 7.3f}, {20.0f, 30.0f}, 0xFF000000u);
  std::vector<ImVec2> before;
  for (const ImDrawVert& vertex : list->VtxBuffer) before.push_back(vertex.pos);
  ImGui::Render();
  snap_glyphs(*ImGui::GetDrawData(), kRatio);
  REQUIRE(text_until - text_from == 4 * 4);
  bool moved = false;
  for (int i = text_from; i < text_until; ++i) {
    const ImVec2 at = list->VtxBuffer[i].pos;
    CHECK(std::abs(at.x * kRatio - std::round(at.x * kRatio)) < 1e-3f);
    CHECK(std::abs(at.y * kRatio - std::round(at.y * kRatio)) < 1e-3f);
    moved = moved || at.x != before[static_cast<std::size_t>(i)].x;
  }
  CHECK(moved);
  for (int i = text_until; i < list->VtxBuffer.Size; ++i) {
    CHECK(list->VtxBuffer[i].pos.x == before[static_cast<std::size_t>(i)].x);
    CHECK(list->VtxBuffer[i].pos.y == before[static_cast<std::size_t>(i)].y);
  }
}

TEST_CASE("a capital stands in the middle of the line box") {
  const FontFixture fixture(2.0f);
  const ImFontGlyph* glyph = fixture.glyph(fixture.fonts.ui600, 'H', 20.0f);
  const float middle = 0.5f * (glyph->Y0 + glyph->Y1);
  CHECK(middle == Approx(10.0f).margin(0.75));
}
