// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <stdexcept>

namespace mosaic_program {

/// The program's exit statuses; the manual page lists them.
enum ExitStatus {
  kDone = 0,
  kFailed = 1,
  kWrongUsage = 2,
  kNotWhole = 3,       ///< a file was written, but something is missing in it
  kTryAgain = 75,      ///< a part of a job failed by what may pass; EX_TEMPFAIL of sysexits.h
  kInterrupted = 130,  ///< by Ctrl-C, with a playable file; as shells report it
};

/// Something went wrong; the text is for the user.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What went wrong may go well at another time or on another machine: a file that cannot be read or
/// written now, or nothing has moved.
class TryAgain : public Failure {
 public:
  using Failure::Failure;
};

/// A signal has stopped the work.
class Interrupted : public TryAgain {
 public:
  Interrupted() : TryAgain("interrupted") {}
};

/// The command line makes no sense.
class WrongUsage : public Failure {
 public:
  using Failure::Failure;
};

}  // namespace mosaic_program
