// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <optional>
#include <string>

#include "program/options/options.h"

namespace mosaic_program {

/// The size of pictures.
struct PictureSize {
  int width = 0, height = 0;  ///< pixels; 0: unknown
  double pixel_width = 1;     ///< of a pixel, divided by its height
};

/// How the input's picture becomes one of the size that the user wants.
struct Framing {
  std::optional<OutputSize> square;  ///< the input is scaled to that size, with square pixels
  std::optional<OutputSize> crop;    ///< the input is cropped to that shape
  bool pad_input = false;            ///< borders are added to the input, whose size is unknown
  OutputSize size;                   ///< of the mosaic; 0: that side follows from the input
  int left = 0, right = 0, top = 0, bottom = 0;  ///< borders around the mosaic, pixels
  std::string notice;                            ///< what the user has to know; empty: nothing
};

/// @param even whether the sides of the output have to be even numbers
/// Throws WrongUsage if the size cannot be had.
Framing frame(const Options& options, const PictureSize& input, bool even);

}  // namespace mosaic_program
