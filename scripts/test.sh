# SPDX-License-Identifier: LGPL-2.1-or-later
# `./run test`: every test once, in at most eight minutes. `--sanitize` adds, under sanitizers, the tests
# in which these are most likely to find faults; `--full` adds everything else. `--within MINUTES` runs
# what `--sanitize` does, and then as much of the rest as fits into that time. `--only NAMES` runs only
# some parts of `--full`.

. scripts/test/aarch64.sh
. scripts/format.sh
. scripts/fuzz.sh
. scripts/test/farms.sh
. scripts/lib/media.sh
. scripts/test/fresh_machines.sh
. scripts/test/newer_gstreamer.sh
. scripts/test/parts.sh
. scripts/lib/sanitizers.sh
. scripts/test/workflows.sh
sanitize="" full="" within=""
while [ $# -gt 0 ]; do
  case "$1" in
    --sanitize) sanitize=1 ;;
    --full) sanitize=1 full=1 ;;
    --within)
      case "${2:-}" in "" | *[!0-9]*) die "test: --within needs a number of minutes" ;; esac
      sanitize=1 full=1 within=$2
      shift
      ;;
    --only)
      set_only "${2:-}"
      sanitize=1 full=1
      shift
      ;;
    --parts)
      all_parts
      exit
      ;;
    *) die "test: no such option: $1" ;;
  esac
  shift
done

formatting() {
  need_where_available clang-format-14
  if [ -z "$(clang_format)" ]; then
    record_result skipped "formatting: clang-format-14 was not found"
  elif check_format; then
    record_result passed format
  else
    record_result failed "formatting (./run format corrects it)"
  fi
}

building() { compile build "${options[@]}"; }

# With the kernels for every level of x86-64; the parts after this one keep that setting.
benchmarks() { compile build "${options[@]}" -Dbench=true -Dsimd=v4; }

plain() { waiting=2 suite build --timeout-multiplier 2 --no-suite parity --no-suite slow; }

slow() { suite build --timeout-multiplier 2 --suite slow --no-suite whole; }

# Two suites do not run under AddressSanitizer: `tools` starts GStreamer's own programs, which are not
# instrumented; `parity` takes minutes under a sanitizer and finds nothing more.
address() { # address OPTIMISATION OPTIONS-OF-MESON-TEST
  use_address_sanitizer "$1"
  shift
  suite build-asan --timeout-multiplier 8 --no-suite tools --no-suite parity "$@"
}

# Tests of code that parses or maps untrusted input: files and buffers.
# They run for a short time, and with both sanitizers the optimiser takes twice as long as all else that
# the compiler does: so only the kernels are optimised. The other tests run many times longer.
address_untrusted() { address 0 --suite untrusted-input; }
address_rest() { address 1 --no-suite untrusted-input; }

# Tests with threads. Among them are the kernels in groups of real threads, the only test that finds a
# missing sync in a kernel.
threads() {
  use_thread_sanitizer
  suite build-tsan --timeout-multiplier 15 "$@"
}

threads_first() { threads --suite threads --no-suite slow; }
threads_rest() { threads --suite slow; }

require_media() { # returns 1 and counts the part as skipped if there are no photos and clips
  fetch_media && return
  record_result skipped "$part: photos and clips cannot be fetched: $(reason "$log")"
  return 1
}

# With a fixed seed, so that a run does not fail for another reason than the one before.
fuzzing() {
  local target fuzz_seed=1
  [ -n "${MOSAIC_NO_INSTALL:-}" ] || need "${fuzz_packages[@]}"
  if ! command -v clang++-14 >/dev/null; then
    record_result skipped "$part: no Clang (apt-get install ${fuzz_packages[*]})"
    return
  fi
  build_fuzzers
  for target in "${fuzz_targets[@]}"; do
    if past_deadline; then
      record_result skipped "$part: $target (no time left)"
    elif fuzz_target "$target" 60; then
      record_result passed "$target"
    else
      record_result failed "$part: $target"
    fi
  done
  print_fuzz_table
}

live_parity() {
  require_media || return 0
  suite build --timeout-multiplier 4 --suite parity --no-suite whole
}

# The tests of all that is below the element.
below_gst=(--suite kernels --suite executor --suite cpu --suite cuda --suite mosaic)

simd_v2() { MOSAICTEMPORAL_SIMD=v2 suite build --timeout-multiplier 4 "${below_gst[@]}"; }
simd_v3() { MOSAICTEMPORAL_SIMD=v3 suite build --timeout-multiplier 4 "${below_gst[@]}"; }

decode_clip() {
  gst-launch-1.0 -q filesrc "location=$clip" ! decodebin ! videoconvert ! \
    video/x-raw,format=I420,width=1280,height=720 ! filesink "location=$1.part" &&
    mv "$1.part" "$1"
}

