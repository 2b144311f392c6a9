// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <glib-unix.h>

#include <csignal>

namespace mosaic_program {

/// The signals that ask a process to end.
constexpr int kEndSignals[] = {SIGINT, SIGTERM, SIGHUP};

/// Whether a signal is to be noticed: nohup and shells make a process ignore some.
inline bool is_noticed(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_IGN;
}

/// From now on they do nothing: for a process that ends already, and has a file to complete. To be
/// called before the sources of GLib that watch them are removed, because GLib restores with the
/// last of these what a signal does by default.
inline void ignore_end_signals() {
  for (const int signal : kEndSignals)
    if (is_noticed(signal))
      g_unix_signal_add(
          signal, [](gpointer) { return gboolean{G_SOURCE_CONTINUE}; }, nullptr);
}

}  // namespace mosaic_program
