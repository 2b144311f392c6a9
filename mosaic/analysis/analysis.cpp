// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/analysis/analysis.h"

#include <algorithm>
#include <cstdlib>

#include "kernels/features/analyse.h"
#include "kernels/frame/resample.h"
#include "kernels/views.h"

namespace mosaic {
namespace {

int64_t distance(const int32_t* a, const int32_t* b) {
  int64_t sum = 0;
  for (int i = 0; i < 3; ++i) sum += std::abs(a[i] - b[i]);
  return sum;
}

}  // namespace

void describe_tiles(mt::Executor& executor, const uint8_t* pixels, int tiles, int side,
                    int16_t* features, int16_t* residuals, mt::CellStats* stats) {
  // The kernel needs memory for the CIELAB planes of its cells, so tiles are analysed in batches.
  constexpr int kAtOnce = 256;
  const size_t pixel_count = static_cast<size_t>(side) * side;
  std::shared_ptr<mt::Executor> borrowed(&executor, [](mt::Executor*) {});
  const int batch = std::min(tiles, kAtOnce);
  mt::DeviceBuffer<uint8_t> lab(borrowed, batch * 3 * pixel_count);
  mt::DeviceBuffer<uint8_t> lightness(borrowed, batch * static_cast<size_t>(side + 2) * (side + 2));
  for (int first = 0; first < tiles; first += batch) {
    mt::Analyse analyse{};
    analyse.tables = executor.tables();
    analyse.columns = 1;
    analyse.side = side;
    // The kernel writes pixels only where it fetches them from a frame.
    analyse.pixels = const_cast<uint8_t*>(pixels) + first * 3 * pixel_count;
    analyse.lab = lab.data();
    analyse.lightness = lightness.data();
    analyse.features = features + static_cast<size_t>(first) * mt::kFeatureStride;
    analyse.residuals = residuals + static_cast<size_t>(first) * mt::kFeatureStride;
    analyse.stats = stats + first;
    executor.launch(analyse, std::min(batch, tiles - first));
  }
  executor.wait();
}

double AnalysedCells::drift(int cell, const int32_t* rgb) const {
  return static_cast<double>(distance(memory_.stats[cell].rgb, rgb)) / (3.0 * pixels_);
}

KeptCells::KeptCells(const Grid& grid, const std::shared_ptr<mt::Executor>& executor)
    : AnalysedCells(grid),
      cell_pixels_(executor, static_cast<size_t>(grid.cells()) * 3 * grid.side * grid.side),
      stats_(executor, grid.cells()),
      features_(static_cast<size_t>(grid.cells()) * mt::kFeatureStride),
      residuals_(features_.size()) {
  memory_ = {.stats = stats_.data(),
             .features = {features_.data(), residuals_.data()},
             .pixels_on_device = cell_pixels_.data(),
             .stats_on_device = stats_.data()};
}

void KeptCells::copy(const AnalysedCells& from) {
  copy_changes(from);
  std::copy(from.stats().begin(), from.stats().end(), stats_.begin());
  std::copy_n(from.features().features, features_.size(), features_.begin());
  std::copy_n(from.features().residuals, residuals_.size(), residuals_.begin());
}

FrameAnalysis::FrameAnalysis(const Grid& grid, const std::shared_ptr<mt::Executor>& executor)
    : AnalysedCells(grid),
      grid_(grid),
      executor_(executor),
      resampled_(grid.resampled() ? Picture(grid.analysed.width, grid.analysed.height, executor)
                                  : Picture()),
      cell_pixels_(executor, static_cast<size_t>(grid.cells()) * 3 * grid.side * grid.side),
      lab_(executor, cell_pixels_.size()),
      lightness_(executor, static_cast<size_t>(grid.cells()) * (grid.side + 2) * (grid.side + 2)),
      analysed_(executor, grid.cells()),
      features_(executor, static_cast<size_t>(grid.cells()) * mt::kFeatureStride),
      residuals_(executor, features_.size()),
      stats_(executor, grid.cells()),
      rgb_(static_cast<size_t>(grid.cells()) * 3),
      kept_rgb_(rgb_),
      last_analysed_(grid.cells()) {
  memory_ = {.stats = stats_.host(),
             .features = {features_.host(), residuals_.host()},
             .pixels_on_device = cell_pixels_.data(),
             .stats_on_device = stats_.device()};
}

void FrameAnalysis::enqueue(const mt::Planes& source, bool analyse_all, uint8_t* copy,
                            const AnalysisTolerance& tolerance) {
  mt::Analyse analyse{};
  analyse.tables = executor_->tables();
  analyse.source = picture(source);
  if (grid_.resampled())
    executor_->launch(mt::Resample{source, analyse.source}, analyse.source.height);
  analyse.left = grid_.left();
  analyse.top = grid_.top();
  analyse.columns = grid_.columns;
  analyse.side = grid_.side;
  analyse.analyse_all = analyse_all;
  analyse.copy = copy;
  tolerance_ = tolerance.levels;
  analyse.tolerance = static_cast<int32_t>(tolerance.levels * 3 * grid_.side * grid_.side);
  analyse.scene = tolerance.scene;
  analyse.pixels = cell_pixels_.data();
  analyse.lab = lab_.data();
  analyse.lightness = lightness_.data();
  analyse.features = features_.device();
  analyse.residuals = residuals_.device();
  analyse.stats = stats_.device();
  analyse.analysed = analysed_.device();
  executor_->launch(analyse, grid_.cells());
  analysed_.fetch(*executor_);
  stats_.fetch(*executor_);
}

void FrameAnalysis::read_back(const SceneUpdate& scene) {
  const bool replaced = kept_rgb_.update(scene, rgb_);
  changed_.clear();
  ++frame_;
  for (int cell = 0; cell < grid_.cells(); ++cell) {
    moved_[cell] = 0;
    if (analysed_[cell])
      changed_.push_back(cell);
    else if (!replaced)
      continue;
    int32_t* last = &rgb_[static_cast<size_t>(cell) * 3];
    // In the frames in which the cell was not analysed it may have moved up to the tolerance: at an
    // even speed, unless this frame alone moved it further.
    const double drifted = drift(cell, last);
    const auto passed = static_cast<double>(frame_ - last_analysed_[cell]);
    moved_[cell] = std::max(drifted / passed, drifted - (passed > 1 ? tolerance_ : 0));
    last_analysed_[cell] = frame_;
    std::copy_n(stats_[cell].rgb, 3, last);
  }
}

}  // namespace mosaic
