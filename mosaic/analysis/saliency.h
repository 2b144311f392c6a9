// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/features/cell_stats.h"
#include "mosaic/analysis/continuation.h"
#include "mosaic/analysis/detail.h"
#include "mosaic/analysis/regions.h"
#include "mosaic/base/grid.h"

namespace mosaic {

/// A weight for each cell, with a mean of 1, made of its edges, detail, saturation and nearness to
/// the centre. It multiplies the cell's costs and controls how much of the source shows through.
/// The formula is mosaicraft's, for any cell size. If the frame's edge cuts a cell, edges and
/// detail are those per pixel of the part inside.
///
/// Between keyframes the weights are averaged over time, and a cell's weight in use is replaced
/// only when the average differs from it by more than a quarter of the mean weight.
///
/// In regions of interest a cell has three times its weight. A cell enters or leaves a region only
/// when it has been there, or away, for several frames, so that a detector that misses a face in
/// some frames does not make the mosaic flicker.
class Saliency {
 public:
  explicit Saliency(const Grid& grid);

  /// Computes the weights of a frame.
  /// @param stats   [cells]
  /// @param scene   at a keyframe the average begins anew
  /// @param newest  weight of this frame in the average, 0..1
  /// @param regions of interest in the frame
  void update(std::span<const mt::CellStats> stats, const Detail& detail, const SceneUpdate& scene,
              double newest, std::span<const Region> regions = {});

  /// The weight in use, above 0.
  double weight(int cell) const {
    return state_.used[cell] * (state_.in_region[cell] ? kRegionFactor : 1.0);
  }
  /// [cells]: whether the cell is in a region of interest, 0 or 1.
  std::span<const uint8_t> in_region() const { return state_.in_region; }
  /// Whether the weight in use may differ from that in the frame before.
  bool replaced(int cell) const { return replaced_[cell]; }

 private:
  static constexpr double kRegionFactor = 3;

  void weigh(std::span<const mt::CellStats> stats, const Detail& detail);
  /// @return whether the cell has entered or left the regions
  bool update_region(int cell, bool inside, bool keyframe, double newest);

  Grid grid_;
  std::vector<uint8_t> inside_;  ///< [cells]: whether in a region of the newest frame
  std::vector<double> centre_;   ///< [cells]
  struct State {
    std::vector<double> average, used;
    std::vector<double> region_average;  ///< of 1 inside, 0 outside
    std::vector<uint8_t> in_region;
  };
  std::vector<double> now_;  ///< [cells]: of the newest frame alone
  State state_;
  KeptScenes<State> kept_;
  std::vector<uint8_t> replaced_;
};

}  // namespace mosaic
