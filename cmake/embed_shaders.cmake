# attn_embed_shaders(<target>): shaders/*.glsl become string constants in the generated header "gfx/shaders_generated.h",
# visible to <target>. shaders/heat_map.frag.glsl is attn::gfx::kHeatMapFragGlsl. Run as a script it writes the header.
if(CMAKE_SCRIPT_MODE_FILE)
  set(text "// Generated from shaders/*.glsl by cmake/embed_shaders.cmake.\n#pragma once\n\nnamespace attn::gfx {\n")
  foreach(shader IN LISTS SHADERS)
    get_filename_component(file_name ${shader} NAME)
    string(REGEX REPLACE "[._]" ";" words ${file_name})
    set(name k)
    foreach(word IN LISTS words)
      string(SUBSTRING ${word} 0 1 initial)
      string(SUBSTRING ${word} 1 -1 rest)
      string(TOUPPER ${initial} initial)
      string(APPEND name ${initial}${rest})
    endforeach()
    file(READ ${shader} body)
    string(REGEX REPLACE " *//[^\n]*" "" body "${body}")  # an empty line stays, so errors name the right one
    string(APPEND text "\ninline constexpr char ${name}[] = R\"glsl(${body})glsl\";\n")
  endforeach()
  string(APPEND text "\n}  // namespace attn::gfx\n")
  file(WRITE ${OUTPUT} "${text}")
  return()
endif()

set(ATTN_EMBED_SHADERS_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(attn_embed_shaders target)
  file(GLOB shaders CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/shaders/*.glsl)
  get_target_property(kind ${target} TYPE)
  if(NOT shaders OR kind STREQUAL "INTERFACE_LIBRARY")
    return()
  endif()
  set(header ${PROJECT_BINARY_DIR}/generated/gfx/shaders_generated.h)
  add_custom_command(OUTPUT ${header}
    COMMAND ${CMAKE_COMMAND} "-DSHADERS=${shaders}" -DOUTPUT=${header} -P ${ATTN_EMBED_SHADERS_SCRIPT}
    DEPENDS ${shaders} ${ATTN_EMBED_SHADERS_SCRIPT}
    COMMENT "Embedding shaders" VERBATIM)
  target_sources(${target} PRIVATE ${header})
  target_include_directories(${target} PRIVATE ${PROJECT_BINARY_DIR}/generated)
endfunction()
