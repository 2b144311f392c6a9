// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include "program/options/options.h"

namespace mosaic_program {

/// The element that opens a window on the screen that the environment names, or draws on a console;
/// it has been tried. Throws Failure if there is no screen.
std::string find_screen();

/// Of the screen of an X server, pixels; 0: that is not known.
OutputSize screen_size();

/// The window in which a pipeline shows the mosaic: with Options::fullscreen and an X server, one
/// that covers the screen.
class Window {
 public:
  /// @param pipeline not started; it ends before this object does
  Window(GstElement* pipeline, const Options& options);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  /// Whether the user has closed a window that covers the screen. To be called now and then.
  bool is_closed() const;
  /// Whether a message of the bus says that the user has closed the window, or has pressed Esc or q
  /// in it.
  bool is_closed_by(GstMessage* message) const;

 private:
  struct Covering;
  static GstBusSyncReply on_message(GstBus* bus, GstMessage* message, gpointer data);

  bool is_shown_;
  GstElement* pipeline_;
  Covering* covering_ = nullptr;  ///< null: the element opens its own window
};

}  // namespace mosaic_program
