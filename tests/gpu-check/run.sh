#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# gpu-check [--quick] [--emulated FOLDER] [--only PART[,PART...]] [REPORT]
#
# Checks everything that runs on a GPU with the GPU of this machine, and writes report.md and
# report.json into the folder REPORT. Returns 1 if anything differs or fails, or if there is no GPU.
# Parts that cannot run here are skipped; the report says why.
#
#   kernels    compares the bytes that every kernel writes with the CPU's
#   clips      compares the frames of whole clips with the CPU's
#   times      measures kernels and whole frames
#   tests      the engine's tests on the device
#   sanitizer  compute-sanitizer's tools, where it is installed
#   element    the element in pipelines with GStreamer's own elements for CUDA
#
#   --quick     small pictures and few frames
#   --emulated  the driver is the emulation in that folder (tests/emulated-gpu of a build)
#   --only      only these parts
#
# This script runs in a folder that bundle.sh made.
set -euo pipefail

here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
quick="" emulated="" only=kernels,clips,times,tests,sanitizer,element report=$PWD/gpu-check-report
while [ $# -gt 0 ]; do
  case "$1" in
    --quick) quick=1 ;;
    --emulated)
      emulated=$(cd "$2" && pwd)
      shift
      ;;
    --only)
      only=$2
      shift
      ;;
    -*)
      sed -n '3,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}" >&2
      exit 2
      ;;
    *) report=$1 ;;
  esac
  shift
done
mkdir -p "$report"
report=$(cd "$report" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
: >"$work/parts"

say() { printf '%s\n' "$*"; }
wanted() { [[ ",$only," == *",$1,"* ]]; }

# note PART RESULT: RESULT begins with ok, skipped or FAILED.
note() {
  say "$1: $2"
  printf '%s\t%s\n' "$1" "$2" >>"$work/parts"
  case "$2" in FAILED*) failed=1 ;; esac
}

# with_libraries FOLDER COMMAND...: runs it with the libraries of FOLDER before all others, except
# those of the emulation.
with_libraries() {
  local path=${emulated:+$emulated:}${1:+$1:}${LD_LIBRARY_PATH:-}
  shift
  env LD_LIBRARY_PATH="${path%:}" "$@"
}
program() {
  local name=$1
  shift
  with_libraries "$here/lib" "$here/bin/$name" "$@"
}

# The line of a log that says what failed.
reason() {
  grep -v '^|' "$1" | grep -iE 'error|differs|failed|fault|invalid|uninitialized|hazard|leaked' |
    head -n 1 | cut -c 1-200 || true
}

own_checks() {
  local sections=() part status=0
  for part in kernels clips times; do
    ! wanted "$part" || sections+=("$part")
  done
  [ ${#sections[@]} -gt 0 ] || sections=(device)
  program gpu_check ${quick:+--quick} --write "$work" "${sections[@]}" 2>&1 |
    tee "$work/gpu_check.log" || status=$?
  case "$status" in
    0) note "${sections[*]}" ok ;;
    3 | 77) exit 1 ;; # no GPU, or built without kernels for one: it said so
    *) note "${sections[*]}" "FAILED: $(reason "$work/gpu_check.log")" ;;
  esac
}

engine_tests() {
  local status=0
  program gpu_executor_test --gtest_brief=1 >"$work/tests.log" 2>&1 || status=$?
  if [ "$status" = 0 ] && grep -qE 'PASSED  \] [1-9]' "$work/tests.log"; then
    note tests "ok: $(grep -oE '[0-9]+ tests?\.' "$work/tests.log" | head -n 1)"
  else
    cat "$work/tests.log"
    note tests "FAILED: $(reason "$work/tests.log")"
  fi
}

find_sanitizer() {
  local found
  command -v compute-sanitizer && return
  for found in /usr/local/cuda*/bin/compute-sanitizer \
    /usr/local/cuda*/compute-sanitizer/compute-sanitizer /opt/cuda*/bin/compute-sanitizer; do
    if [ -x "$found" ]; then
      printf '%s\n' "$found"
      return
    fi
  done
  return 1
}

sanitizer_tools() {
  local sanitizer tool status options
  if [ -n "$emulated" ]; then
    note sanitizer "skipped: compute-sanitizer needs a real GPU"
    return
  fi
  sanitizer=$(find_sanitizer) || {
    note sanitizer "skipped: compute-sanitizer is not installed"
    return
  }
  for tool in memcheck racecheck synccheck initcheck; do
    options=()
    [ "$tool" != memcheck ] || options=(--leak-check full)
    status=0
    with_libraries "$here/lib" timeout 300 "$sanitizer" --tool "$tool" "${options[@]}" \
      --error-exitcode 9 --target-processes all "$here/bin/gpu_check" --sanitizer \
      >"$work/$tool.log" 2>&1 || status=$?
    cp "$work/$tool.log" "$report/"
    if grep -q 'Device not supported' "$work/$tool.log"; then
      note "$tool" "skipped: compute-sanitizer does not support this device"
    elif [ "$status" = 124 ]; then
      note "$tool" "skipped: not finished within 300 s"
    elif [ "$status" = 0 ] && grep -q 'ERROR SUMMARY: 0 errors\|RACECHECK SUMMARY: 0 hazards' "$work/$tool.log"; then
      note "$tool" ok
    else
      tail -n 40 "$work/$tool.log"
      note "$tool" "FAILED: $(reason "$work/$tool.log") ($tool.log)"
    fi
  done
}

write_report() {
  {
    say "# GPU check"
    say ""
    say "$(date -u '+%Y-%m-%d %H:%M') UTC, $(uname -sr), $(nproc) CPU cores:$(
      sed -n 's/^model name[^:]*:/ /p' /proc/cpuinfo | head -n 1
    )"
    say ""
    say "| part | result |"
    say "| --- | --- |"
    sed 's/|/\\|/g; s/\t/ | /; s/^/| /; s/$/ |/' "$work/parts"
    cat "$work/report.md"
    [ ! -f "$work/element.md" ] || cat "$work/element.md"
  } >"$report/report.md"
  {
    say '{"parts": {'
    sed 's/\\/\\\\/g; s/"/\\"/g; s/\t/": "/; s/^/  "/; s/$/"/; $!s/$/,/' "$work/parts"
    say '}, "gpu_check":'
    cat "$work/report.json"
    say '}'
  } >"$report/report.json"
}

own_checks
! wanted tests || engine_tests
! wanted sanitizer || sanitizer_tools
if wanted element; then
  # shellcheck source=tests/gpu-check/element.sh
  . "$here/element.sh"
  element_checks
fi
write_report
say "$report/report.md"
exit "$failed"
