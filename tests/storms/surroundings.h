// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>
#include <vector>

#include "tests/storms/random.h"

namespace storm {

/// Texts that a property may be set to; an empty one stands for NULL.
struct Choices {
  std::vector<std::string> valid;
  std::vector<std::string> refused = {};  ///< or they lead to an error or a warning
};

/// The files and folders that the elements of a storm are given, in one folder. All elements share
/// them, those of several processes too.
class Surroundings {
 public:
  /// Writes them.
  /// @param folder "": a new one, which the destructor removes
  explicit Surroundings(const std::string& folder = {});
  ~Surroundings();
  Surroundings(const Surroundings&) = delete;
  Surroundings& operator=(const Surroundings&) = delete;

  std::string path(const std::string& name) const { return root_ + "/" + name; }

  // What properties may be set to.
  Choices tile_locations() const;
  Choices cache_locations() const;
  Choices config_locations() const;
  Choices intermediate_locations() const;
  Choices profiles() const;

  /// Changes the folder of photos that change: adds, removes, truncates or renames some, or removes
  /// the whole folder. Or puts a FIFO or a link where a file of keep-intermediate is about to be
  /// written. Says what it did.
  std::string change(Random& random) const;

  /// Removes the files of keep-intermediate, which would fill the disk.
  void clear_intermediate() const;

 private:
  std::string hinder_intermediate(Random& random) const;

  std::string root_;
  bool owned_;
};

}  // namespace storm
