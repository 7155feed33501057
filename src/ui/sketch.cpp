#include "ui/sketch.h"

#include <algorithm>
#include <cmath>

namespace attn::ui {

float baseline_at(float centre_y, float size) { return centre_y + 0.355f * size; }

std::size_t sequence_length(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  return length < text.size() - at ? length : text.size() - at;
}

float Sketch::text(float x, float baseline, std::string_view text, const TextStyle& style) {
  const float advance = width(text, style);
  if (!text.empty())
    add(TextItem{.origin = {x, baseline},
                 .text = std::string(text),
                 .font = style.font,
                 .size = style.size,
                 .colour = style.colour,
                 .width = advance,
                 .opacity = style.opacity,
                 .tag = style.tag});
  return x + advance;
}

float Sketch::text_right(float right, float baseline, std::string_view text, const TextStyle& style) {
  const float x = right - width(text, style);
  this->text(x, baseline, text, style);
  return x;
}

void Sketch::text_centred(float centre_x, float baseline, std::string_view text, const TextStyle& style) {
  this->text(centre_x - width(text, style) / 2.0f, baseline, text, style);
}

void Sketch::text_in(const Rect& rect, std::string_view text, const TextStyle& style) {
  text_centred(rect.centre().x, baseline_at(rect.centre().y, style.size), text, style);
}

float Sketch::runs(float x, float baseline, std::span<const Piece> line, float size) {
  for (const Piece& run : line)
    x = text(x, baseline, run.text, {.font = run.font, .size = size, .colour = run.colour});
  return x;
}

float Sketch::runs_width(std::span<const Piece> line, float size) const {
  float total = 0.0f;
  for (const Piece& run : line) total += measure.width(run.text, run.font, size);
  return total;
}

std::string Sketch::fitted(std::string_view text, float room, const TextStyle& style) const {
  if (width(text, style) <= room) return std::string(text);
  std::string kept;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_length(text, at);
    std::string longer = kept + std::string(text.substr(at, length));
    if (width(longer + "…", style) > room) break;
    kept = std::move(longer);
    at += length;
  }
  while (!kept.empty() && kept.back() == ' ') kept.pop_back();
  return kept.empty() ? kept : kept + "…";
}

std::string Sketch::first_fitting(std::span<const std::string> wordings, float room,
                                  const TextStyle& style) const {
  for (const std::string& wording : wordings)
    if (width(wording, style) <= room) return wording;
  return wordings.empty() ? std::string() : fitted(wordings.back(), room, style);
}

float Sketch::size_that_fits(std::string_view text, float room, const TextStyle& style,
                             float smallest) const {
  const float wide = width(text, style);
  if (wide <= room) return style.size;
  TextStyle smaller = style;  // a face's width is not exactly in proportion to its size
  smaller.size = std::max(smallest, std::floor(style.size * room / wide));
  while (smaller.size > smallest && width(text, smaller) > room)
    smaller.size = std::max(smallest, smaller.size - 1.0f);
  return smaller.size;
}

Region& Sketch::region(Region region) {
  region.layer = scene.layer;
  if (region.visual.empty()) region.visual = region.rect;
  return scene.regions.emplace_back(std::move(region));
}

}  // namespace attn::ui
