// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>
#include <vector>

#include "tests/storms/random.h"

namespace storm {

/// The files and folders that the elements of a storm are given, in one folder, which the
/// destructor removes. All elements share them.
class Surroundings {
 public:
  Surroundings();
  ~Surroundings();
  Surroundings(const Surroundings&) = delete;
  Surroundings& operator=(const Surroundings&) = delete;

  std::string path(const std::string& name) const { return root_ + "/" + name; }

  // What properties may be set to; an empty text stands for NULL.
  std::vector<std::string> tile_locations() const;
  std::vector<std::string> cache_locations() const;
  std::vector<std::string> config_locations() const;
  std::vector<std::string> profiles() const;

  /// Changes the folder of photos that change: adds, removes, truncates or renames some, or removes
  /// the whole folder. Says what it did.
  std::string change(Random& random) const;

  /// Removes the files of keep-intermediate, which would fill the disk.
  void clear_intermediate() const;

 private:
  std::string root_;
};

}  // namespace storm
