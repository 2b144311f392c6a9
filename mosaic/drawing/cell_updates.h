// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mosaic/drawing/fades.h"

namespace mosaic {

/// What Drawing has to know of the cells besides their source.
struct CellChanges {
  std::span<const int32_t> changed;  ///< whose picture changes, ascending: they are drawn, or go on
                                     ///< with a crossfade
  std::span<const int32_t> drawn;    ///< ascending
  const Fades& shown;                ///< the tiles that each cell shows
  bool may_fade;                     ///< whether the frame may have crossfades
  std::span<const float> source_share;  ///< [cells]: share of the source when it was last drawn
};

/// What a frame changes in the cells of the picture, and what they show by now.
class CellUpdates {
 public:
  /// What a frame wants of a cell.
  struct Wish {
    int32_t tile;        ///< that the cell is to show in the end
    int fade_frames;     ///< length of a crossfade to it, see Fades::advance()
    bool redraw;         ///< the cell is drawn again even if its tiles are those of the last frame
    float source_share;  ///< share of the source in the picture of the cell, 0..1; used if it is
                         ///< drawn
  };

  explicit CellUpdates(int cells);

  /// Begins a frame: nothing has changed yet. @param fades whether cells can be in a crossfade
  void begin(bool fades);
  /// To be called for each cell, in ascending order. @return whether the cell is drawn
  bool add(int cell, const Wish& wish);

  /// Sets what a cell shows: for a stream of frames that is joined in the middle of a crossfade.
  void join(int cell, const Fades::Cell& shown) { fades_.set(cell, shown); }

  int cells() const { return static_cast<int>(source_share_.size()); }
  CellChanges changes() const { return {changed_, drawn_, fades_, may_fade_, source_share_}; }
  /// The tiles that each cell shows.
  const Fades& shown() const { return fades_; }
  /// The cells whose picture changes, ascending: they are drawn, or go on with a crossfade.
  std::span<const int32_t> changed() const { return changed_; }
  /// The cells that are drawn, ascending.
  std::span<const int32_t> drawn() const { return drawn_; }
  /// Whether the frame ended a crossfade of the cell, or kept it from beginning one, although the
  /// frame may have crossfades.
  bool at_once(int cell) const { return at_once_[cell]; }
  /// The share of the source with which a cell was last drawn.
  float source_share(int cell) const { return source_share_[cell]; }

 private:
  Fades fades_;
  bool may_fade_ = false;
  std::vector<int32_t> changed_, drawn_;
  std::vector<float> source_share_;
  std::vector<uint8_t> at_once_;
};

}  // namespace mosaic
