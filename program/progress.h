// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <string>

namespace mosaic_program {

/// "1:02:03" or "2:03".
std::string clock_text(GstClockTime time);

/// Shows on standard error how far the work is: one line that changes on a terminal, else a line
/// now and then.
class Progress {
 public:
  /// @param quiet     shows only what say() is given
  /// @param duration  of the input; NONE: unknown
  Progress(bool quiet, GstClockTime duration);
  ~Progress() { end_line(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// What is being done where frames are not counted ("loading photos: 40 %").
  void prepare(const std::string& what);
  /// The same, with the time since it began. Called now and then.
  void wait(const std::string& what);
  /// @param frames   drawn so far
  /// @param position in the input; NONE: unknown
  void update(guint64 frames, GstClockTime position);
  /// Shows a line of its own.
  void say(const std::string& text);
  /// Frames a second since the first update.
  double frames_per_second() const;

 private:
  void show(const std::string& text);
  void end_line();

  bool quiet_, terminal_;
  GstClockTime duration_;
  gint64 start_ = 0, shown_ = 0;  ///< of the monotonic clock, microseconds; 0: not yet
  guint64 frames_ = 0, first_frames_ = 0;
  gint64 last_ = 0;
  std::string waiting_;  ///< the last argument of wait()
  gint64 waiting_since_ = 0;
  bool line_open_ = false;
};

}  // namespace mosaic_program
