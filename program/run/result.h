// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <string>
#include <vector>

#include "program/places/photo_places.h"

namespace mosaic_program {

/// What was done.
struct Result {
  guint64 frames = 0;            ///< drawn
  guint64 sent = 0;              ///< to what comes after the mosaic, with those that were repeated
  int width = 0, height = 0;     ///< of the output
  double frames_per_second = 0;  ///< drawn in a second of the clock on the wall
  double input_rate = 0;         ///< frames a second of the video; 0: unknown
  std::string decoder, encoder;  ///< elements; empty: none
  std::string device;            ///< "cpu" or "cuda"
  std::string look;              ///< a profile's name, or the file of one
  unsigned tiles = 0, cells = 0;
  guint64 dropped = 0, repeated = 0;
  unsigned skipped_photos = 0;
  PhotoUse photos;
  bool interrupted = false;         ///< by Ctrl-C; the file is complete up to there
  bool ended = true;                ///< the muxer has ended the file, whatever is missing in it
  std::string failure;              ///< why it ended too early; empty: it did not
  bool may_pass = false;            ///< at another time the failure may not happen
  std::vector<std::string> losses;  ///< what is missing, in sentences
};

/// What an element mosaictemporal says of what it drew. The encoder, and how the run ended, are
/// left out.
Result result_of(GstElement* mosaic);

/// As one JSON object. @param output the file that was written; empty: none
std::string to_json(const Result& result, const std::string& input, const std::string& output);

}  // namespace mosaic_program
