#include "gfx/heatmap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "gfx/cell_texels.h"
#include "gfx/gl.h"
#include "gfx/shader_program.h"
#include "gfx/shaders_generated.h"

namespace attn::gfx {
namespace {

constexpr int kTextureWidth = 1024;  // shaders/heatmap.frag.glsl splits a texel's number at bit 10

struct SignColours {
  std::uint32_t hatch_background, hatch_line, outline, alarm;
};
constexpr SignColours kLightSigns{0xF1F0EB, 0xC4C2BB, 0xE0DED8, 0xB0107A};
constexpr SignColours kDarkSigns{0x1F242A, 0x464E57, 0x2E343B, 0xF57DC2};

struct Map {
  CellGrid grid;
  int first_texel = 0;
  float x = 0.0f, y = 0.0f;
  Ramp ramp = Ramp::signed_values;
  Theme theme = Theme::light;
  float opacity = 1.0f;
  float blend = 1.0f;
};

struct Uniforms {
  GLint target_size, map_rect, margin, first_cell, size, cell, gap, radius, pixel, blend, opacity, stops,
      hatch_background, hatch_line, outline, alarm;
};

Uniforms find_uniforms(GLuint program) {
  const auto at = [program](const char* name) { return glGetUniformLocation(program, name); };
  return {at("target_size"), at("map_rect"), at("margin"),           at("first_cell"), at("size"),
          at("cell"),        at("gap"),      at("radius"),           at("pixel"),      at("blend"),
          at("opacity"),     at("stops"),    at("hatch_background"), at("hatch_line"), at("outline"),
          at("alarm")};
}

void set_colour(GLint uniform, std::uint32_t hex) {
  glUniform3f(uniform, static_cast<float>((hex >> 16) & 255u) / 255.0f,
              static_cast<float>((hex >> 8) & 255u) / 255.0f, static_cast<float>(hex & 255u) / 255.0f);
}

}  // namespace

struct Renderer::Implementation {
  GLuint program = 0;
  GLuint vertex_array = 0;
  GLuint texture = 0;
  int texture_rows = 0;
  Uniforms uniforms{};
  FrameTarget target;
  std::vector<Map> maps;
  std::vector<CellTexel> texels;
  bool uploaded = false;

  void upload();
  void set_uniforms(const Map& map) const;
  void set_scissor(const ClipRect& clip) const;
};

core::Result<std::unique_ptr<Renderer>> Renderer::create() {
  const core::Result<unsigned> program = link_program(kHeatmapVertGlsl, kHeatmapFragGlsl);
  if (!program.ok()) return core::Error{program.error()};
  auto implementation = std::make_unique<Implementation>();
  implementation->program = program.value();
  implementation->uniforms = find_uniforms(program.value());
  glGenVertexArrays(1, &implementation->vertex_array);
  glGenTextures(1, &implementation->texture);
  return std::unique_ptr<Renderer>(new Renderer(std::move(implementation)));
}

Renderer::Renderer(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}

Renderer::~Renderer() {
  glDeleteTextures(1, &implementation_->texture);
  glDeleteVertexArrays(1, &implementation_->vertex_array);
  glDeleteProgram(implementation_->program);
}

void Renderer::begin_frame(const FrameTarget& target) {
  implementation_->target = target;
  implementation_->maps.clear();
  implementation_->texels.clear();
  implementation_->uploaded = false;
}

float Renderer::pixel_ratio() const { return implementation_->target.pixel_ratio; }

int Renderer::add(const HeatmapCells& heatmap) {
  Map map;
  map.first_texel = static_cast<int>(implementation_->texels.size());
  map.grid = append_texels(heatmap, implementation_->target.pixel_ratio, implementation_->texels);
  map.x = heatmap.x;
  map.y = heatmap.y;
  map.ramp = heatmap.ramp;
  map.theme = heatmap.theme;
  map.opacity = std::clamp(heatmap.opacity, 0.0f, 1.0f);
  map.blend = heatmap.from.values != nullptr ? std::clamp(heatmap.blend, 0.0f, 1.0f) : 1.0f;
  implementation_->maps.push_back(map);
  return static_cast<int>(implementation_->maps.size()) - 1;
}

/// One texture holds the cells of all maps of a frame; it grows and never shrinks.
void Renderer::Implementation::upload() {
  const int rows = (static_cast<int>(texels.size()) + kTextureWidth - 1) / kTextureWidth;
  texels.resize(static_cast<std::size_t>(rows) * kTextureWidth);
  if (rows > texture_rows) {
    texture_rows = rows;
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, kTextureWidth, rows, 0, GL_RGBA, GL_FLOAT, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  }
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kTextureWidth, rows, GL_RGBA, GL_FLOAT, texels.data());
  uploaded = true;
}

