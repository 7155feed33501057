# shellcheck shell=bash
# Shared by the commands in this folder; source it from the root of the repository.

# A line that says what a long step does.
say() { printf '\n== %s\n' "$*"; }

# Prints the path of a Chromium-like browser: $ATTN_CHROMIUM, or the first one installed.
find_chromium() {
  local name
  for name in ${ATTN_CHROMIUM:-} chromium chromium-browser google-chrome google-chrome-stable; do
    command -v "$name" && return 0
  done
  return 1
}

# Compilers that run at once.
jobs=${ATTN_JOBS:-$(getconf _NPROCESSORS_ONLN 2> /dev/null || echo 2)}

# configure_and_build <preset> [target...]: configures quietly unless that fails. `configure_options` are for CMake.
configure_options=()
configure_and_build() {
  local preset=$1
  shift
  mkdir -p build
  local log=build/$preset-configure.log
  cmake --preset "$preset" "${configure_options[@]}" > "$log" 2>&1 || { cat "$log"; return 1; }
  cmake --build "build/$preset" --parallel "$jobs" ${1:+--target "$@"}
}
