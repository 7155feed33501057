# Finds Emscripten and hands over to its own CMake toolchain, so that plain `cmake --preset web` works.
# Looked up in this order: EMSCRIPTEN_ROOT (variable or environment), em-config in PATH, Debian's folder.
if(NOT EMSCRIPTEN_ROOT)
  set(EMSCRIPTEN_ROOT "$ENV{EMSCRIPTEN_ROOT}")
endif()
if(NOT EMSCRIPTEN_ROOT)
  find_program(ATTN_EM_CONFIG em-config)
  if(ATTN_EM_CONFIG)
    execute_process(COMMAND ${ATTN_EM_CONFIG} EMSCRIPTEN_ROOT
      OUTPUT_VARIABLE EMSCRIPTEN_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
endif()
if(NOT EXISTS "${EMSCRIPTEN_ROOT}/cmake/Modules/Platform/Emscripten.cmake")
  set(EMSCRIPTEN_ROOT /usr/share/emscripten)
endif()
if(NOT EXISTS "${EMSCRIPTEN_ROOT}/cmake/Modules/Platform/Emscripten.cmake")
  message(FATAL_ERROR "Emscripten is missing: run scripts/setup, or set EMSCRIPTEN_ROOT to its folder")
endif()
include("${EMSCRIPTEN_ROOT}/cmake/Modules/Platform/Emscripten.cmake")

# Emscripten's optimiser needs the Node module acorn. Debian keeps it where only Debian's own Node looks.
if(EXISTS /usr/share/nodejs/acorn)
  set(CMAKE_CXX_LINKER_LAUNCHER ${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs)
endif()
