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
  kInterrupted = 130,  ///< by Ctrl-C, with a playable file; as shells report it
};

/// Something went wrong; the text is for the user.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The command line makes no sense.
class WrongUsage : public Failure {
 public:
  using Failure::Failure;
};

}  // namespace mosaic_program
