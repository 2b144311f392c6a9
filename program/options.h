// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mosaic_program {

struct Size {
  int width, height;
};

/// What the user asked for.
struct Options {
  std::string input;   ///< a file, a URI, a device (/dev/video0) or "camera"
  std::string output;  ///< a file, or empty with `show`
  bool show = false;
  bool frames = false;              ///< the input is a folder or a pattern of frames
  std::optional<int> quality;       ///< of the encoder: 0 (best) to 51
  std::string frames_per_second;    ///< of the output, a fraction; empty: the input's
  std::optional<Size> output_size;  ///< empty: the input's
  double seconds = 0;               ///< ends after that time; 0: at the end of the input
  double patience = 30;             ///< seconds in which nothing moves; 0: no limit
  double reconnect = 0;             ///< seconds in which a lost address is tried again
  bool force = false;               ///< a part of a film replaces an older file, too
  bool json = false, dry_run = false, quiet = false, software = false;
  /// Of the element: those that have options of other names (--preset, --config, --tiles), then the
  /// others in the order of the command line.
  std::vector<std::pair<std::string, std::string>> properties;
};

/// Reads the command line; prints the help or the version and ends the program if they are asked
/// for. Throws WrongUsage.
Options read_options(int argc, char** argv);

}  // namespace mosaic_program
