// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/farm/job/planned_photos.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "program/failure.h"

namespace mosaic_program {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::vector<std::string> photos_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator file(folder, error), end; !error && file != end;
       file.increment(error))
    if (file->path().extension() == ".pool") names.push_back(file->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

PlannedPhotos::PlannedPhotos(const Job& job, const JobFolder& folder) : job_(job) {
  path_ = folder.working("photos");
  std::error_code error;
  fs::remove_all(path_, error);
  if (!fs::create_directory(path_, error)) throw TryAgain(path_ + ": " + error.message());
  for (const std::string& name : job.photos) {
    const fs::path from = fs::path(folder.cache()) / name, to = fs::path(path_) / name;
    fs::create_hard_link(from, to, error);
    if (error) fs::copy_file(from, to, error);
    // Without it the photos are prepared again, which takes longer.
  }
}

PlannedPhotos::~PlannedPhotos() {
  std::error_code error;
  fs::remove_all(path_, error);
}

void PlannedPhotos::check() const {
  const std::vector<std::string> names = photos_in(path_);
  for (const std::string& name : names)
    if (std::find(job_.photos.begin(), job_.photos.end(), name) == job_.photos.end())
      throw TryAgain(
          "the photos are not those that were planned: some were changed, or cannot be "
          "read here");
}

}  // namespace mosaic_program
