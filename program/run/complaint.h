// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <string>

#include "program/options/options.h"

namespace mosaic_program {

/// An error or a warning of an element, for the user.
struct Complaint {
  /// What reads or decodes the input; the mosaic, converters and encoders; what writes or shows it.
  enum class From { kInput, kBetween, kOutput };
  std::string text;
  From from = From::kBetween;
  bool is_error = false;
  bool is_about_data = false;  ///< something is wrong with what is read
};

/// @param message an error or a warning @param mosaic the element whose texts are for users
Complaint to_complaint(GstMessage* message, GstElement* pipeline, GstElement* mosaic,
                       const Options& options);

}  // namespace mosaic_program
