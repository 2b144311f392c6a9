// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <string>

#include "tests/storms/journal.h"

namespace storm {

/// Makes critical messages of GLib fail the storm, except those that a bug of GStreamer causes.
void make_criticals_fatal(Journal& journal);

/// What the messages on a bus said.
struct BusReport {
  bool failed = false;     ///< an element has posted an error
  bool explained = false;  ///< one of ours has, or another one for a reason of its own
  bool ended = false;      ///< end of stream

  /// Takes all messages off the bus, and fails the storm for an error of our element that is not
  /// meant for users: one that no code of ours has described.
  /// @param stopping the messages came while the pipeline was going to READY or NULL. Other
  ///        elements may then refuse a sticky event on a pad that is no longer active, and the
  ///        source posts an error for the next buffer. This is no failure.
  void read(GstBus* bus, Journal& journal, bool stopping = false);
};

}  // namespace storm
