# SPDX-License-Identifier: LGPL-2.1-or-later
# `./run fuzz [MINUTES] [TARGET]`: libFuzzer on code that reads untrusted input, MINUTES for each target
# (60 by default). `./run test` uses the functions of this file.

. scripts/fuzz/libraries.sh
fuzz_targets=(photo toml yaml pool_cache pack stream frames)
fuzz_seeds=tests/fuzz/corpus
# Inputs that reached new code are kept between runs; the seeds are in the repository.
fuzz_corpora=$cache/fuzz/corpus
fuzz_findings=out/fuzz
fuzz_table=()
fuzz_seed=0 # of the random inputs; 0: another one each time

build_fuzzers() {
  local compiler=clang++-14
  ! command -v ccache >/dev/null || compiler="ccache $compiler"
  # GCC's sanitizers have no fuzzer. Kernels for the lowest level only: all have the same source.
  # Clang's precompiled headers name the folder they were made in: ccache must not share them.
  CXX=$compiler CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros \
    configure build-fuzz -Dfuzz=true -Dtests=false -Ddebug=false -Doptimization=1 -Dcpp_args=-g1 \
    -Dcuda=disabled -Dsimd=v2 -Db_sanitize=address,undefined -Db_lundef=false -Db_pch=false
  step "Building the fuzzers" ninja -C build-fuzz -j "$jobs" fuzz
}

# fuzz_options TARGET: the longest input, and words to make inputs of.
fuzz_options() {
  case "$1" in
    photo) echo -max_len=4096 -dict=tests/fuzz/photo.dict ;;
    pool_cache) echo -max_len=8192 ;;
    pack) echo -max_len=40000 ;;
    stream) echo -max_len=4096 ;;
    frames) echo -max_len=512 ;;
    toml | yaml) echo -max_len=4096 -dict=tests/fuzz/settings.dict ;;
  esac
}

# run_fuzzer TARGET SECONDS FOLDER: FOLDER is for temporary files.
#
# The detection of leaks is off: GLib is built without frame pointers, so that what it keeps on purpose
# could not be told from leaks. The tests under AddressSanitizer look for leaks. The quarantine of
# freed memory, which finds its use, is 64 MB instead of 256, so that it does not fill the limit.
run_fuzzer() {
  local target=$1 seconds=$2 options
  read -ra options <<<"$(fuzz_options "$target")"
  export TMPDIR=$3 GST_REGISTRY=$3/registry.bin ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=64
  export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
  [ "$target" != photo ] || [ ! -f "$fuzz_libraries/complete" ] || use_fuzz_libraries
  exec "build-fuzz/tests/fuzz/${target}_fuzz" -fork="$jobs" -ignore_crashes=0 -ignore_timeouts=0 \
    -ignore_ooms=0 -timeout=5 -rss_limit_mb=512 -malloc_limit_mb=64 "${options[@]}" \
    -max_total_time="$seconds" -seed="$fuzz_seed" -artifact_prefix="$fuzz_findings/$target/" \
    "$fuzz_corpora/$target" "$fuzz_seeds/$target"
}

# fuzz_target TARGET SECONDS: runs one target on all cores, and adds a line to `fuzz_table`. Returns 1
# if something was found.
fuzz_target() {
  local target=$1 seconds=$2 status=0 temporary last runs coverage features inputs
  mkdir -p "$fuzz_corpora/$target" "$fuzz_findings/$target"
  # Files in memory: a target that reads files is twenty times as fast.
  temporary=$([ -w /dev/shm ] && mktemp -d -p /dev/shm || mktemp -d)
  try "Fuzzing $target" run_fuzzer "$target" "$seconds" "$temporary" || status=1
  rm -rf "$temporary"
  # "#4029: cov: 8215 ft: 18466 corp: 280 exec/s ..."
  last=$(grep -aE '^#[0-9]+: cov:' "$log" | tail -n 1 || true)
  read -r runs _ coverage _ features _ inputs _ <<<"${last//[#:]/ }"
  fuzz_table+=("$(printf '%-12s %10d %9d %9d %7d   %s' "$target" "${runs:-0}" "${coverage:-0}" \
    "${features:-0}" "${inputs:-0}" "$([ "$status" = 0 ] && echo none || echo found)")")
  [ "$status" != 0 ] || return 0
  say "  found in $target: $(grep -aE '^SUMMARY:|CRITICAL' "$log" | head -n 1)"
  say "  the input is in $fuzz_findings/$target; to reproduce: build-fuzz/tests/fuzz/${target}_fuzz FILE"
  return 1
}

print_fuzz_table() {
  say "target             runs  coverage  features  corpus   findings"
  printf '%s\n' "${fuzz_table[@]}"
}

if [ "$command" = fuzz ]; then
  [ -z "${2:-}" ] || fuzz_targets=("$2")
  need "${build_packages[@]}" "${fuzz_packages[@]}"
  build_fuzzers
  case "${fuzz_targets[*]}" in
    *photo*)
      need "${fuzz_library_packages[@]}"
      build_fuzz_libraries || true
      ;;
  esac
  failed=0
  for target in "${fuzz_targets[@]}"; do
    fuzz_target "$target" $((${1:-60} * 60)) || failed=1
  done
  print_fuzz_table
  exit "$failed"
fi
