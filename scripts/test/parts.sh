# SPDX-License-Identifier: LGPL-2.1-or-later
# The parts of a test run: which tests passed, failed and were skipped, the time of each part, a
# deadline, and which parts were asked for.

passed=0 failures=() skips=() table=() part="" deadline="" only=""

# all_parts: prints the short name and the title of each part, read from the lines of test.sh that run
# them. The short name is the function's, with - for _.
all_parts() {
  sed -nE 's/^ *run_part "(.*)" ([a-z0-9_]+)$/\2 \1/p' scripts/test.sh |
    while read -r name title; do printf '%-18s %s\n' "${name//_/-}" "$title"; done
}

# set_only NAMES: run_part then runs only these parts, and counts a part as failed if all of it was
# skipped. NAMES are short names, separated by commas.
set_only() {
  local name parts
  parts=$(all_parts)
  [ -n "$1" ] || die "test: --only needs names of parts, which ./run test --parts lists"
  for name in ${1//,/ }; do
    grep -q "^$name " <<<"$parts" || die "test: no such part: $name (see ./run test --parts)"
  done
  only=,$1,
}

# asked_for FUNCTION: whether the part is one of those to run.
asked_for() {
  case $only in "" | *",${1//_/-},"*) ;; *) return 1 ;; esac
}

# asked_for_others_than NAME...: whether other parts than these are to run, too.
asked_for_others_than() {
  local name rest=$only
  [ -n "$only" ] || return 0
  for name in "$@"; do rest=${rest//,$name,/,}; done
  [ "$rest" != , ]
}

record_result() { # record_result passed|failed|skipped NAME
  case "$1" in
    passed) passed=$((passed + 1)) ;;
    failed) failures+=("$2") && say "  failed: $2" ;;
    skipped) skips+=("$2") ;;
  esac
}

# set_deadline MINUTES: sets a deadline MINUTES from now, but at most MINUTES + 20 minutes after the
# script's start. After it no part begins; running tests are stopped and count as skipped.
set_deadline() {
  deadline=$((SECONDS + $1 * 60))
  [ "$deadline" -le $((($1 + 20) * 60)) ] || deadline=$((($1 + 20) * 60))
}

past_deadline() { [ -n "$deadline" ] && [ "$SECONDS" -ge "$deadline" ]; }

# until_deadline COMMAND...: runs a command and stops it at the deadline; it then returns 124.
until_deadline() {
  if [ -z "$deadline" ]; then "$@"; else timeout -k 30 $((deadline - SECONDS)) "$@"; fi
}

# cpu_of FILE: seconds of processor time of a shell's children; FILE is the output of `times`.
cpu_of() {
  awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, "m"); sum += t[1] * 60 + t[2] } }
    END { printf "%d", sum }' "$1"
}

# run_part TITLE FUNCTION: runs and times one part. Variables that the function exports are restored
# afterwards.
run_part() {
  local start=$SECONDS cpu environment name before="$passed ${#failures[@]} ${#skips[@]}"
  asked_for "$2" || return 0
  part=$1
  if past_deadline; then
    record_result skipped "$part (not started: no time left)"
    return
  fi
  environment=$(export -p)
  times >"$logs/times"
  cpu=$(cpu_of "$logs/times")
  "$2"
  [ -z "$only" ] || require_results "$before"
  times >"$logs/times"
  cpu=$(($(cpu_of "$logs/times") - cpu))
  for name in $(compgen -e); do
    case $'\n'$environment in *$'\n'"declare -x $name="*) ;; *) unset "$name" ;; esac
  done
  eval "${environment//declare -x/declare -gx}"
  table+=("$(printf '%5d s %7d s   %s' $((SECONDS - start)) "$cpu" "$part")")
}

# require_results "PASSED FAILED SKIPPED": counts the part as failed if all of it was skipped. The three
# numbers are the counts before the part.
require_results() {
  local counted
  read -ra counted <<<"$1"
  if [ "$passed ${#failures[@]}" = "${counted[0]} ${counted[1]}" ] && [ ${#skips[@]} != "${counted[2]}" ]; then
    record_result failed "$part: nothing could run"
  fi
}

# suite FOLDER [MESON TEST OPTIONS]: builds what the tests need, runs them and counts each test case.
# `waiting`, if it is set: how many tests run beside those that keep the cores busy; 1 unless set.
suite() {
  local dir=$1 status=0 title=$part p f s kind name
  shift
  rm -f "$dir"/meson-logs/testlog.*
  use_plugin "$dir"
  meson test -C "$dir" --list --no-rebuild "$@" >"$logs/planned" 2>/dev/null || true
  # More than there are cores: some tests wait for the clock, a browser or a process.
  try "$title" until_deadline meson test -C "$dir" --num-processes $((jobs + ${waiting:-1})) --print-errorlogs "$@" ||
    status=$?
  "$python" scripts/test/count_tests.py "$dir/meson-logs" "$logs/planned" >"$logs/counted"
  { read -r p f s && while read -r kind name; do record_result "$kind" "$title: $name"; done; } <"$logs/counted"
  passed=$((passed + p))
  say "  $title: $p passed, $f failed, $s skipped"
  [ $((p + f + s)) != 0 ] || status=1
  [ "$status" != 0 ] || return 0
  if [ "$f" = 0 ] && ! past_deadline; then record_result failed "$title: $(reason "$log")"; fi
  if [ "$f" != 0 ] || ! past_deadline; then
    say "  to run these tests again: meson test -C $dir $*"
    # What failed may stand far before the end.
    grep -vE ' (OK|SKIP|EXPECTEDFAIL) +[0-9.]+s' "$log" | tail -n 250
  fi
}

# Prints the results; the script's last command, so that its status becomes the script's.
summary() {
  local line
  say "elapsed  CPU time   part"
  for line in "${table[@]}"; do say "$line"; done
  for line in "${skips[@]}"; do say "skipped: $line"; done
  for line in "${failures[@]}"; do say "failed: $line"; done
  say "$passed passed, ${#failures[@]} failed, ${#skips[@]} skipped"
  [ ${#failures[@]} = 0 ]
}
