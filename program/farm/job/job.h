// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mosaic/windows/window_options.h"
#include "program/farm/job/division.h"
#include "program/options/options.h"

namespace mosaic_program {

/// A film that is made part by part, as `mosaic-temporal plan` has written it into a folder.
/// Nothing in it depends on the machine, so the same plan gives the same mosaic.
struct Job {
  std::string id;  ///< a hash of all that follows
  /// The film.
  std::string uri;
  guint64 source_bytes = 0;
  std::string source_hash;
  GstClockTime start = 0, end = GST_CLOCK_TIME_NONE;  ///< of the film, as Options has them
  std::string version, gstreamer;                     ///< of this program, and of GStreamer
  /// How the video is encoded.
  std::string codec, encoder;
  int encoder_threads = 0;
  std::optional<int> quality;
  std::string frames_per_second;          ///< as in Options
  std::optional<OutputSize> output_size;  ///< the same
  std::optional<Fit> fit;                 ///< the same
  /// Properties of the element: all but those that say something of the machine.
  std::vector<std::pair<std::string, std::string>> properties;
  mosaic::WindowOptions windows;
  std::vector<std::string> photos;  ///< the names of files with prepared photos
  std::vector<std::string> losses;  ///< what is missing in the film, in sentences
  GstClockTime duration = 0;        ///< of the mosaic
  std::vector<FilmFrame> film;      ///< its cuts are known only while it is planned
  std::vector<FarmPart> parts;
};

/// The names of a job's files. The folder is absolute.
class JobFolder {
 public:
  explicit JobFolder(const std::string& folder);

  const std::string& path() const { return path_; }
  std::string plan() const;
  std::string frames() const;  ///< of the film: their times and hashes
  std::string cache() const;   ///< a folder of prepared photos
  /// A name that no other process uses, for something that is not whole.
  std::string working(const std::string& name) const;
  std::string part(int number, const char* extension) const;
  /// The same for a joint; another plan's has another name.
  std::string joint(const Job& job, int number) const;

 private:
  std::string path_;
};

/// Writes the plan and the frames, the plan last, and sets Job::id. Throws Failure.
void save_job(Job& job, const JobFolder& folder);

/// The version of GStreamer that runs, "1.22.0".
std::string gstreamer_version();

/// Throws Failure if the files are no plan, or have been changed; TryAgain if they cannot be read.
Job load_job(const JobFolder& folder);

/// Throws TryAgain if this program or GStreamer has another version than the plan, and may give
/// other bytes.
void check_versions(const Job& job);

/// The options with which parts of a job are made. @param photos a folder of prepared photos
/// @param output a file
Options options_of(const Job& job, const std::string& photos, const std::string& output);

/// The number of a job's part from a command line. Throws WrongUsage.
int part_number(const Job& job, const std::string& text);

}  // namespace mosaic_program
