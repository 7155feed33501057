# attn_library(<folder> [LINKS <folder>...] [EXTERNAL <target>...])
#
# Makes attn_<folder> from src/<folder>/**/*.cpp. LINKS names the folders of src/ that it may include, EXTERNAL the
# third-party targets it uses itself. platform/ and ui/ have native/ and web/, of which one is built. A folder without a .cpp
# becomes an INTERFACE library, so that a header-only folder needs no special case.
function(attn_library folder)
  cmake_parse_arguments(ARG "" "" "LINKS;EXTERNAL" ${ARGN})
  set(target attn_${folder})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/*.cpp)
  if(EMSCRIPTEN)
    list(FILTER sources EXCLUDE REGEX "/src/(platform|ui)/native/")
  else()
    list(FILTER sources EXCLUDE REGEX "/src/(platform|ui)/web/")
  endif()
  list(TRANSFORM ARG_LINKS PREPEND attn_)

  if(sources)
    add_library(${target} STATIC ${sources})
    attn_our_code(${target})
    target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${target} PUBLIC ${ARG_LINKS} PRIVATE ${ARG_EXTERNAL})
  else()
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${target} INTERFACE ${ARG_LINKS})
  endif()
endfunction()
