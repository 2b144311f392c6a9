// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <string>
#include <vector>

namespace mosaic_program {

/// Commands of a shell, of which each reads what the one before it writes; each is a list of words.
using Commands = std::vector<std::vector<std::string>>;

/// A pipeline in the words of gst-launch-1.0.
class PipelineLine {
 public:
  /// Adds an element or caps, and links the previous one to it.
  PipelineLine& link(const std::string& word);
  /// Sets a property of the last element. The value may contain anything but a null character.
  PipelineLine& set(const std::string& property, const std::string& value);
  PipelineLine& set(const std::string& property, int value);
  /// Begins another branch: what is linked next follows the element of this name. @param pad of it;
  /// empty: any that fits
  PipelineLine& from(const std::string& name, const std::string& pad = "");
  /// Ends the branch at the element of this name, at a pad of this template, or any that fits.
  PipelineLine& to(const std::string& name, const std::string& pad = "");
  /// Begins another branch with an element that nothing is linked with.
  PipelineLine& begin(const std::string& factory);

  /// Begins with an element that reads a file descriptor, which stays its caller's. As a command,
  /// the pipeline reads what other commands write.
  PipelineLine& read(int fd, Commands writers);

  /// The pipeline; its caller owns it. Throws Failure if an element is missing or refuses a value.
  GstElement* make() const;
  /// The command for a shell.
  std::string command() const;

 private:
  /// A text that is not UTF-8, as names of files need not be. A pipeline's text can only be UTF-8,
  /// so such texts are set afterwards.
  struct Raw {
    size_t element, word;  ///< indices
    std::string property, value;
  };

  std::vector<std::string> words_;
  Commands writers_;                ///< the commands before this one
  std::string read_word_;           ///< the property that is left out of a command
  std::vector<std::string> names_;  ///< of what was linked; empty: none
  std::vector<Raw> raw_;
  bool follows_ = false;  ///< what is linked next follows something
  /// The next link starts at the element of a from(), whose pads may appear later. For a link with
  /// caps, GStreamer adds a temporary capsfilter for each new pad, and if the pad does not fit,
  /// sets the capsfilter to NULL and removes it. A pipeline that is starting may set it to PAUSED
  /// between the two, which ends in a critical warning. So caps are written as an element of their
  /// own.
  bool from_name_ = false;
};

}  // namespace mosaic_program
