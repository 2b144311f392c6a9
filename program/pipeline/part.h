// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <set>

namespace mosaic_program {

/// Has a pipeline begin at a time of its input, with all streams, without decoding what is far
/// before.
///
/// What the parsers make (elements of the type parsebin) is held back until all streams are known.
/// Then each parser seeks, before anything has reached decoders and the muxer. Demuxers begin at a
/// frame that can be decoded, and some cannot seek; so the segment of each stream is made to begin
/// at the time, and decoders drop what is before it.
class Part {
 public:
  /// @param pipeline not started; its streaming threads have ended before this object does
  /// @param start stream time in the input, nanoseconds; 0: nothing is done
  Part(GstElement* pipeline, GstClockTime start);
  ~Part();
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  /// Reads a message of the pipeline's bus, in the thread that started it.
  void read(GstMessage* message);

 private:
  static void on_pad(GstElement* parser, GstPad* pad, gpointer data);
  static GstPadProbeReturn hold(GstPad* pad, GstPadProbeInfo* info, gpointer data);
  static GstPadProbeReturn on_event(GstPad* pad, GstPadProbeInfo* info, gpointer data);
  static GstPadProbeReturn on_buffer(GstPad* pad, GstPadProbeInfo* info, gpointer data);
  void seek(GstElement* parser);

  GstElement* pipeline_;
  GstClockTime start_;
  std::set<const GstObject*> begun_;  ///< parsers that have been sought in
};

}  // namespace mosaic_program
