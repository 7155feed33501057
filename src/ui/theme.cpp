#include "ui/theme.h"

#include <array>
#include <cstddef>

namespace attn::ui {
namespace {

struct Row {
  Colour colour;
  std::uint32_t light;  // 0xRRGGBB
  std::uint32_t dark;
};

constexpr std::array<Row, kColourCount> kTokens{{
    {Colour::none, 0x000000, 0x000000},         {Colour::surface, 0xFFFFFF, 0x1B1F24},
    {Colour::page, 0xF6F5F1, 0x14171B},         {Colour::sunken, 0xEFEEE9, 0x12151A},
    {Colour::ink, 0x1B2026, 0xECEEF0},          {Colour::ink2, 0x4A525C, 0xB9C0C8},
    {Colour::ink3, 0x656D77, 0x959EA8},         {Colour::control, 0x868883, 0x727C87},
    {Colour::line2, 0xB7B6B0, 0x5A636D},        {Colour::line, 0xE0DED8, 0x2E343B},
    {Colour::query, 0x6540C4, 0xBE9CFF},        {Colour::key, 0x8A6700, 0xE4C150},
    {Colour::value, 0x00716A, 0x4FCFBE},        {Colour::output, 0x3B4859, 0xC5D0DC},
    {Colour::memory, 0x2A5C9E, 0x7CCBF5},       {Colour::equal, 0x17713A, 0x63D68E},
    {Colour::equal_tile, 0xE2F2E7, 0x18352A},   {Colour::different, 0xB0107A, 0xF57DC2},
    {Colour::on_different, 0xFFFFFF, 0x14171B}, {Colour::focus, 0x1662D2, 0x7FB5FF},
    {Colour::on_ink, 0xFFFFFF, 0x14171B},       {Colour::band, 0xE9E7E0, 0x2A3037},
    {Colour::hatch, 0xC4C2BB, 0x464E57},        {Colour::hatch_background, 0xF1F0EB, 0x1F242A},
    {Colour::black, 0x000000, 0x000000},        {Colour::white, 0xFFFFFF, 0xFFFFFF},
    {Colour::veil, 0x1B2026, 0x000000},
}};

constexpr bool in_enum_order() {
  for (std::size_t i = 0; i < kTokens.size(); ++i)
    if (kTokens[i].colour != static_cast<Colour>(i)) return false;
  return true;
}
static_assert(in_enum_order(), "one row per Colour, in the order of the enum");

}  // namespace

gfx::Rgb colour_of(Colour colour, gfx::Theme theme) {
  const Row& row = kTokens[static_cast<std::size_t>(colour)];
  const std::uint32_t rgb = theme == gfx::Theme::light ? row.light : row.dark;
  return {static_cast<std::uint8_t>(rgb >> 16), static_cast<std::uint8_t>(rgb >> 8),
          static_cast<std::uint8_t>(rgb)};
}

}  // namespace attn::ui
