// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// What all files that install properties say alike.
#pragma once

#include <gst/gst.h>

namespace mosaic_gst {

constexpr GParamFlags read_write(int more) {
  return static_cast<GParamFlags>(G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | more);
}
constexpr auto kReadable = static_cast<GParamFlags>(G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
constexpr GParamFlags kReady = read_write(GST_PARAM_MUTABLE_READY);
constexpr GParamFlags kPlaying = read_write(GST_PARAM_MUTABLE_PLAYING);
constexpr GParamFlags kControllable =
    read_write(GST_PARAM_MUTABLE_PLAYING | GST_PARAM_CONTROLLABLE);

/// Installs properties of one class, which takes over the reference to each `spec`.
struct PropertyInstaller {
  GObjectClass* klass;
  void operator()(guint id, GParamSpec* spec) const {
    g_object_class_install_property(klass, id, spec);
  }
};

}  // namespace mosaic_gst
