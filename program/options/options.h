// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mosaic_program {

class PhotoInput;

inline constexpr int kLargestSide = 16384;  ///< of a picture that the element draws, pixels

/// In pixels; 0: that side follows from the other and the shape of the input.
struct OutputSize {
  int width = 0, height = 0;
};

/// What is done with an input of another shape than the output.
enum class Fit { kCrop, kPad, kStretch };

/// What the user asked for.
struct Options {
  std::vector<std::string> inputs;  ///< all of them; the others are for the one that is being made
  std::string input;                ///< a file, a URI, a device (/dev/video0) or "camera"
  std::shared_ptr<const PhotoInput> photo;  ///< the input, if it has been read already
  std::string output;                       ///< a file, or empty with `show`
  bool show = false;                        ///< in a window, or by `sink`
  bool fullscreen = false;                  ///< the window covers the screen
  std::string sink;     ///< what shows the mosaic, in the words of gst-launch-1.0; empty: a window
  bool frames = false;  ///< the input is a folder or a pattern of frames
  std::string codec;    ///< of the output, one of codecs(); empty: the usual one
  std::optional<int> quality;              ///< of the encoder: 0 (best) to 63
  std::string frames_per_second;           ///< of the output, a fraction; empty: the input's
  std::optional<OutputSize> output_size;   ///< empty: the input's
  std::optional<Fit> fit;                  ///< empty: kCrop, with a notice
  GstClockTime start = 0;                  ///< of the input: where the output begins
  GstClockTime end = GST_CLOCK_TIME_NONE;  ///< of the input: where it ends; NONE: with the input
  double patience = 30;                    ///< seconds in which nothing moves; 0: no limit
  double reconnect = 0;                    ///< seconds in which a lost address is tried again
  bool force = false;                      ///< a part of a film replaces an older file, too
  bool json = false, dry_run = false, quiet = false, software = false;
  /// Of the element: those that have options of other names (--preset, --config, --tiles), then the
  /// others in the order of the command line.
  std::vector<std::pair<std::string, std::string>> properties;
  std::string places;          ///< a file for what is shown where; empty: none
  std::string save_config;     ///< a file for the settings; empty: none
  bool resume = false;         ///< what was made before is not made again
  bool compare_looks = false;  ///< the output is one picture of all looks
  int jobs = 0;                ///< processes between which a film is divided; 0: this one makes it
  // What the command line does not say: for a film that is made part by part.
  bool video_only = false;  ///< sound and subtitles are left out, without a notice
  int encoder_threads = 0;  ///< of the encoder, whose bytes depend on it; 0: as it likes
};

/// Reads the command line; prints the help or the version and ends the program if they are asked
/// for. Throws WrongUsage.
Options read_options(int argc, char** argv);

}  // namespace mosaic_program
