// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cuda/cell_stats.h"
#include "cuda/executor.h"
#include "cuda/scene.h"
#include "mosaic/grid.h"
#include "mosaic/picture.h"

namespace mosaic {

/// Features and statistics of tiles, by the kernel that also looks at the cells of a frame.
/// @param executor of the CPU
/// @param pixels   [tiles][3: R, G, B][side][side]
/// @param side     8..256
/// @param features, remainders [tiles][mt::kFeatureStride], written; see mt::FeatureOut
/// @param stats    [tiles], written
void describe_tiles(mt::Executor& executor, const uint8_t* pixels, int tiles, int side,
                    int16_t* features, int16_t* remainders, mt::CellStats* stats);

/// What is known of the cells of the newest frame. A cell whose pixels are those of the frame
/// before is not looked at again.
class FrameAnalysis {
 public:
  FrameAnalysis(const Grid& grid, const std::shared_ptr<mt::Executor>& executor);

  /// Has a frame looked at. @param source in_width x in_height; @param all also at unchanged cells
  void look(mt::Executor& executor, const mt::Planes& source, bool all);
  /// Takes in what look() found, once that has been waited for.
  void collect();

  /// Keeps what the cells were in the last frame, and in the next collect() takes them to have been
  /// that. @param scene 1..mt::kKeptScenes
  void keep(int scene) { kept_rgb_[scene - 1] = rgb_; }
  void recall(int scene);

  /// The picture that the cells come from: the source, or that stretched to whole cells.
  mt::Planes picture(const mt::Planes& source) {
    return grid_.stretched ? stretched_.planes() : source;
  }

  /// What the host knows.
  std::span<const mt::CellStats> stats() const { return {stats_.host(), stats_.size()}; }
  /// The cells that the last look() found changed, ascending.
  const std::vector<int32_t>& changed() const { return changed_; }
  /// How far a cell's mean colour has moved since the frame that this one goes on from, in levels,
  /// averaged over R, G and B. Of the first frame it says nothing.
  double moved(int cell) const { return moved_[cell]; }
  /// How far it is from another. @param rgb sums over the cell's pixels
  double drift(int cell, const int32_t* rgb) const;
  /// [cells], as of fetch_features().
  mt::FineFeatures features() const { return {features_.host(), remainders_.host()}; }
  void fetch_features(mt::Executor& executor) {
    features_.fetch(executor);
    remainders_.fetch(executor);
  }

  /// What kernels read.
  struct OnDevice {
    const uint8_t* changed;      ///< [cells]: 1 or 0
    const uint8_t* pixels;       ///< [cells][3: R, G, B][side][side]
    mt::FineFeatures features;   ///< [cells]
    const mt::CellStats* stats;  ///< [cells]
  };
  OnDevice on_device() const {
    return {looked_at_.device(),
            pixels_.data(),
            {features_.device(), remainders_.device()},
            stats_.device()};
  }

 private:
  Grid grid_;
  Picture stretched_;  ///< the frame at whole cells, where the grid asks for it
  mt::DeviceBuffer<uint8_t> pixels_, lab_, light_;
  mt::Mirror<uint8_t> looked_at_;
  mt::Mirror<int16_t> features_, remainders_;
  mt::Mirror<mt::CellStats> stats_;
  std::vector<int32_t> changed_;
  std::vector<int32_t> rgb_;  ///< [cells][3]: sums in the last frame
  std::array<std::vector<int32_t>, mt::kKeptScenes> kept_rgb_;
  bool recalled_ = false;      ///< since the last collect()
  std::vector<double> moved_;  ///< [cells]
};

}  // namespace mosaic
