# SPDX-License-Identifier: LGPL-2.1-or-later
# Used by every command: messages to the user, running a step, the cache folder.

cache=$PWD/.cache
logs=$cache/log
mkdir -p "$logs"

say() { printf '%s\n' "$*"; }
die() {
  printf 'run: %s\n' "$*" >&2
  exit 1
}

# reason LOG: one line of a log that explains a failure: the first that names an error, else one that
# mentions a failure, else the first line.
reason() {
  awk '/^ninja: |Can not write log/ || NF == 0 { next }
    /error:|ERROR|^E: / { line = $0; exit }
    !failure && /FAILED|fatal|(^|[^w])[Ee]rror/ { failure = $0 }
    !first { first = $0 }
    END { print substr(line ? line : failure ? failure : first, 1, 300) }' "$1"
}

# follow LOG PID TITLE: shows the last line of a step's log until its process ends.
follow() {
  local width line
  width=$(tput cols 2>/dev/null || echo 80)
  while kill -0 "$2" 2>/dev/null; do
    if [ -t 1 ]; then
      line=$(tail -c 400 "$1" | tr '\r\t' '\n ' | grep -av '^ *$' | tail -n 1)
      printf '\r\033[K%s' "$(printf '%s … %s' "$3" "$line" | cut -c "1-$((width - 1))")"
    fi
    sleep 0.5
  done
  [ ! -t 1 ] || printf '\r\033[K'
}

# try TITLE COMMAND...: runs a command with its output in a log and returns its status.
try() {
  local title=$1 status=0 start=$SECONDS
  shift
  log=$logs/$(printf '%s' "$title" | tr -cs 'A-Za-z0-9\n' - | cut -c 1-60).log
  [ -t 1 ] || say "$title …"
  "$@" >"$log" 2>&1 </dev/null &
  local pid=$!
  trap 'kill '"$pid"' 2>/dev/null; exit 130' INT TERM
  follow "$log" "$pid" "$title"
  wait "$pid" || status=$?
  trap - INT TERM
  if [ "$status" = 0 ]; then
    say "$title: done in $((SECONDS - start)) s"
  fi
  return "$status"
}

# step TITLE COMMAND...: like try, but if the command fails, prints one line and ends the script.
step() {
  try "$@" || die "$1 failed: $(reason "$log") (whole log: ${log#"$PWD"/})"
}

# The distribution's Python, for which apt installs python3-venv; another may come first in PATH.
python=$(command -v /usr/bin/python3 || command -v python3 || true)
