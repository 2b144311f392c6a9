// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>
#include <vector>

#include "program/farm/job/job.h"

namespace mosaic_program {

/// The names of the files with prepared photos in a folder. They follow from the photos' paths,
/// sizes and times.
std::vector<std::string> photos_in(const std::string& folder);

/// The photos that were prepared when a job was planned, in a folder of this process's own: if the
/// photos are others now, it prepares these beside them, and that is noticed.
class PlannedPhotos {
 public:
  /// Throws TryAgain if the folder cannot be made.
  PlannedPhotos(const Job& job, const JobFolder& folder);
  ~PlannedPhotos();
  PlannedPhotos(const PlannedPhotos&) = delete;
  PlannedPhotos& operator=(const PlannedPhotos&) = delete;

  /// For the property cache-location.
  const std::string& path() const { return path_; }
  /// To be called when the photos have been used. Throws TryAgain if they were others.
  void check() const;

 private:
  const Job& job_;
  std::string path_;
};

}  // namespace mosaic_program