# The suite `whole` without sampling: all frames and profiles compared with mosaicraft's, a real clip,
# all formats and settings, a failure of every driver call, lookahead on the demo's clips. They run
# together, because the first uses only one core.
whole() {
  local raw=$media/bigbuckbunny-1280x720.i420
  require_media || return 0
  use_plugin build
  [ -f "$raw" ] || step "Decoding the clip" decode_clip "$raw"
  MOSAIC_SAMPLE_EVERY=1 MOSAIC_CLIP=$raw MOSAIC_CLIPS=$(dirname "$clip") MOSAIC_PHOTOS=$photos \
    suite build --timeout-multiplier 10 --suite whole
}

newer() {
  if [ ! -f "$newer_archive" ]; then
    record_result skipped "$part: $newer_archive does not exist (see scripts/test/newer_gstreamer.sh)"
    return
  fi
  use_newer_gstreamer
  # Without precompiled headers, so that a header that a source does not include is missed.
  configure build-1.28 "${options[@]}" -Db_pch=false
  # Larger samples than elsewhere: this version has code of its own.
  MOSAIC_SAMPLE_EVERY=7 suite build-1.28 --timeout-multiplier 8 --suite gst --suite emulated-gpu
}

# The tests below the element, and the stored hashes, on an emulated processor. Left out there are
# - a test that counts the threads of its process: the emulator's end a little later than the program's;
# - a test that starts its own program again: for that the kernel would have to know the emulator;
# - tests of the limits of a process, which the emulator does not keep;
# - tests of time limits, which an emulated processor exceeds;
# - three long clips.
on_aarch64() {
  local missing cross_file=$aarch64/cross.ini test
  local left_out=(WorkerPool.JoinsItsThreads
    ThreadedGroupDeathTest.AbortsIfAKernelSharesMoreThanItDeclares
    'Decoder.*' 'OtherProgram.*'
    'Clips/EngineTimeLimit.*' Cuts.AreFoundButNotInFadesAndFlashes
    Engine.KeepsTheTilesOfANoisySource Engine.DrawsANoisyStillSourceOnce)
  missing=$(missing_for_aarch64)
  if [ -n "$missing" ]; then
    record_result skipped "$part: no cross compiler or no emulator (apt-get install $missing)"
    return
  fi
  if ! prepare_aarch64; then
    record_result skipped "$part: the libraries cannot be fetched: $(reason "$log")"
    return
  fi
  configure build-aarch64 "${options[@]}" -Dcuda=disabled
  export MOSAICTEMPORAL_DECODER=$aarch64/decoder
  write_emulated_program "$MOSAICTEMPORAL_DECODER" build-aarch64/gst/mosaictemporal-decoder
  for test in "${left_out[@]}"; do
    record_result skipped "$part: $test (not under emulation)"
  done
  GTEST_FILTER=-$(IFS=: && printf '%s' "${left_out[*]}") \
    suite build-aarch64 --timeout-multiplier 10 "${below_gst[@]}" --suite stored
}

prepare_builds() {
  need "${build_packages[@]}" "${test_packages[@]}" git
  need_where_available "${heif_packages[@]}" "${browser_packages[@]}"
  command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ] ||
    record_result skipped "kernels for NVIDIA GPUs and the element on the emulated GPU: nvcc was not found"
}

# The parts named here only read the sources, or build them elsewhere: they need no compiler here.
! asked_for_others_than formatting workflow-files fresh-debian-12 fresh-debian-13 fresh-ubuntu-24-04 ||
  prepare_builds
run_part "Formatting" formatting
run_part "Building" building
run_part "Tests" plain
if [ -n "$sanitize" ]; then
  run_part "ASan and UBSan: tests of untrusted input" address_untrusted
  run_part "TSan: tests with threads" threads_first
fi
if [ -n "$full" ]; then
  [ -z "$within" ] || set_deadline "$within"
  run_part "Workflow files" workflow_files
  run_part "Building benchmarks, and kernels for every processor" benchmarks
  run_part "Fuzzing, a minute each" fuzzing
  run_part "Comparison with mosaicraft and OpenCV" live_parity
  run_part "Long tests, second mode of the emulated GPU" slow
  run_part "Films made by farms" farms
  run_part "GStreamer 1.28" newer
  run_part "ASan and UBSan: all other tests" address_rest
  run_part "TSan: long tests" threads_rest
  if [ "$(uname -m)" = x86_64 ]; then
    run_part "Tests on x86-64-v3" simd_v3
    run_part "Tests on x86-64-v2" simd_v2
    run_part "Core tests on AArch64, emulated" on_aarch64
  fi
  run_part "Unsampled: every frame and profile, whole clips, every driver failure" whole
  if [ -z "$within" ]; then
    run_part "Fresh Debian 12" fresh_debian_12
    run_part "Fresh Debian 13" fresh_debian_13
    run_part "Fresh Ubuntu 24.04" fresh_ubuntu_24_04
  fi
fi
summary
