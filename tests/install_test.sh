#!/usr/bin/env bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# usage: install_test.sh ROOT BUILD: where the plugin, its program and its documents would be installed:
# where GStreamer looks, if it has the same prefix, and where one says. Then what was built is installed
# into a folder, and a program in C is compiled with the library mosaicgather that is there.
set -euo pipefail
root=$1 build=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

expect() { # expect FOLDER_OF_PLUGIN FOLDER_OF_PRESETS FOLDER_OF_DOCUMENTS MESON OPTION...
  local plugins=$1 presets=$2 documents=$3 installed file
  shift 3
  rm -rf "$folder/build"
  meson setup "$folder/build" "$root" -Dtests=false -Dcuda=disabled "$@" >"$folder/log"
  installed=$(meson introspect --installed "$folder/build")
  for file in "$plugins/libgstmosaictemporal.so" "$presets/GstMosaicTemporal.prs" \
    /libexec/mosaictemporal-decoder /libmosaicgather.so.0 /include/mosaic_gather.h \
    /pkgconfig/mosaicgather.pc \
    "$documents"/{README.md,SECURITY.md,COPYING,presets/tile.toml,docs,examples}; do
    grep -q "$file\"" <<<"$installed" || {
      echo "$*: $file is not among what is installed: $installed"
      exit 1
    }
  done
}

prefix=$(pkg-config --variable=prefix gstreamer-1.0)
expect "$(pkg-config --variable=pluginsdir gstreamer-1.0)" "$prefix/share/gstreamer-1.0/presets" \
  "$prefix/share/doc/mosaictemporal" --prefix="$prefix"
expect "$folder/plugins" "$folder/presets" "$folder/documents" -Dplugindir="$folder/plugins" \
  -Dpresetdir="$folder/presets" -Ddocdir="$folder/documents"

DESTDIR=$folder/root meson install -C "$build" --no-rebuild >"$folder/log" 2>&1 || {
  cat "$folder/log"
  exit 1
}
libraries=$(dirname "$(find "$folder/root" -name libmosaicgather.so.0)")
export PKG_CONFIG_PATH=$libraries/pkgconfig PKG_CONFIG_SYSROOT_DIR=$folder/root
read -ra flags <<<"$(pkg-config --cflags --libs mosaicgather)"
cc -Wall -Werror "$root/examples/gather.c" "${flags[@]}" -o "$folder/gather"
LD_LIBRARY_PATH=$libraries "$folder/gather" "$folder/picture.ppm"
[ "$(head -c 2 "$folder/picture.ppm")" = P6 ]
