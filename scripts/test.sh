# SPDX-License-Identifier: LGPL-2.1-or-later
# Every test, as people get the plugin and again under the sanitizers. Suites that the sanitizers
# leave out: `tools` (starts GStreamer's own programs, which are not instrumented) and `parity`
# (compares tables with Python libraries; minutes under a sanitizer, and nothing new). Under
# ThreadSanitizer only what has threads is tried.

. scripts/format.sh
. scripts/media.sh
. scripts/newer_gstreamer.sh
mode=${1:-}
case "$mode" in "" | --quick | --full) ;; *) die "test: no such option: $mode" ;; esac

passed=0 failed=0 skipped=0
failures=()

count() { # count RESULT NAME: books one check
  if [ "$1" = 0 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    failures+=("$2")
  fi
}

# suite TITLE FOLDER [MESON TEST OPTIONS]: builds what the tests need, runs them and books every case.
suite() {
  local title=$1 dir=$2 status=0 p f s names
  shift 2
  rm -f "$dir"/meson-logs/testlog.*
  use_plugin "$dir"
  try "$title" meson test -C "$dir" --num-processes "$jobs" --print-errorlogs "$@" ||
    status=$?
  read -r p f s names < <("$python" scripts/count_tests.py "$dir/meson-logs/testlog.junit.xml") ||
    true
  passed=$((passed + ${p:-0})) failed=$((failed + ${f:-0})) skipped=$((skipped + ${s:-0}))
  say "  $title: ${p:-0} passed, ${f:-0} failed, ${s:-0} skipped"
  [ "${p:-0}" != 0 ] || status=1
  [ "$status" != 0 ] || return 0
  [ "${f:-0}" != 0 ] || failed=$((failed + 1))
  failures+=("$title: ${names:-no test ran}; again: meson test -C $dir $*")
  tail -n 150 "$log"
}

plain() {
  need "${build_packages[@]}" "${test_packages[@]}" git
  compile build -Dtests=true -Dbench=true -Dwerror=true
  suite "Tests" build --timeout-multiplier 2
}

# Half of the time goes to compiling: less optimised and with line numbers alone it takes a quarter.
sanitized=(-Dtests=true -Dbench=false -Dwerror=true -Doptimization=g -Ddebug=false -Dcpp_args=-g1
  -Dcuda=disabled -Db_lundef=false)

address() {
  configure build-asan "${sanitized[@]}" -Db_sanitize=address,undefined
  # A plugin that is unloaded takes the names out of a leak's report; the scanner cannot load an
  # instrumented plugin, so each test scans for itself.
  export GST_REGISTRY_FORK=no
  # GLib has no frame pointers: without the slow unwinder a leak does not say where it comes from.
  export ASAN_OPTIONS=detect_leaks=1:fast_unwind_on_malloc=0
  ASAN_OPTIONS+=:strict_string_checks=1:check_initialization_order=1
  export LSAN_OPTIONS=suppressions=$PWD/tests/lsan.supp:print_suppressions=0
  export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
  suite "Tests under ASan and UBSan" build-asan --timeout-multiplier 8 \
    --no-suite tools --no-suite parity
}

thread() {
  configure build-tsan "${sanitized[@]}" -Db_sanitize=thread
  export GST_REGISTRY_FORK=no
  # GLib and GStreamer are not instrumented; the sanitizer does not see their locks.
  export TSAN_OPTIONS=ignore_noninstrumented_modules=1:second_deadlock_stack=1
  suite "Tests under TSan" build-tsan --timeout-multiplier 15 --suite threads
}

decode_clip() {
  gst-launch-1.0 -q filesrc "location=$clip" ! decodebin ! videoconvert ! \
    video/x-raw,format=I420,width=1280,height=720 ! filesink "location=$1.part" &&
    mv "$1.part" "$1"
}

# What the tests of the suite `whole` sample otherwise: every frame and profile beside mosaicraft's,
# a real clip, every fault. In one go, as the first keeps but one core busy.
whole() {
  local raw=$media/bigbuckbunny-1280x720.i420
  fetch_media || die "the clip to test with cannot be fetched: $(reason "$log")"
  [ -f "$raw" ] || step "Decoding the clip" decode_clip "$raw"
  MOSAIC_WHOLE_GATE=1 MOSAIC_CLIP=$raw MOSAIC_PHOTOS=$photos MOSAIC_FAULT_EVERY=1 suite \
    "Every frame and profile, whole clips, every fault" build --timeout-multiplier 10 --suite whole
}

# The last, because it changes which GStreamer everything finds.
newer() {
  if [ ! -f "$newer_archive" ]; then
    say "GStreamer 1.28: no $newer_archive, so no tests with it"
    return
  fi
  use_newer_gstreamer
  configure build-1.28 -Dtests=true -Dbench=false -Dwerror=true
  # As every frame makes the calls that others make, one in seven meets most of them.
  if [ "$mode" = --full ]; then export MOSAIC_FAULT_EVERY=7; fi
  suite "Tests with GStreamer 1.28" build-1.28 --timeout-multiplier 8 \
    --suite element --suite emulated-gpu
}

plain
if [ "$mode" != --quick ]; then
  need clang-format-14
  if check_format; then count 0 format; else count 1 "formatting; to mend it: ./run format"; fi
  address
  thread
fi
if [ "$mode" = --full ]; then
  for level in v2 v3; do
    MOSAICTEMPORAL_SIMD=$level suite "Tests on x86-64-$level" build --timeout-multiplier 4 \
      --suite core
  done
  whole
fi
[ "$mode" = --quick ] || newer
for failure in "${failures[@]}"; do say "failed: $failure"; done
say "$passed passed, $failed failed"
[ "$failed" = 0 ]
