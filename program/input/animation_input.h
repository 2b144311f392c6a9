// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <memory>

#include "program/input/decoder_process.h"
#include "program/input/photo_input.h"
#include "program/pipeline/pipeline_line.h"

namespace mosaic_program {

/// An animated GIF or WebP as a video. It is read as photos are, because GStreamer 1.22 has no
/// decoder of animated WebP, gives the pictures of a GIF no times, and waits for ever after a GIF
/// of few pictures.
///
/// The video has a constant frame rate, at which each picture is repeated for as long as it is
/// shown: with pictures that are shown for different times, muxers lose the last ones.
class AnimationInput {
 public:
  /// @param animation is_animation() is true; it must outlive this object and the process of link()
  explicit AnimationInput(const PhotoInput& animation) : animation_(animation) {}

  GstClockTime duration() const;

  /// Adds elements that give the frames from a time on, in a stream whose times begin at 0.
  /// @param start below the duration
  /// @return the process that reads them, which the caller keeps for as long as frames are wanted
  /// Throws Failure if it cannot be started.
  std::shared_ptr<DecoderProcess> link(PipelineLine& line, GstClockTime start) const;

 private:
  const PhotoInput& animation_;
};

}  // namespace mosaic_program
