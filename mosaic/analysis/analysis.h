// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "executor/executor.h"
#include "kernels/features/cell_stats.h"
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

/// What was found in the cells of one frame.
class AnalysedCells {
 public:
  /// [cells]
  std::span<const mt::CellStats> stats() const { return {memory_.stats, moved_.size()}; }
  /// The cells that were analysed because their pixels had changed, in ascending order.
  const std::vector<int32_t>& changed() const { return changed_; }
  /// How much a cell's mean colour differs from that in the frame that this one continues, in
  /// levels, averaged over R, G and B; an estimate if the cell was not analysed in that frame.
  /// Meaningless in the first frame.
  double moved(int cell) const { return moved_[cell]; }
  /// How much a cell's mean colour differs from another colour, in the same unit as moved().
  /// @param rgb [3]: sums over the cell's pixels
  double drift(int cell, const int32_t* rgb) const;
  /// [cells]
  mt::FineFeatures features() const { return memory_.features; }

  /// Where kernels reach them: [cells][3: R, G, B][side][side], and [cells].
  const uint8_t* pixels_on_device() const { return memory_.pixels_on_device; }
  const mt::CellStats* stats_on_device() const { return memory_.stats_on_device; }

 protected:
  /// Memory of the class that is derived from this one.
  struct Memory {
    const mt::CellStats* stats = nullptr;
    mt::FineFeatures features{};
    const uint8_t* pixels_on_device = nullptr;
    const mt::CellStats* stats_on_device = nullptr;
  };
  explicit AnalysedCells(const Grid& grid) : pixels_(grid.side * grid.side), moved_(grid.cells()) {
    changed_.reserve(grid.cells());
  }
  AnalysedCells(const AnalysedCells&) = delete;
  AnalysedCells& operator=(const AnalysedCells&) = delete;
  ~AnalysedCells() = default;
  void copy_changes(const AnalysedCells& from) {
    changed_ = from.changed_;
    moved_ = from.moved_;
  }

  Memory memory_;
  int pixels_;  ///< of a cell
  std::vector<int32_t> changed_;
  std::vector<double> moved_;  ///< [cells]
};

/// A copy of what was found in the cells of a frame. It keeps that while later frames are analysed.
class KeptCells final : public AnalysedCells {
 public:
  KeptCells(const Grid& grid, const std::shared_ptr<mt::Executor>& executor);

  /// Where the analysis is to copy the pixels, see FrameAnalysis::enqueue.
  uint8_t* pixels() { return cell_pixels_.data(); }
  /// Copies everything but the pixels. Features must have been fetched.
  void copy(const AnalysedCells& from);

 private:
  mt::DeviceBuffer<uint8_t> cell_pixels_;
  mt::Buffer<mt::CellStats> stats_;
  std::vector<int16_t> features_, residuals_;
};

/// AnalysisTolerance::levels in looks with fidelity. With 2, tiles change visibly more often
/// without reason where the camera pans (measured by `./run coherence`).
inline constexpr double kAnalysisTolerance = 1;

/// How far the pixels of a cell may move before it is analysed again.
struct AnalysisTolerance {
  double levels = 0;  ///< mean absolute difference from the pixels that were analysed last
  /// Of the frame, on the device. If a scene begins or returns with the frame, the tolerance is 0,
  /// and so it is if this is null.
  const mt::SceneState* scene = nullptr;
};

/// Features and statistics of the cells of the newest frame. Where a cell's pixels are those that
/// were last analysed, its results stay and are not computed again. Host copies of the features are
/// those of the last fetch_features(), once waited for.
class FrameAnalysis final : public AnalysedCells {
 public:
  FrameAnalysis(const Grid& grid, const std::shared_ptr<mt::Executor>& executor);

  /// Launches the analysis of a frame.
  /// @param source in_width x in_height
  /// @param analyse_all analyse unchanged cells, too
  /// @param copy   KeptCells::pixels(), which receives the pixels of all cells; null: none does
  void enqueue(const mt::Planes& source, bool analyse_all, uint8_t* copy = nullptr,
               const AnalysisTolerance& tolerance = {});
  /// Reads the results of enqueue() back, once that has been waited for.
  void read_back(const SceneUpdate& scene = {});

  /// The picture that the cells are taken from: the source, or the source resampled as the grid
  /// says.
  mt::Planes picture(const mt::Planes& source) {
    return grid_.resampled() ? resampled_.planes() : source;
  }

  void fetch_features() {
    features_.fetch(*executor_);
    residuals_.fetch(*executor_);
  }

  /// The results where kernels reach them.
  struct OnDevice {
    const uint8_t* changed;      ///< [cells]: 1 or 0
    const uint8_t* pixels;       ///< [cells][3: R, G, B][side][side]
    mt::FineFeatures features;   ///< [cells]
    const mt::CellStats* stats;  ///< [cells]
  };
  OnDevice on_device() const {
    return {.changed = analysed_.device(),
            .pixels = cell_pixels_.data(),
            .features = {features_.device(), residuals_.device()},
            .stats = stats_.device()};
  }

 private:
  Grid grid_;
  std::shared_ptr<mt::Executor> executor_;
  Picture resampled_;  ///< the picture that the cells are laid on, if grid_.resampled()
  mt::DeviceBuffer<uint8_t> cell_pixels_, lab_, lightness_;
  mt::Mirror<uint8_t> analysed_;
  mt::Mirror<int16_t> features_, residuals_;
  mt::Mirror<mt::CellStats> stats_;
  std::vector<int32_t> rgb_;  ///< [cells][3]: sums of R, G, B in the last frame
  KeptScenes<std::vector<int32_t>> kept_rgb_;
  double tolerance_ = 0;  ///< AnalysisTolerance::levels of the newest frame
  uint64_t frame_ = 0;
  std::vector<uint64_t> last_analysed_;  ///< [cells]: frame_ when each was analysed last
};

}  // namespace mosaic
