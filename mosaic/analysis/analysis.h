// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cuda/executor.h"
#include "cuda/features/cell_stats.h"
#include "mosaic/analysis/continuation.h"
#include "mosaic/base/grid.h"
#include "mosaic/base/picture.h"

namespace mosaic {

/// Features and statistics of tiles, by the kernel that also analyses the cells of a frame.
/// @param executor of the CPU
/// @param pixels   [tiles][3: R, G, B][side][side]
/// @param side     8..256
/// @param features, residuals [tiles][mt::kFeatureStride], written; see mt::FeatureOut
/// @param stats    [tiles], written
void describe_tiles(mt::Executor& executor, const uint8_t* pixels, int tiles, int side,
                    int16_t* features, int16_t* residuals, mt::CellStats* stats);

/// Features and statistics of the cells of the newest frame. Where a cell's pixels are those of the
/// frame before, its results stay and are not computed again.
class FrameAnalysis {
 public:
  FrameAnalysis(const Grid& grid, const std::shared_ptr<mt::Executor>& executor);

  /// Launches the analysis of a frame.
  /// @param source in_width x in_height; @param analyse_all analyse unchanged cells, too
  void enqueue(mt::Executor& executor, const mt::Planes& source, bool analyse_all);
  /// Reads the results of enqueue() back, once that has been waited for.
  void read_back(const SceneUpdate& scene = {});

  /// The picture that the cells are taken from: the source, or the source resampled as the grid
  /// says.
  mt::Planes picture(const mt::Planes& source) {
    return grid_.resampled() ? resampled_.planes() : source;
  }

  /// Host copies of the results, [cells].
  std::span<const mt::CellStats> stats() const { return {stats_.host(), stats_.size()}; }
  /// The cells that the last enqueue() found changed, ascending.
  const std::vector<int32_t>& changed() const { return changed_; }
  /// How much a cell's mean colour differs from that in the frame that this one continues, in
  /// levels, averaged over R, G and B. Meaningless in the first frame.
  double moved(int cell) const { return moved_[cell]; }
  /// How much a cell's mean colour differs from another colour, in the same unit as moved().
  /// @param rgb [3]: sums over the cell's pixels
  double drift(int cell, const int32_t* rgb) const;
  /// Host copies of the features, [cells]; those of the last fetch_features(), once waited for.
  mt::FineFeatures features() const { return {features_.host(), residuals_.host()}; }
  void fetch_features(mt::Executor& executor) {
    features_.fetch(executor);
    residuals_.fetch(executor);
  }

  /// The results where kernels reach them.
  struct OnDevice {
    const uint8_t* changed;      ///< [cells]: 1 or 0
    const uint8_t* pixels;       ///< [cells][3: R, G, B][side][side]
    mt::FineFeatures features;   ///< [cells]
    const mt::CellStats* stats;  ///< [cells]
  };
  OnDevice on_device() const {
    return {analysed_.device(),
            pixels_.data(),
            {features_.device(), residuals_.device()},
            stats_.device()};
  }

 private:
  Grid grid_;
  Picture resampled_;  ///< the picture that the cells are laid on, if grid_.resampled()
  mt::DeviceBuffer<uint8_t> pixels_, lab_, lightness_;
  mt::Mirror<uint8_t> analysed_;
  mt::Mirror<int16_t> features_, residuals_;
  mt::Mirror<mt::CellStats> stats_;
  std::vector<int32_t> changed_;
  std::vector<int32_t> rgb_;  ///< [cells][3]: sums of R, G, B in the last frame
  KeptScenes<std::vector<int32_t>> kept_rgb_;
  std::vector<double> moved_;  ///< [cells]
};

}  // namespace mosaic
