// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <string>
#include <vector>

#include "gst/pointers.h"
#include "program/farm/film/frame_store.h"
#include "program/farm/film/mapped_frames.h"
#include "program/farm/job/division.h"

namespace mosaic_program {

/// Stands in the pipeline of a part. It compares each frame of the film with the plan's, and of the
/// frames that were drawn it lets only those to the encoder that are the part's own. Those that are
/// to be mixed with other parts' it stores.
class FrameTap {
 public:
  /// @param store where frames are written that are to be mixed
  FrameTap(const std::vector<FilmFrame>& film, const FarmPart& part, FrameStore& store)
      : film_(film), part_(part), store_(store) {}
  FrameTap(const FrameTap&) = delete;
  FrameTap& operator=(const FrameTap&) = delete;

  /// @param pipeline not started; it ends before this object does @param encoder a factory's name
  void attach(GstElement* pipeline, const std::string& encoder);

  // To be called when the pipeline has ended.

  /// Whether the film gave other frames than when it was planned.
  bool has_other_frames() const { return has_other_frames_; }
  /// Whether every frame was drawn.
  bool is_whole() const { return drawn_ == part_.drawn.end; }
  /// What the encoder gets.
  const std::string& caps() const { return caps_; }

 private:
  static GstPadProbeReturn on_input(GstPad* pad, GstPadProbeInfo* info, gpointer data);
  bool is_planned(GstPad* pad, GstBuffer* buffer);
  static GstPadProbeReturn on_drawn(GstPad* pad, GstPadProbeInfo* info, gpointer data);

  const std::vector<FilmFrame>& film_;
  const FarmPart& part_;
  FrameStore& store_;
  mosaic_gst::Owned<GstElement> mosaic_;
  FrameMapper mapper_;
  // Each in one streaming thread.
  int64_t read_ = 0, drawn_ = 0;  ///< the number of the next frame
  bool has_other_frames_ = false;
  std::string caps_;
};

}  // namespace mosaic_program
