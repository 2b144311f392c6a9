// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <atomic>
#include <list>
#include <mutex>
#include <optional>
#include <string>

#include "gst/pointers.h"

namespace mosaic_program {

/// Starts a live source again that was lost, while everything after it goes on. What comes then
/// gets the running times at which it arrives.
class Reconnection {
 public:
  /// @param pipeline not started, with a source of decoded streams named "in"; its streaming
  /// threads
  ///                 have ended before this object does
  explicit Reconnection(GstElement* pipeline);
  Reconnection(const Reconnection&) = delete;
  Reconnection& operator=(const Reconnection&) = delete;

  /// Stops the source. The elements after it do not see its end.
  void disconnect();
  /// Starts it again.
  void connect();
  /// To be called now and then until something comes: uridecodebin may forget that it is to play
  /// when it has found out that its source is live.
  void urge();
  /// Whether something has come since connect(), or the source was never disconnected.
  bool is_connected() const { return connected_; }
  /// Whether the source has ended by itself.
  bool has_ended() const { return has_ended_; }

 private:
  /// What a stream of the source goes into.
  struct Stream {
    Reconnection* all;
    mosaic_gst::Owned<GstPad> entry;
    bool is_video;
    GstSegment first, later;  ///< of the first connection, and of the last one
  };

  void watch();
  void add(GstPad* source);
  GstClockTime now() const;
  static GstPadProbeReturn on_data(GstPad* pad, GstPadProbeInfo* info, gpointer data);
  GstPadProbeReturn on_event(Stream& stream, GstEvent* event);
  void move(Stream& stream, GstPadProbeInfo* info);

  GstElement* pipeline_;
  mosaic_gst::Owned<GstElement> source_;  ///< null: there is none now
  std::string uri_;
  std::mutex mutex_;                       ///< of what follows
  std::list<Stream> streams_;              ///< their addresses are kept
  bool again_ = false;                     ///< this is not the first connection
  std::optional<GstClockTimeDiff> shift_;  ///< of all streams since then
  std::atomic<bool> connected_ = true, has_ended_ = false;
};

}  // namespace mosaic_program
