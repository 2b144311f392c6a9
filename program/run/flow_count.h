// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <atomic>
#include <list>
#include <string>
#include <vector>

#include "program/pipeline/plan.h"

namespace mosaic_program {

/// Counts what passes through a pipeline, to find out whether something was lost on the way: what
/// the input promised, what was read, what was decoded, drawn and written.
class FlowCount {
 public:
  /// @param pipeline not started; its streaming threads have ended before this object does
  explicit FlowCount(GstElement* pipeline);
  FlowCount(const FlowCount&) = delete;
  FlowCount& operator=(const FlowCount&) = delete;

  guint64 drawn() const { return drawn_; }
  guint64 written() const { return written_; }
  /// An element found something wrong with what it reads.
  void complain() { complaints_ = true; }
  /// What is missing, in sentences. To be called only if the input was read to its end.
  std::vector<std::string> losses(const Plan& plan, const std::string& input) const;
  /// The same for what was written, wherever it ended.
  std::vector<std::string> unwritten(const Plan& plan, const std::string& output) const;

 private:
  using Counter = std::atomic<guint64>;

  void count(GstPad* pad, Counter& counter);
  void measure_read(GstPad* pad);
  static GstPadProbeReturn on_read(GstPad* pad, GstPadProbeInfo* info, gpointer data);
  static GstPadProbeReturn on_decoded(GstPad* pad, GstPadProbeInfo* info, gpointer data);

  Counter read_ = 0;     ///< pictures that came from the file, coded
  Counter decoded_ = 0;  ///< of these
  Counter damaged_ = 0;  ///< of these: the decoder says so
  Counter drawn_ = 0, written_ = 0;
  std::list<Counter> sounds_;  ///< packets of each track of sound that were written
  Counter read_end_ = 0;       ///< where the longest stream ends, nanoseconds
  Counter longest_gap_ = 0;    ///< between pictures that were decoded, nanoseconds
  GstClockTime last_decoded_ = GST_CLOCK_TIME_NONE;  ///< in the streaming thread
  std::atomic<bool> complaints_ = false;
};

}  // namespace mosaic_program
