#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# GStreamer's own cudaupload and cudadownload on the emulated GPU: frames come back as they went.
# LD_LIBRARY_PATH names the emulation's folder.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Elements that were or were not registered without the emulation are in other registries.
export GST_REGISTRY=$folder/registry.bin EMULATED_GPU_SUMMARY=$folder/summary

launch() { timeout 60 gst-launch-1.0 -q "$@"; }
fail() { echo "passthrough: $*" >&2; exit 1; }

gst-inspect-1.0 --exists cudaupload || fail "nvcodec did not register cudaupload on the emulation"

for format in NV12 I420 RGBA BGR; do
  for size in 320x240 641x359 33x17; do
    source=(videotestsrc num-buffers=5 pattern=smpte75
      ! "video/x-raw,format=$format,width=${size%x*},height=${size#*x}")
    launch "${source[@]}" ! filesink location="$folder/plain"
    for mode in eager deferred; do
      rm -f "$EMULATED_GPU_SUMMARY"
      EMULATED_GPU_MODE=$mode launch "${source[@]}" ! cudaupload \
        ! 'video/x-raw(memory:CUDAMemory)' ! cudadownload ! video/x-raw \
        ! filesink location="$folder/through" || fail "$format $size $mode: the pipeline failed"
      cmp "$folder/plain" "$folder/through" || fail "$format $size $mode: other bytes"
      summary=" $(cat "$EMULATED_GPU_SUMMARY")"
      for zero in contexts device_blocks pinned_blocks streams events pending abandoned mistakes; do
        [[ $summary == *" $zero=0 "* ]] || fail "$format $size $mode: left behind:$summary"
      done
      [[ $summary != *" uploads=0 "* && $summary != *" downloads=0 "* ]] ||
        fail "$format $size $mode: the frames did not pass through the device"
    done
  done
done
echo "passthrough: 4 formats, 3 sizes, 2 modes: equal"
