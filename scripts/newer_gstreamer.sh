# SPDX-License-Identifier: LGPL-2.1-or-later
# GStreamer 1.28, built for Debian 12, where its archive lies beside the project. It has next to no
# decoders and muxers: the few plugins that the tests need come from the distribution, which may be
# older, as plugins may be.

newer_archive=../shared/gstreamer-1.28/gst128.tar.xz
newer=$cache/gst128

# Its pkg-config files name another folder.
unpack_newer() {
  rm -rf "$newer" "$newer.part"
  mkdir -p "$newer.part"
  tar -C "$newer.part" -xJf "$newer_archive" &&
    sed -i "s|^prefix=.*|prefix=$newer|" "$newer.part"/gst128/lib/*/pkgconfig/*.pc &&
    touch "$newer.part/gst128" && mv "$newer.part/gst128" "$newer" && rmdir "$newer.part"
}

# From here on everything is built against it and runs with it.
use_newer_gstreamer() {
  local lib=$newer/lib/x86_64-linux-gnu plugins name
  need xz-utils
  [ "$newer" -nt "$newer_archive" ] || step "Unpacking GStreamer 1.28" unpack_newer
  plugins=$(pkg-config --variable=pluginsdir gstreamer-1.0)
  mkdir -p "$newer/distribution"
  for name in audiotestsrc avi jpeg matroska theora; do
    ln -sf "$plugins/libgst$name.so" "$newer/distribution/"
  done
  export PKG_CONFIG_PATH=$lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
  export PATH=$newer/bin:$PATH
  export LD_LIBRARY_PATH=$lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  export GST_PLUGIN_SYSTEM_PATH=$lib/gstreamer-1.0:$newer/distribution
  export GST_PLUGIN_SCANNER=$newer/libexec/gstreamer-1.0/gst-plugin-scanner
}
