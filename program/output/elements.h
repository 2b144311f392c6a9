// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Which of GStreamer's elements are installed.
#pragma once

#include <string>
#include <vector>

namespace mosaic_program {

/// Whether GStreamer has an element of this name.
bool have_element(const std::string& name);

/// The first that is installed. @param what they encode, for the error
/// Throws Failure if none is.
std::string first_of(const std::vector<std::string>& elements, const std::string& what);

}  // namespace mosaic_program
