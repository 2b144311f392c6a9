// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <csignal>

namespace mosaic_program {

/// The signals that ask a process to end.
constexpr int kEndSignals[] = {SIGINT, SIGTERM, SIGHUP};

/// Whether a signal is to be noticed: nohup and shells make a process ignore some.
inline bool is_noticed(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_IGN;
}

}  // namespace mosaic_program