void Renderer::Implementation::set_uniforms(const Map& map) const {
  const CellGrid& grid = map.grid;
  const SignColours& signs = map.theme == Theme::dark ? kDarkSigns : kLightSigns;
  const float pixel = 1.0f / target.pixel_ratio;
  // Without a gap the rectangle ends where the cells do.
  const float margin = grid.shape.gap > 0.0f ? 0.5f * grid.shape.gap : 0.0f;
  glUniform2f(uniforms.target_size, target.width, target.height);
  glUniform4f(uniforms.map_rect, map.x, map.y, static_cast<float>(grid.columns) * grid.cell_width,
              static_cast<float>(grid.rows) * grid.cell_height);
  glUniform1f(uniforms.margin, margin);
  glUniform1i(uniforms.first_cell, map.first_texel);
  glUniform2i(uniforms.size, grid.columns, grid.rows);
  glUniform2f(uniforms.cell, grid.cell_width, grid.cell_height);
  glUniform1f(uniforms.gap, grid.shape.gap);
  glUniform1f(uniforms.radius, grid.shape.corner_radius);
  glUniform1f(uniforms.pixel, pixel);
  glUniform1f(uniforms.blend, map.blend);
  glUniform1f(uniforms.opacity, map.opacity);
  std::array<float, 3 * kRampStops> stops{};
  std::size_t next = 0;
  for (const Rgb& stop : ramp_stops(map.ramp, map.theme)) {
    for (const std::uint8_t byte : {stop.r, stop.g, stop.b})
      stops[next++] = static_cast<float>(byte) / 255.0f;
  }
  glUniform3fv(uniforms.stops, kRampStops, stops.data());
  set_colour(uniforms.hatch_background, signs.hatch_background);
  set_colour(uniforms.hatch_line, signs.hatch_line);
  set_colour(uniforms.outline, signs.outline);
  set_colour(uniforms.alarm, signs.alarm);
}

void Renderer::Implementation::set_scissor(const ClipRect& clip) const {
  const float ratio = target.pixel_ratio;
  const int left = static_cast<int>(std::floor(std::max(clip.left, 0.0f) * ratio));
  const int right = static_cast<int>(std::ceil(std::min(clip.right, target.width) * ratio));
  const int bottom =
      static_cast<int>(std::floor((target.height - std::min(clip.bottom, target.height)) * ratio));
  const int top = static_cast<int>(std::ceil((target.height - std::max(clip.top, 0.0f)) * ratio));
  glScissor(left, bottom, std::max(right - left, 0), std::max(top - bottom, 0));
}

void Renderer::draw(int map_index, const ClipRect& clip) {
  ATTN_CHECK(map_index >= 0 && map_index < static_cast<int>(implementation_->maps.size()));
  const Map& map = implementation_->maps[static_cast<std::size_t>(map_index)];
  if (map.grid.rows == 0) return;
  glUseProgram(implementation_->program);
  glBindVertexArray(implementation_->vertex_array);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, implementation_->texture);
  if (!implementation_->uploaded) implementation_->upload();
  implementation_->set_uniforms(map);
  implementation_->set_scissor(clip);
  glEnable(GL_SCISSOR_TEST);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);  // the shader's colours are premultiplied
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

}  // namespace attn::gfx
