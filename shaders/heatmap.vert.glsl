// One rectangle around all cells of a matrix, without vertex data.
uniform vec2 target_size;  // UI pixels
uniform vec4 map_rect;     // x, y, width, height of all cells, UI pixels
uniform float margin;      // UI pixels around it, for half a gap and the edge's antialiasing

out vec2 from_origin;  // UI pixels from the top left corner of cell (0, 0)

void main() {
  vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
  from_origin = corner * (map_rect.zw + 2.0 * margin) - margin;
  vec2 at = (map_rect.xy + from_origin) / target_size;
  gl_Position = vec4(at.x * 2.0 - 1.0, 1.0 - at.y * 2.0, 0.0, 1.0);
}
