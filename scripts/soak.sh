# SPDX-License-Identifier: LGPL-2.1-or-later
# `./run soak [MINUTES]`: storms (randomised stress tests, tests/storms) for MINUTES under
# AddressSanitizer, then those of the harness for half as long under ThreadSanitizer, then a live
# source on a loaded machine for MINUTES.

. scripts/lib/sanitizers.sh
# Each seed runs for so long, in a process of its own. The first seed is random.
storm_seconds=120
soak_table=() soak_failed=0
other_plugins=${GST_PLUGIN_PATH:-}

# storms FOLDER KIND SECONDS SEED FILES: runs storms with one seed after the other; they share the
# folder FILES. Prints a line for each seed. Stops at the first failure, with its report and a status
# other than 0.
storms() {
  local folder=$1 kind=$2 end=$((SECONDS + $3)) seed=$4
  while [ "$SECONDS" -lt "$end" ]; do
    "$folder/tests/storms/storm" "$kind" --seed "$seed" --seconds "$storm_seconds" --folder "$5" || return
    seed=$((seed + 1))
  done
}

# build_storms FOLDER PROGRAM: builds the program of tests/storms and what it uses.
build_storms() {
  step "Building $1" ninja -C "$1" -j "$jobs" "tests/storms/$2" gst/libgstmosaictemporal.so \
    gst/mosaictemporal-decoder presets/GstMosaicTemporal.prs
  GST_PLUGIN_PATH=$other_plugins # without that of the build before, made for another sanitizer
  use_plugin "$1"
  export GST_PRESET_PATH=$PWD/$1/presets
}

# first_lines LOG: the first 20 that are neither a step nor the summary of a seed. One program, because
# a pipeline fails if its reader ends first (SIGPIPE).
first_lines() {
  awk '!/^  [0-9]/ && !/ seed=/ && ++lines <= 20' "$1"
}

# run_storms TITLE FOLDER SECONDS KINDS: runs the kinds of storms at the same time, on the same files.
run_storms() {
  local title=$1 folder=$2 seconds=$3 kind files pids=() logs_of=() failed=0
  shift 3
  build_storms "$folder" storm
  say "$title: ${*} …"
  files=$(mktemp -d)
  for kind in "$@"; do
    logs_of+=("$logs/soak-$folder-${#pids[@]}-$kind.log")
    storms "$folder" "$kind" "$seconds" "$((RANDOM * 1000))" "$files" >"${logs_of[-1]}" 2>&1 </dev/null &
    pids+=($!)
  done
  for kind in "${!pids[@]}"; do
    wait "${pids[kind]}" || {
      failed=1
      say "  failed: ${logs_of[kind]}"
      first_lines "${logs_of[kind]}"
    }
  done
  rm -rf "$files"
  [ "$failed" = 0 ] || soak_failed=1
  # "pipelines seed=1 rounds=57 steps=5904 frames=520 restarts=70 memory=347 stop=0.35"
  soak_table+=("$(cat "${logs_of[@]}" | awk -v title="$title" '/ seed=.* rounds=/ {
      for (i = 2; i <= NF; i++) { split($i, pair, "="); sum[pair[1]] += pair[2]
        if (pair[2] > most[pair[1]]) most[pair[1]] = pair[2] } }
    END { printf "%-20s %8d %9d %9d %9d %8d %8.2f", title, sum["rounds"], sum["steps"], sum["frames"],
      sum["restarts"], most["memory"], most["stop"] }')")
}

# run_live SECONDS: prints what the program says.
run_live() {
  local live_log=$logs/soak-live.log
  build_storms build live_load
  say "Live under load …"
  "build/tests/storms/live_load" --seconds "$1" --seed "$RANDOM" >"$live_log" 2>&1 </dev/null || {
    soak_failed=1
    say "  failed: $live_log"
  }
  first_lines "$live_log"
}

seconds=$((${1:-60} * 60))
need "${build_packages[@]}" "${test_packages[@]}"
use_address_sanitizer 1
run_storms AddressSanitizer build-asan "$seconds" pipelines harness
# GStreamer's thread pool and queues are not instrumented: ThreadSanitizer would report races between
# pipelines, but the threads of a harness are ours.
use_thread_sanitizer
run_storms ThreadSanitizer build-tsan $((seconds / 2)) harness harness
say "                       rounds     steps    frames  restarts  MiB peak  max stop s"
printf '%s\n' "${soak_table[@]}"
configure build "${options[@]}"
run_live "$seconds"
exit "$soak_failed"
