// Draws every cell of a matrix. Twin of gfx/colour_map.cpp: ramp() is ramp_colour().
// A texel is (ramp position, state, ramp position before, state before); states as gfx::CellState.
uniform highp sampler2D cells;
uniform int first_cell;   // texel of cell (0, 0); cell (i, j) is first_cell + i * columns + j
uniform ivec2 size;       // columns, rows
uniform vec2 cell;        // pitch, UI pixels
uniform float gap;
uniform float radius;
uniform float pixel;      // one device pixel in UI pixels
uniform float blend;      // 0: the cells before, 1: the cells now
uniform float opacity;
uniform vec3 stops[7];
uniform vec3 hatch_background;
uniform vec3 hatch_line;
uniform vec3 outline;     // not yet generated
uniform vec3 alarm;       // NaN, leak

in vec2 from_origin;
out vec4 colour;

const int kMasked = 1;
const int kNotYet = 2;
const int kNan = 3;
const int kLeak = 4;
const int kNone = 5;

vec3 ramp(float position) {
  float along = position * 6.0;
  int index = min(int(along), 5);
  return mix(stops[index], stops[index + 1], along - float(index));
}

// How much of this device pixel lies inside a shape whose edge is `distance` UI pixels away (negative: inside).
float coverage(float distance) { return clamp(0.5 - distance / pixel, 0.0, 1.0); }

float rounded_box(vec2 p, vec2 half_size, float r) {
  vec2 q = abs(p) - half_size + r;
  return length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - r;
}

// Lines at 45 degrees, 1 px wide, clipped one pixel inside the cell.
float hatch(vec2 p, vec2 half_size, float edge) {
  float side = 2.0 * half_size.x;
  if (min(side, 2.0 * half_size.y) < 6.0) return 0.35;  // too small for lines: their average
  float pitch = max(4.0, min(7.0, side / 5.0)) * 0.70710678;
  vec2 local = p + half_size - 1.0;
  float along = (local.x + local.y) * 0.70710678;
  float offset = abs(along - pitch * floor(along / pitch + 0.5));
  return coverage(offset - 0.5) * coverage(edge + 1.0);
}

// A 1 px outline inside the edge, 2 px drawn and 3 px not.
float dashes(vec2 p, vec2 half_size, float edge) {
  vec2 inside = half_size - abs(p);
  float along = inside.x < inside.y ? p.y + half_size.y : p.x + half_size.x;
  float dash = abs(mod(along, 5.0) - 1.5);
  return coverage(abs(edge + 0.5) - 0.5) * coverage(dash - 1.0);
}

// From the lower left to the upper right corner, for cells too small for a sign.
float slash(vec2 p, vec2 half_size) {
  if (min(half_size.x, half_size.y) > 10.0) return 0.0;
  vec2 end = max(half_size - 3.0, half_size * 0.5) * vec2(1.0, -1.0);
  float along = clamp(dot(p, end) / dot(end, end), -1.0, 1.0);
  return coverage(length(p - end * along) - 0.5);
}

// Premultiplied colour of a cell in one state.
vec4 paint(float position, int state, vec2 p, vec2 half_size, float edge, float fill) {
  if (state == kNone) return vec4(0.0);
  if (state == kNotYet) return vec4(outline, 1.0) * dashes(p, half_size, edge);
  if (state == kMasked) return vec4(mix(hatch_background, hatch_line, hatch(p, half_size, edge)), 1.0) * fill;
  bool tiny = min(half_size.x, half_size.y) < 3.0;
  if (state == kNan) {
    if (tiny) return vec4(alarm, 1.0) * fill;
    return vec4(alarm, 1.0) * max(coverage(abs(edge + 0.5) - 0.5), slash(p, half_size));
  }
  vec3 heat = ramp(position);
  if (state == kLeak) heat = mix(heat, alarm, tiny ? 0.5 : 1.0 - coverage(edge + 1.5));
  return vec4(heat, 1.0) * fill;
}

void main() {
  vec2 shifted = from_origin + 0.5 * gap;
  ivec2 at = clamp(ivec2(floor(shifted / cell)), ivec2(0), size - 1);
  vec2 half_size = 0.5 * (cell - gap);
  vec2 p = from_origin - vec2(at) * cell - half_size;
  float edge = rounded_box(p, half_size, min(radius, min(half_size.x, half_size.y)));
  // Cells that touch must not fade at their common edge.
  float fill = gap > 0.0 || radius > 0.0 ? coverage(edge) : 1.0;
  int texel = first_cell + at.y * size.x + at.x;
  vec4 content = texelFetch(cells, ivec2(texel & 1023, texel >> 10), 0);
  vec4 now = paint(content.x, int(content.y), p, half_size, edge, fill);
  vec4 before = paint(content.z, int(content.w), p, half_size, edge, fill);
  colour = mix(before, now, blend) * opacity;
}
