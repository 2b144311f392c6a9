// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/motion_network/network_motion.h"

#include <algorithm>
#include <vector>

#include "kernels/frame/thumbnail.h"
#include "kernels/network/cell_flow.h"

namespace mosaic {
namespace {

/// Adds the pixels, of a row of them, at which the samples of a row of cells lie: in the middle of
/// their parts.
/// @param first, side of the first cell and of each, of a picture with `whole` pixels
/// @param pixels, covered of the row, and how many of them have a flow
void add_sample_pixels(int cells, int first, int side, int whole, int pixels, int covered,
                       std::vector<int32_t>& at) {
  for (int i = 0; i < cells * mt::kCellSamples; ++i) {
    const int64_t middle = int64_t{2} * first * mt::kCellSamples + int64_t{2 * i + 1} * side;
    const int64_t pixel = middle * pixels / (int64_t{2} * mt::kCellSamples * whole);
    at.push_back(static_cast<int32_t>(std::clamp<int64_t>(pixel, 0, covered - 1)));
  }
}

}  // namespace

NetworkMotion::NetworkMotion(const Grid& grid, const std::shared_ptr<mt::Executor>& executor,
                             const Options& options)
    : Motion(grid, executor),
      options_(options),
      small_(executor, size_t{3} * options.size.width * options.size.height),
      difference_(executor, size_t{mt::kEarlierFrames} * options.size.height),
      flow_(options.weights, executor, options.size, options.windows) {
  const mt::PixelSize covered = flow_.size();
  std::vector<int32_t> samples;
  add_sample_pixels(grid.columns, grid.left(), grid.side, grid.analysed.width, options.size.width,
                    covered.width, samples);
  add_sample_pixels(grid.rows, grid.top(), grid.side, grid.analysed.height, options.size.height,
                    covered.height, samples);
  samples_ = {executor, samples.size()};
  executor->to_device(samples_.data(), samples.data(), samples.size() * sizeof(int32_t));
  executor->wait();
}

void NetworkMotion::enqueue(const mt::Planes& frame, int iterations) {
  const auto [width, height] = options_.size;
  mt::Planes small{.plane = {}, .stride = width, .width = width, .height = height};
  for (int i = 0; i < 3; ++i) {
    small.plane[i] = small_.data() + size_t(i) * width * height;
    executor_->launch(mt::Thumbnail{.gray = frame.plane[i],
                                    .stride = frame.stride,
                                    .width = frame.width,
                                    .height = frame.height,
                                    .small = small.plane[i],
                                    .columns = width,
                                    .rows = height,
                                    .earlier = {},
                                    .difference = difference_.data()},
                      height);
  }
  flow_.add_frame(small);
  frames_ = std::min(frames_ + 1, 2);
  if (frames_ < 2) return;
  using Direction = FrameFlow::Direction;
  for (const Direction direction : {Direction::kForward, Direction::kBackward})
    flow_.estimate(direction, iterations);
  const int32_t* x_at = samples_.data();
  const int32_t* y_at = x_at + int64_t{grid_.columns} * mt::kCellSamples;
  executor_->launch(mt::CellFlow{.backward = flow_.flow(Direction::kBackward),
                                 .forward = flow_.flow(Direction::kForward),
                                 .width = flow_.size().width,
                                 .height = flow_.size().height,
                                 .x_at = x_at,
                                 .y_at = y_at,
                                 .columns = grid_.columns,
                                 .cell_width = int64_t{grid_.side} * width,
                                 .cell_width_of = grid_.analysed.width,
                                 .cell_height = int64_t{grid_.side} * height,
                                 .cell_height_of = grid_.analysed.height,
                                 .motion = found_.device()},
                    grid_.cells());
  found_.fetch(*executor_);
}

}  // namespace mosaic
