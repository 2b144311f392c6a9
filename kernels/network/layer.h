// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "kernels/group.h"

namespace mt {

/// The values of a layer of a network, for a batch of pictures: all channels of a pixel side by
/// side, and around each picture a border, which stays zero, for the taps of convolutions beyond
/// the edge.
struct Layer {
  float* data = nullptr;  ///< of the first picture, border included
  int32_t width = 0;      ///< pixels, without the border
  int32_t height = 0;
  int32_t channels = 0;  ///< values of a pixel
  int32_t border = 0;    ///< pixels

  MT_HD int64_t row() const { return int64_t{width + 2 * border} * channels; }  ///< values
  MT_HD int64_t picture() const { return row() * (height + 2 * border); }       ///< values
  /// The first channel of pixel 0 of a row; rows are counted through all pictures.
  MT_HD float* at(int index) const {
    return data + index / height * picture() + (index % height + border) * row() +
           int64_t{border} * channels;
  }
};

}  // namespace mt
