#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# bundle.sh BUILD FOLDER [CLIP]: copies into FOLDER everything that the check needs on a machine with
# only a driver and a C library. To run it there: FOLDER/gpu-check
#
#   gpu-check element.sh   the check
#   bin/ lib/              our programs, and the libraries that they need
#   gstreamer/             the GStreamer of this machine: tools, plugins, libraries; and the element
#   gstreamer/no-decoder/  a libnvcuvid.so.1 that cannot decode, for a machine without that library
#   clip-WxH.h264          CLIP, for the GPU's decoder; WxH is its size
#
# The check sets all paths by the environment, so that FOLDER may be anywhere. The C library is not
# copied; a bundle made on Debian 12 needs version 2.36 or later.
set -euo pipefail

build=$1 folder=$2 clip=${3:-}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

die() {
  printf 'bundle: %s\n' "$*" >&2
  exit 1
}

# Libraries that are not copied: the C library and the driver.
readonly from_machine='/(ld-linux[^/]*|lib(c|m|dl|pthread|rt|resolv|util|anl|mvec|cuda|nvcuvid|nvidia-[^/]*))\.so'

# copy_libraries_of FOLDER FILE...: copies all libraries that the files need, directly or not.
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

programs=(tests/gpu-check/gpu_check tests/gpu-check/hash_frames tests/cuda/gpu_executor_test)
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

# Copies the plugins that the check's pipelines use, as far as they are installed.
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
  cp "$build/tests/emulated-gpu/no-decoder/libnvcuvid.so.1" "$to/no-decoder"
  strip_debug "$to/plugins/${plugin##*/}"
  copy_libraries_of "$to/lib" "$to"/bin/* "$to"/plugins/*
}

# Made under another name first, so that an incomplete bundle is never taken for a complete one.
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
