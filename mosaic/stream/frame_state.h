// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "mosaic/analysis/continuation.h"
#include "mosaic/drawing/fades.h"
#include "mosaic/stream/cell_source.h"

namespace mosaic::stream {

/// What a stream says of its newest frame. Sender and receiver both have it: what one frame sends
/// is how it differs from that of the frame before.
struct FrameState {
  struct Cell {
    Fades::Cell shown;       ///< tiles, at most StreamHeader::tiles() - 1; after the frame
    int32_t tile = 0;        ///< that the frame wants, see CellUpdates::Wish
    bool changed = false;    ///< the tile is not that of the frame before, and this is no keyframe
    bool at_once = false;    ///< the frame changes the tile without a crossfade
    bool drawn = false;      ///< anew, from its source; always false with SourceNeeds::kNothing
    bool in_region = false;  ///< of interest
  };

  /// @param needs what is sent of the source of each cell
  FrameState(int cell_count, SourceNeeds needs)
      : cells(cell_count),
        source_needs(needs),
        numbers(static_cast<size_t>(cell_count) * count_of(needs)) {}

  Continuation continuation = Continuation::kStart;
  int blend = 0;  ///< 0..16: frames that a crossfade takes
  std::vector<Cell> cells;
  SourceNeeds source_needs;
  std::vector<int32_t> numbers;  ///< [cells][count_of(source_needs)]: when each was last drawn

  int32_t* numbers_of(int cell) {
    return numbers.data() + static_cast<size_t>(cell) * count_of(source_needs);
  }
  const int32_t* numbers_of(int cell) const {
    return numbers.data() + static_cast<size_t>(cell) * count_of(source_needs);
  }
};

}  // namespace mosaic::stream
