// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <optional>
#include <string>

#include "mosaic/engine/engine.h"

namespace mosaic_gst {

/// The data of the property `stats`; the defaults are its values before the first frame.
struct StreamStats {
  guint64 frames = 0;    ///< number of mosaics drawn since the start
  guint64 dropped = 0;   ///< number of frames dropped because they were late
  guint64 repeated = 0;  ///< number of frames that repeated the last mosaic to be in time
  gint economy = 0;      ///< see Timing::economy()
  gint width = 0;        ///< of the output, pixels; 0: not negotiated yet
  gint height = 0;
  gdouble fps = 0;                   ///< as negotiated; 0: unknown or variable
  guint skipped = 0;                 ///< photos of the pool that could not be used
  std::optional<std::string> codec;  ///< factory of the decoder upstream; nullopt: none was found
  const char* device = "cpu";        ///< where the last frame was drawn: "cpu" or "cuda"
  mosaic::FrameStats last;
};

/// The value of the property `stats`.
GstStructure* make_stats_structure(const StreamStats& stats);

/// The element message `mosaictemporal-stats` of one frame.
/// @param frame number of mosaics drawn before this one since the start
GstMessage* make_stats_message(GstObject* source, guint64 frame, GstClockTime pts,
                               const mosaic::FrameStats& stats);

}  // namespace mosaic_gst
