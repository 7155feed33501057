#include "gfx/shader_program.h"

#include "gfx/gl.h"

namespace attn::gfx {
namespace {

#ifdef __EMSCRIPTEN__
constexpr char kPreamble[] = "#version 300 es\nprecision highp float;\nprecision highp int;\n#line 1\n";
#else
constexpr char kPreamble[] = "#version 330 core\n#line 1\n";
#endif

core::Result<unsigned> compile(GLenum kind, const char* text) {
  const GLuint shader = glCreateShader(kind);
  const char* parts[] = {kPreamble, text};
  glShaderSource(shader, 2, parts, nullptr);
  glCompileShader(shader);
  GLint compiled = GL_FALSE;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
  if (compiled == GL_TRUE) return shader;
  char log[600] = "";
  glGetShaderInfoLog(shader, sizeof log, nullptr, log);
  glDeleteShader(shader);
  return core::error_at("%s shader: %s", kind == GL_VERTEX_SHADER ? "vertex" : "fragment", log);
}

}  // namespace

core::Result<unsigned> link_program(const char* vertex_text, const char* fragment_text) {
  const core::Result<unsigned> vertex = compile(GL_VERTEX_SHADER, vertex_text);
  if (!vertex.ok()) return vertex;
  const core::Result<unsigned> fragment = compile(GL_FRAGMENT_SHADER, fragment_text);
  if (!fragment.ok()) {
    glDeleteShader(vertex.value());
    return fragment;
  }
  const GLuint program = glCreateProgram();
  glAttachShader(program, vertex.value());
  glAttachShader(program, fragment.value());
  glLinkProgram(program);
  glDeleteShader(vertex.value());
  glDeleteShader(fragment.value());
  GLint linked = GL_FALSE;
  glGetProgramiv(program, GL_LINK_STATUS, &linked);
  if (linked == GL_TRUE) return program;
  char log[600] = "";
  glGetProgramInfoLog(program, sizeof log, nullptr, log);
  glDeleteProgram(program);
  return core::error_at("shader program: %s", log);
}

}  // namespace attn::gfx
