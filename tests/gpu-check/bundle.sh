#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# bundle.sh BUILD FOLDER [CLIP]: gathers in FOLDER what the check needs on a machine that has a
# driver and a C library and nothing else. To run it there: FOLDER/gpu-check
#
#   gpu-check element.sh   the check
#   bin/ lib/              our programs, and the libraries that they need
#   gstreamer/             GStreamer as it is found here: tools, plugins, libraries; and the element
#   gstreamer/no-decoder/  a libnvcuvid.so.1 that decodes nothing, for a machine that has none
#   clip-WxH.h264          CLIP, for the decoder of the GPU; its name says its size
#
# Paths are set by the environment, so FOLDER may lie anywhere. The C library is that of the
# machine: 2.36 or later if this is Debian 12.
set -euo pipefail

build=$1 folder=$2 clip=${3:-}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

die() {
  printf 'bundle: %s\n' "$*" >&2
  exit 1
}

# What the machine must have itself: the C library and the driver.
readonly from_machine='/(ld-linux[^/]*|lib(c|m|dl|pthread|rt|resolv|util|anl|mvec|cuda|nvcuvid|nvidia-[^/]*))\.so'

# copy_libraries_of FOLDER FILE...: all that the files need, and what that needs.
copy_libraries_of() {
  local to=$1 needed missing
  shift
  needed=$(ldd "$@") || die "ldd: $needed"
  missing=$(grep 'not found' <<<"$needed" | sort -u) || true
  [ -z "$missing" ] || die "libraries that are not here: $missing"
  mkdir -p "$to"
  awk '$2 == "=>" && $3 ~ /^\// { print $3 }' <<<"$needed" | sort -u |
    { grep -vE "$from_machine" || true; } | xargs -r cp -L -t "$to"
}

strip_debug() { # what makes them large, not the names that a tool shows
  command -v strip >/dev/null || return 0
  strip --strip-debug "$@"
}

programs=(tests/gpu-check/gpu_check tests/gpu-check/hash_frames tests/core/gpu_executor_test)
plugin=$build/gst/libgstmosaictemporal.so
for file in "${programs[@]}"; do
  [ -x "$build/$file" ] || die "$build/$file is not built"
done

bundle_programs() {
  mkdir -p "$part/bin"
  (cd "$build" && cp -t "$part/bin" "${programs[@]}")
  strip_debug "$part"/bin/*
  copy_libraries_of "$part/lib" "$part"/bin/*
  install -m 755 "$here/run.sh" "$part/gpu-check"
  cp "$here/element.sh" "$part/"
}

# The plugins that the check's pipelines are made of, as far as they are installed.
bundle_gstreamer() {
  local to=$part/gstreamer plugins scanner name
  for name in gst-launch-1.0 gst-inspect-1.0; do
    command -v "$name" >/dev/null || {
      echo "bundle: without GStreamer: no $name here"
      return
    }
  done
  plugins=$(pkg-config --variable=pluginsdir gstreamer-1.0)
  scanner=$(pkg-config --variable=pluginscannerdir gstreamer-1.0)/gst-plugin-scanner
  [ -f "$plugins/libgstnvcodec.so" ] || {
    echo "bundle: without GStreamer: no plugin nvcodec (gstreamer1.0-plugins-bad) here"
    return
  }
  mkdir -p "$to/bin" "$to/plugins"
  cp "$(command -v gst-launch-1.0)" "$(command -v gst-inspect-1.0)" "$scanner" "$to/bin"
  for name in coreelements nvcodec videoconvertscale videoparsersbad videotestsrc; do
    [ ! -f "$plugins/libgst$name.so" ] || cp "$plugins/libgst$name.so" "$to/plugins"
  done
  cp "$plugin" "$to/plugins"
  mkdir "$to/no-decoder"
  cp "$build/tests/emulated-gpu/libnvcuvid.so.1" "$to/no-decoder"
  strip_debug "$to/plugins/${plugin##*/}"
  copy_libraries_of "$to/lib" "$to"/bin/* "$to"/plugins/*
}

# Beside its place, so that one that was cut off is never taken for whole.
part=$folder.part
rm -rf "$part"
mkdir -p "$part"
part=$(cd "$part" && pwd)
bundle_programs
if [ -f "$plugin" ]; then bundle_gstreamer; else echo "bundle: without the element: not built"; fi
[ -z "$clip" ] || cp "$clip" "$part/"
rm -rf "$folder"
mv "$part" "$folder"
du -sh "$folder"
