#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# usage: install_test.sh ROOT: where the plugin and its program would be installed: where GStreamer
# looks, if it has the same prefix, and where one says.
set -euo pipefail
root=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

expect() { # expect FOLDER_OF_PLUGIN FOLDER_OF_PRESETS MESON OPTION...
  local plugins=$1 presets=$2 installed file
  shift 2
  rm -rf "$folder/build"
  meson setup "$folder/build" "$root" -Dtests=false -Dcuda=disabled "$@" >"$folder/log"
  installed=$(meson introspect --installed "$folder/build")
  for file in "$plugins/libgstmosaictemporal.so" "$presets/GstMosaicTemporal.prs" \
    /libexec/mosaictemporal-decoder; do
    grep -q "$file\"" <<<"$installed" || {
      echo "$*: $file is not among what is installed: $installed"
      exit 1
    }
  done
}

prefix=$(pkg-config --variable=prefix gstreamer-1.0)
expect "$(pkg-config --variable=pluginsdir gstreamer-1.0)" "$prefix/share/gstreamer-1.0/presets" \
  --prefix="$prefix"
expect "$folder/plugins" "$folder/presets" -Dplugindir="$folder/plugins" -Dpresetdir="$folder/presets"
