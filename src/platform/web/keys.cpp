#include "platform/web/keys.h"

#include <array>

#include "imgui.h"

namespace attn::platform {
namespace {

constexpr int kFirstNamedKey = 256;
constexpr std::array kNamedKeys = {
    ImGuiKey_Tab,    ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow, ImGuiKey_DownArrow,
    ImGuiKey_PageUp, ImGuiKey_PageDown,  ImGuiKey_Home,       ImGuiKey_End,     ImGuiKey_Insert,
    ImGuiKey_Delete, ImGuiKey_Backspace, ImGuiKey_Enter,      ImGuiKey_Escape,
};

}  // namespace

int imgui_key(int key) {
  if (key >= 'a' && key <= 'z') return ImGuiKey_A + (key - 'a');
  if (key >= '0' && key <= '9') return ImGuiKey_0 + (key - '0');
  const int named = key - kFirstNamedKey;
  if (named >= 0 && named < static_cast<int>(kNamedKeys.size()))
    return kNamedKeys[static_cast<std::size_t>(named)];
  switch (key) {
    case ' ':
      return ImGuiKey_Space;
    case '+':
    case '=':
      return ImGuiKey_Equal;
    case '-':
      return ImGuiKey_Minus;
    case '/':
    case '?':
      return ImGuiKey_Slash;
    case '[':
      return ImGuiKey_LeftBracket;
    case ']':
      return ImGuiKey_RightBracket;
    case ',':
      return ImGuiKey_Comma;
    case '.':
      return ImGuiKey_Period;
  }
  return ImGuiKey_None;
}

}  // namespace attn::platform
