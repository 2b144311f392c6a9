// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <string>
#include <vector>

#include "tests/storms/random.h"
#include "tests/storms/surroundings.h"

namespace storm {

/// Sets properties of an element to random values: of every property, legal ones, both ends of its
/// range, and texts that are refused.
class Values {
 public:
  /// @param element not owned
  /// @param many_variants tiles of many variants and few pixels, or else of few variants and any
  ///                      number of pixels: with both, a pool has gigabytes
  Values(GstElement* element, const Surroundings& surroundings, bool many_variants);
  ~Values();
  Values(const Values&) = delete;
  Values& operator=(const Values&) = delete;

  /// A property and the text of a value, as gst_util_set_object_arg takes it.
  struct Setting {
    const GParamSpec* property;
    std::string text;
    bool null = false;  ///< the value is NULL
    std::string describe() const;
  };
  Setting choose(Random& random) const;
  void set(const Setting& setting) const;

  /// Sets all properties to their defaults, except those that may not change after the start.
  void reset() const;

 private:
  std::string choose_number(const GParamSpec* spec, Random& random) const;
  Setting choose_text(const GParamSpec* spec, Random& random) const;

  GstElement* element_;
  const Surroundings& surroundings_;
  bool many_variants_;
  std::vector<GParamSpec*> properties_;
};

}  // namespace storm
