#include "ui/text_editor.h"

#include <algorithm>
#include <array>

#include "imgui.h"

namespace attn::ui {
namespace {

constexpr std::size_t kMostBytes = 1024;

ImVec4 ink(Colour colour, gfx::Theme theme, float opacity = 1.0f) {
  const gfx::Rgb rgb = colour_of(colour, theme);
  const auto channel = [](std::uint8_t byte) { return static_cast<float>(byte) / 255.0f; };
  return {channel(rgb.r), channel(rgb.g), channel(rgb.b), opacity};
}

/// Bytes of the text up to a character's end, at most `limit`.
std::size_t whole_characters(const std::string& text, std::size_t limit) {
  std::size_t end = std::min(text.size(), limit);
  while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return end;
}

}  // namespace

bool edit_text(const TextBox& box, const FontSet& fonts, gfx::Theme theme, std::string& text) {
  std::array<char, kMostBytes> buffer{};
  std::copy_n(text.data(), whole_characters(text, kMostBytes - 1), buffer.data());
  ImGui::GetIO().ConfigInputTextCursorBlink = false;  // a blink would be frames while nothing changes
  ImGui::PushFont(const_cast<ImFont*>(fonts.fonts[static_cast<std::size_t>(Font::ui400)]), box.size);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2{box.margin, (box.rect.height - box.size) / 2.0f});
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0.0f);
  ImGui::PushStyleColor(ImGuiCol_FrameBg, ImVec4{0.0f, 0.0f, 0.0f, 0.0f});
  ImGui::PushStyleColor(ImGuiCol_Text, ink(Colour::ink, theme));
  ImGui::PushStyleColor(ImGuiCol_InputTextCursor, ink(Colour::ink, theme));
  ImGui::PushStyleColor(ImGuiCol_TextSelectedBg, ink(Colour::focus, theme, 0.3f));
  ImGui::PushStyleColor(ImGuiCol_NavCursor, ImVec4{0.0f, 0.0f, 0.0f, 0.0f});
  ImGui::PushItemFlag(ImGuiItemFlags_NoTabStop, true);
  ImGui::SetCursorScreenPos({box.rect.x, box.rect.y});
  ImGui::SetNextItemWidth(box.rect.width);
  const bool changed = ImGui::InputText("##text", buffer.data(), buffer.size());
  // Enter and Escape end it and put back what was there: they are the caller's keys, and it goes on.
  const bool active = ImGui::IsItemActive();
  if (!active) ImGui::SetKeyboardFocusHere(-1);
  ImGui::PopItemFlag();
  ImGui::PopStyleColor(5);
  ImGui::PopStyleVar(2);
  ImGui::PopFont();
  if (!changed || !active || text == buffer.data()) return false;
  text = buffer.data();
  return true;
}

}  // namespace attn::ui
