// The OpenGL that gfx/ and platform/ use: what OpenGL 3.3 core, OpenGL ES 3.0 and WebGL 2 have in common.
// Natively the functions are linked, not looked up.
#pragma once

#if defined(__EMSCRIPTEN__)
#include <GLES3/gl3.h>
#elif defined(__APPLE__)
#include <OpenGL/gl3.h>
#else
#ifndef GL_GLEXT_PROTOTYPES
#define GL_GLEXT_PROTOTYPES
#endif
#include <GL/glcorearb.h>
#endif
