// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cuda/cell_stats.h"
#include "cuda/scene.h"
#include "mosaic/detail.h"
#include "mosaic/grid.h"

namespace mosaic {

/// How much each cell matters: edges, detail, saturation and nearness to the centre, 1 on the mean.
/// It weighs a cell's costs and how much of the source shows through. mosaicraft's, whatever the
/// cell size; a cell that the frame's edge cuts has the density of what is left of it.
///
/// Between keyframes the weights are averaged over time, and a cell's weight in use is replaced
/// only when the average has left it by a visible step.
class Saliency {
 public:
  explicit Saliency(const Grid& grid);

  /// Takes in a frame. @param stats [cells]; @param keyframe history is dropped;
  /// @param newest weight of this frame in the average, 0..1
  void update(std::span<const mt::CellStats> stats, const Detail& detail, bool keyframe,
              double newest);

  /// Keeps what lasts from frame to frame, and goes on from that in the next update().
  /// @param scene 1..mt::kKeptScenes
  void keep(int scene);
  void recall(int scene);

  /// The weight in use, above 0.
  double weight(int cell) const { return used_[cell]; }
  /// Whether update() replaced the weight in use, or went on from others.
  bool replaced(int cell) const { return replaced_[cell]; }

 private:
  void weigh(std::span<const mt::CellStats> stats, const Detail& detail);

  int pixels_;
  std::vector<double> centre_;  ///< [cells]
  struct Lasting {
    std::vector<double> average, used;
  };
  std::vector<double> now_, average_, used_;
  std::array<Lasting, mt::kKeptScenes> kept_;
  bool recalled_ = false;  ///< since the last update()
  std::vector<uint8_t> replaced_;
};

}  // namespace mosaic
