# SPDX-License-Identifier: LGPL-2.1-or-later
# GStreamer 1.28 for the tests, from an archive of its packages (folder gst128, built for Debian 12) that
# MOSAIC_GSTREAMER_ARCHIVE names; by default one next to the checkout, if there is one. It contains
# almost no decoders and muxers, so the few that the tests need are plugins of the distribution's
# GStreamer: plugins may be older than the GStreamer that loads them.

newer_archive=${MOSAIC_GSTREAMER_ARCHIVE:-../shared/gstreamer-1.28/gst128.tar.xz}
newer=$cache/gst128

# The pkg-config files in the archive name another folder, which is replaced.
unpack_newer() {
  rm -rf "$newer" "$newer.part"
  mkdir -p "$newer.part"
  tar -C "$newer.part" -xJf "$newer_archive" &&
    sed -i "s|^prefix=.*|prefix=$newer|" "$newer.part"/gst128/lib/*/pkgconfig/*.pc &&
    touch "$newer.part/gst128" && mv "$newer.part/gst128" "$newer" && rmdir "$newer.part"
}

# After this call everything is built with GStreamer 1.28 and runs with it.
use_newer_gstreamer() {
  local lib=$newer/lib/x86_64-linux-gnu plugins name
  need xz-utils
  [ "$newer" -nt "$newer_archive" ] || step "Unpacking GStreamer 1.28" unpack_newer
  plugins=$(pkg-config --variable=pluginsdir gstreamer-1.0)
  mkdir -p "$newer/distribution"
  for name in audiotestsrc avi coloreffects isomp4 jpeg libav matroska theora x264 x265; do
    ln -sf "$plugins/libgst$name.so" "$newer/distribution/"
  done
  export PKG_CONFIG_PATH=$lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
  export PATH=$newer/bin:$PATH
  export LD_LIBRARY_PATH=$lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  export GST_PLUGIN_SYSTEM_PATH=$lib/gstreamer-1.0:$newer/distribution
  export GST_PLUGIN_SCANNER=$newer/libexec/gstreamer-1.0/gst-plugin-scanner
}
