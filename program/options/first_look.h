// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "program/options/options.h"
#include "program/pipeline/framing.h"

namespace mosaic_program {

/// The picture that a mosaic is made of. A side of 0 pixels: its size is not known beforehand.
struct Picture {
  PictureSize size;  ///< of the input
  OutputSize drawn;  ///< of the mosaic; 0: that side follows from the input
  bool still = false;
  bool live = false;
};

/// Properties of the element for what the user chose neither by an option nor by another property:
/// the look, and the number of cells. They have to be set before the user's own, so that a
/// configuration file replaces those that it names.
std::vector<std::pair<std::string, std::string>> first_look(const Options& options,
                                                            const Picture& picture);

}  // namespace mosaic_program
