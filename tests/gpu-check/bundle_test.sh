#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# bundle_test.sh BUILD: makes a bundle, moves it, and runs it on the emulated GPU in an environment
# without any paths.
set -euo pipefail

build=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  printf 'bundle_test: %s\n' "$*" >&2
  exit 1
}
bare() { env -i PATH=/usr/bin:/bin HOME="$work" "$@"; }

bash "$here/bundle.sh" "$build" "$work/here"
mv "$work/here" "$work/there"
bundle=$work/there

# foreign LIBRARIES FILE...: the libraries outside of the bundle that the files would load, without
# the C library
foreign() {
  local libraries=$1
  shift
  LD_LIBRARY_PATH=$libraries ldd "$@" | awk '$2 == "=>" { print $3 }' | sort -u |
    grep -v "^$bundle/" | grep -vE '/lib(c|m|dl|pthread|rt|resolv|util|anl|mvec)\.so' || true
}
outside=$(foreign "$bundle/lib" "$bundle"/bin/*)
outside+=$(foreign "$bundle/gstreamer/lib" "$bundle"/gstreamer/bin/* "$bundle"/gstreamer/plugins/*)
[ -z "$outside" ] || fail "taken from the machine: $outside"

bare "$bundle/gpu-check" --quick --emulated "$build/tests/emulated-gpu" "$work/report" ||
  fail "the check failed on the emulated GPU"
python3 - "$work/report/report.json" <<'PYTHON'
import json, sys

with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
found, parts = report["gpu_check"], report["parts"]
assert found["failures"] == [], found["failures"]
assert {row["what"]: row["value"] for row in found["device"]}["real or emulated"] == "emulated"
assert len(found["clips_compared"]) == 8 and len(found["kernels_timed"]) >= 10
assert all(row["launches"] > 0 and row["differing"] == 0 for row in found["kernels_compared"])
assert all(row["CPU"] == row["GPU"] for row in found["clips_compared"])
assert all(2 <= row["waits"] <= 3 for row in found["frames_timed"]), "waits for more than its tiles"
skipped = {part for part, result in parts.items() if result.startswith("skipped")}
assert skipped == {"sanitizer", "nvh264dec"}, parts
assert sum("cudaupload" in part for part in parts) == 9, parts
PYTHON

status=0
bare EMULATED_GPU_FAULT=300:700:lost "$bundle/gpu-check" --quick --only kernels \
  --emulated "$build/tests/emulated-gpu" "$work/lost" || status=$?
if [ "$status" != 1 ] || ! grep -q 'FAILED: .*illegal address' "$work/lost/report.md"; then
  fail "a lost context passed for success ($status)"
fi

status=0
bare CUDA_VISIBLE_DEVICES= "$bundle/gpu-check" "$work/none" >"$work/none.log" 2>&1 || status=$?
if [ "$status" != 1 ] || ! grep -q 'no GPU to check' "$work/none.log"; then
  fail "where there is no GPU, it says: $(cat "$work/none.log")"
fi
