# SPDX-License-Identifier: LGPL-2.1-or-later
# `./run fuzz [MINUTES] [TARGET]`: libFuzzer on code that reads untrusted input. `./run test` uses the
# functions.

fuzz_targets=(photo toml yaml pool_cache frames)
fuzz_seeds=tests/fuzz/corpus
# What was found so far is kept between runs; seeds/ is in the repository.
fuzz_corpora=$cache/fuzz/corpus
fuzz_findings=out/fuzz
fuzz_table=()

build_fuzzers() {
  local compiler=clang++-14
  ! command -v ccache >/dev/null || compiler="ccache $compiler"
  # GCC's sanitizers have no fuzzer. Kernels for the lowest level only: all have the same source.
  CXX=$compiler CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros \
    configure build-fuzz -Dfuzz=true -Dtests=false -Ddebug=false -Doptimization=1 -Dcpp_args=-g1 \
    -Dcuda=disabled -Dsimd=v2 -Db_sanitize=address,undefined -Db_lundef=false
  step "Building the fuzzers" ninja -C build-fuzz -j "$jobs" fuzz
}

# fuzz_limits TARGET: what one input may take. AddressSanitizer keeps 256 MB of freed memory, and half
# of the program's memory is its own. Photos of up to 64 megapixels take 4 bytes a pixel, once more if
# they are rotated, and 3 for the result.
fuzz_limits() {
  case "$1" in
    photo) echo -rss_limit_mb=1536 -malloc_limit_mb=600 -max_len=4096 ;;
    pool_cache) echo -rss_limit_mb=768 -max_len=8192 ;;
    frames) echo -rss_limit_mb=768 -max_len=512 ;;
    *) echo -rss_limit_mb=768 -max_len=4096 ;;
  esac
}

# fuzz_target TARGET SECONDS: runs one target on all cores, and adds a line to `fuzz_table`. Returns 1
# if something was found.
fuzz_target() {
  local target=$1 seconds=$2 status=0 last runs coverage features inputs words=()
  local corpus=$fuzz_corpora/$target found=$fuzz_findings/$target temporary
  mkdir -p "$corpus" "$found"
  temporary=$(mktemp -d)
  [ ! -f "tests/fuzz/$target.dict" ] || words+=("-dict=tests/fuzz/$target.dict")
  # Leaks are looked for by the tests under AddressSanitizer: without frame pointers in GLib, what it
  # keeps on purpose could not be told from them here.
  TMPDIR=$temporary ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 \
    UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 GST_REGISTRY=$cache/fuzz/registry.bin \
    try "Fuzzing $target" "build-fuzz/tests/fuzz/${target}_fuzz" -fork="$jobs" -ignore_crashes=0 \
    -ignore_timeouts=0 -ignore_ooms=0 -timeout=5 $(fuzz_limits "$target") "${words[@]}" \
    -max_total_time="$seconds" -print_final_stats=1 -artifact_prefix="$found/" "$corpus" \
    "$fuzz_seeds/$target" || status=1
  rm -rf "$temporary"
  # "#4029: cov: 8215 ft: 18466 corp: 280 exec/s ..."
  last=$(grep -aE '^#[0-9]+: cov:' "$log" | tail -n 1)
  read -r runs _ coverage _ features _ inputs _ <<<"${last//[#:]/ }"
  fuzz_table+=("$(printf '%-12s %10d %9d %9d %7d   %s' "$target" "${runs:-0}" "${coverage:-0}" \
    "${features:-0}" "${inputs:-0}" "$([ "$status" = 0 ] && echo none || echo found)")")
  [ "$status" != 0 ] || return 0
  say "  found in $target: $(grep -aE '^SUMMARY:|CRITICAL' "$log" | head -n 1)"
  say "  the input is in $found; again: build-fuzz/tests/fuzz/${target}_fuzz $found/FILE"
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
  failed=0
  for target in "${fuzz_targets[@]}"; do
    fuzz_target "$target" $((${1:-60} * 60)) || failed=1
  done
  print_fuzz_table
  exit "$failed"
fi
