# Flags for every file of ours, native and wasm. Third-party headers come in as SYSTEM and are not held to them.
#
# -ffp-contract=off and the absence of any fast-math flag are part of the contract that every build gives the same bits.

add_library(attn_flags INTERFACE)
target_compile_features(attn_flags INTERFACE cxx_std_20)
target_compile_options(attn_flags INTERFACE
  -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=  # a failed check names src/…, wherever the repository lies
  -ffp-contract=off -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # These warnings of g++ depend on what its optimiser happens to see, and are wrong about std::string (GCC bug 105329),
  # std::variant and <regex>. clang++ compiles the same files, and the sanitizers run them.
  target_compile_options(attn_flags INTERFACE
    -Wno-restrict -Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

if(EMSCRIPTEN)
  add_compile_options(-msimd128)
endif()

if(ATTN_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

# attn_our_code(<target>): the flags of the engine, the UI and the application. On the web the application is built for
# size; attn_library() builds the folders that hold the arithmetic for speed.
function(attn_our_code target)
  target_link_libraries(${target} PRIVATE attn_flags)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_options(${target} PRIVATE -fno-exceptions -fno-rtti)
  if(EMSCRIPTEN)
    set(level -Oz)
    if(target MATCHES "^attn_kernels$")
      set(level -O3)
    endif()
    target_compile_options(${target} PRIVATE ${level} $<$<BOOL:${ATTN_LTO}>:-flto>)
  endif()
endfunction()
