// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <string>
#include <vector>

#include "tests/storms/random.h"
#include "tests/storms/surroundings.h"

namespace storm {

/// Which values a storm sets.
struct Ranges {
  /// Tiles of many variants and few pixels, or else of few variants and any number of pixels: with
  /// both, a pool has gigabytes.
  bool many_variants = false;
  /// No values that end a pipeline, or make it wait for many frames, so that it draws many.
  bool harmless = false;

  static Ranges choose(Random& random) {
    const bool many_variants = random.one_in(4);
    return {many_variants, !random.one_in(3)};
  }
};

/// Sets properties of an element to random values: of every property, legal ones, both ends of its
/// range, and texts that are refused.
class Values {
 public:
  /// @param element not owned
  Values(GstElement* element, const Surroundings& surroundings, Ranges ranges);
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
  Choices choices_of(std::string_view name) const;
  Setting choose_text(const GParamSpec* spec, Random& random) const;

  GstElement* element_;
  const Surroundings& surroundings_;
  Ranges ranges_;
  std::vector<GParamSpec*> properties_;
};

}  // namespace storm
