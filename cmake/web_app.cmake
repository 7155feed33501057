# attn_web_app(<target>): links the application as an ES module for the page, with the C interface of src/api exported.
#
# The flags hold for Emscripten 3.1.6 up to current releases. Closed under -sDYNAMIC_EXECUTION=0, so the page needs no
# 'unsafe-eval'. Canvas lookups go through specialHTMLTargets, never through selector strings.
function(attn_web_app target)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME playground)
  target_link_options(${target} PRIVATE
    --profiling-funcs -Wl,-O0  # names and unmerged texts for split_lessons.mjs
    -Oz $<$<BOOL:${ATTN_LTO}>:-flto> -fno-exceptions
    -sMODULARIZE=1 -sEXPORT_ES6=1 -sENVIRONMENT=web,worker -sDYNAMIC_EXECUTION=0
    -sUSE_GLFW=3 -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2
    -sALLOW_MEMORY_GROWTH=1 -sMALLOC=emmalloc -sTOTAL_STACK=1MB -sFILESYSTEM=0
    -sDISABLE_DEPRECATED_FIND_EVENT_TARGET_BEHAVIOR=1
    -sEXPORTED_FUNCTIONS=_main,_malloc,_free
    -sEXPORTED_RUNTIME_METHODS=HEAPF32,HEAPU8,HEAP32,UTF8ToString,stringToUTF8
    -sINCOMING_MODULE_JS_API=canvas,wasmBinary,locateFile,print,printErr,onAbort,noInitialRun,instantiateWasm,onRuntimeInitialized,arguments)

  # The page: build/web/site.
  find_program(ATTN_ESBUILD esbuild NO_CMAKE_FIND_ROOT_PATH DOC "Minifies the scripts of the page; they are copied as they are without it")
  mark_as_advanced(ATTN_ESBUILD)
  file(GLOB_RECURSE page_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/* ${PROJECT_SOURCE_DIR}/models/*.safetensors)
  find_program(ATTN_WASM_DIS wasm-dis HINTS ${EMSCRIPTEN_ROOT}/../bin NO_CMAKE_FIND_ROOT_PATH REQUIRED
    DOC "Binaryen's disassembler; wasm-as and wasm-opt are beside it")
  mark_as_advanced(ATTN_WASM_DIS)
  get_filename_component(binaryen ${ATTN_WASM_DIS} DIRECTORY)
  set(program ${PROJECT_BINARY_DIR}/program)
  set(splitter ${PROJECT_SOURCE_DIR}/cmake/split_lessons.mjs)
  add_custom_command(OUTPUT ${program}/playground.js
    COMMAND node ${splitter} $<TARGET_FILE:${target}> ${program} ${binaryen}
    DEPENDS ${target} ${splitter} COMMENT "Giving each lesson a file of its own" VERBATIM)
  add_custom_target(site ALL
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DPROGRAM=${program}
      $<$<BOOL:${ATTN_ESBUILD}>:-DESBUILD=${ATTN_ESBUILD}>
      -DOUTPUT=${PROJECT_BINARY_DIR}/site -P ${PROJECT_SOURCE_DIR}/cmake/assemble_site.cmake
    DEPENDS ${target} ${program}/playground.js ${page_files} ${PROJECT_SOURCE_DIR}/index.html
      ${PROJECT_SOURCE_DIR}/cmake/assemble_site.cmake
    COMMENT "Assembling build/web/site" VERBATIM)
endfunction()
