// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Flags that say in which states of the element a property may be read and set.
#pragma once

#include <gst/gst.h>

namespace mosaic_gst {

constexpr GParamFlags read_write(int more) {
  return static_cast<GParamFlags>(G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | more);
}
inline constexpr auto kReadable =
    static_cast<GParamFlags>(G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
inline constexpr GParamFlags kReady = read_write(GST_PARAM_MUTABLE_READY);
inline constexpr GParamFlags kPlaying = read_write(GST_PARAM_MUTABLE_PLAYING);
inline constexpr GParamFlags kControllable =
    read_write(GST_PARAM_MUTABLE_PLAYING | GST_PARAM_CONTROLLABLE);

}  // namespace mosaic_gst
