// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <atomic>
#include <list>

namespace mosaic_program {

/// Sound and subtitles on their way into a muxer, whose name is "out". They are read ahead of the
/// video; where the video is made to end before the input does, they end too. Markup of subtitles
/// becomes the plain text that muxers take.
class SideStreams {
 public:
  /// @param pipeline not started; its streaming threads have ended before this object does
  /// @param limit where no text ends later, a running time; NONE: there is none
  SideStreams(GstElement* pipeline, GstClockTime limit);
  ~SideStreams();
  SideStreams(const SideStreams&) = delete;
  SideStreams& operator=(const SideStreams&) = delete;

  /// To be called before the video is made to end.
  void end_with_video() { end_with_video_ = true; }
  /// Whether the video has ended since then.
  bool has_ended() const { return GST_CLOCK_TIME_IS_VALID(end_.load()); }

 private:
  struct Text {
    SideStreams* all;
    GstPad* muxer_pad;
    bool one_at_a_time;         ///< as MPEG-4 has them, without markup
    GstBuffer* held = nullptr;  ///< the last one, until it is known when the next begins
    GstClockTime time = 0;      ///< where what was sent ends
    bool sending = false;
  };

  void add_text(GstPad* muxer_pad);
  static GstFlowReturn send(GstPad* pad, Text& text, GstBuffer* buffer);
  static GstFlowReturn send_held(GstPad* pad, Text& text, GstClockTime next);
  static GstFlowReturn send_empty(GstPad* pad, Text& text, GstClockTime until);
  static GstFlowReturn hold(GstPad* pad, Text& text, GstBuffer* next);
  static bool end_text(GstPad* pad, const Text& text, GstClockTime stamp);
  static GstPadProbeReturn on_muxer_text(GstPad* pad, GstPadProbeInfo* info, gpointer data);
  static GstPadProbeReturn on_side(GstPad* pad, GstPadProbeInfo* info, gpointer data);
  static GstPadProbeReturn on_text(GstPad* pad, GstPadProbeInfo* info, gpointer data);
  static GstPadProbeReturn on_text_event(GstPad* pad, GstPadProbeInfo* info, gpointer data);
  static GstPadProbeReturn on_video(GstPad* pad, GstPadProbeInfo* info, gpointer data);
  static GstPadProbeReturn on_video_event(GstPad* pad, GstPadProbeInfo* info, gpointer data);

  GstClockTime limit_;
  GstElement* muxer_;           ///< null: no film is written
  std::list<Text> texts_;       ///< their addresses are kept
  GstClockTime video_end_ = 0;  ///< so far; in the video's streaming thread
  std::atomic<GstClockTime> end_ = GST_CLOCK_TIME_NONE;  ///< of all streams; NONE: none yet
  std::atomic<bool> end_with_video_ = false;
};

}  // namespace mosaic_program
