// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/drawing/seam_blending.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/drawing/pyramid_blend.h"
#include "kernels/math/border.h"
#include "kernels/views.h"

namespace mosaic {
namespace {

template <class T>
mt::NumberPlanes<T> planes(mt::DeviceBuffer<T>& memory, int width, int height) {
  const size_t plane = static_cast<size_t>(width) * height;
  T* first = memory.data();
  return {.plane = {first, first + plane, first + 2 * plane},
          .stride = width,
          .width = width,
          .height = height};
}

/// The border mask of a cell: highest at the cell's edge, 0 inside. The loop assigns in
/// mosaicraft's order, on which the corners depend.
std::vector<double> cell_border(const mt::PixelSize& cell) {
  const int width = cell.width, height = cell.height;
  const int across = std::max(2, width / 15), down = std::max(2, height / 15);
  std::vector<double> centre(static_cast<size_t>(width) * height, 1.0);
  const auto at = [&](int y, int x) -> double& {
    return centre[static_cast<size_t>(y) * width + x];
  };
  const auto lower = [&](int y, int x, double alpha) { at(y, x) = std::min(at(y, x), alpha); };
  for (int i = 0; i < std::max(across, down); ++i) {
    const double row = (i + 1.0) / (down + 1), column = (i + 1.0) / (across + 1);
    for (int x = 0; x < width && i < std::min(down, height); ++x) {
      at(i, x) = row;
      lower(height - 1 - i, x, row);
    }
    for (int y = 0; y < height && i < std::min(across, width); ++y) {
      lower(y, i, column);
      lower(y, width - 1 - i, column);
    }
  }
  for (double& v : centre) v = 1 - v;
  return centre;
}

/// The border mask of the whole picture. A cell that is cut by the picture's edge, or smaller than
/// the largest, has the matching part of a whole cell's mask.
std::vector<double> border(const Grid& grid, const mt::Cancellation& cancellation) {
  const std::vector<double> cell = cell_border(grid.draw_size);
  std::vector<double> mask(static_cast<size_t>(grid.out_width) * grid.out_height);
  for (int r = 0; r < grid.rows; ++r)
    for (int c = 0; c < grid.columns; ++c) {
      cancellation.check();
      const int left = grid.out_x(c), top = grid.out_y(r);
      const int right = std::min(grid.out_x(c + 1), grid.out_width);
      const int bottom = std::min(grid.out_y(r + 1), grid.out_height);
      for (int y = std::max(top, 0); y < bottom; ++y)
        for (int x = std::max(left, 0); x < right; ++x)
          mask[static_cast<size_t>(y) * grid.out_width + x] =
              cell[static_cast<size_t>(y - top) * grid.draw_size.width + (x - left)];
    }
  return mask;
}

/// OpenCV's pyrDown.
std::vector<double> half_of(const std::vector<double>& in, int width, int height,
                            const mt::Cancellation& cancellation) {
  static constexpr double kWeight[] = {1 / 16.0, 4 / 16.0, 6 / 16.0, 4 / 16.0, 1 / 16.0};
  const int w = (width + 1) / 2, h = (height + 1) / 2;
  std::vector<double> out(static_cast<size_t>(w) * h);
  for (int y = 0; y < h; ++y) {
    cancellation.check();
    for (int x = 0; x < w; ++x)
      for (int j = 0; j < 5; ++j)
        for (int i = 0; i < 5; ++i)
          out[static_cast<size_t>(y) * w + x] +=
              kWeight[j] * kWeight[i] *
              in[static_cast<size_t>(mt::mirrored(2 * y + j - 2, height)) * width +
                 mt::mirrored(2 * x + i - 2, width)];
  }
  return out;
}

/// Copies a mask to the device in fixed point. @param stride of its rows there
mt::DeviceBuffer<uint16_t> upload(const std::vector<double>& mask, int width, int stride,
                                  const std::shared_ptr<mt::Executor>& executor) {
  const size_t height = mask.size() / width;
  std::vector<uint16_t> fixed(stride * height);
  for (size_t y = 0; y < height; ++y) {
    executor->cancellation().check();
    for (int x = 0; x < width; ++x)
      fixed[y * stride + x] =
          static_cast<uint16_t>(std::lround(mask[y * width + x] * (1 << mt::kSeamBits)));
  }
  mt::DeviceBuffer<uint16_t> buffer(executor, fixed.size());
  executor->to_device(buffer.data(), fixed.data(), fixed.size() * sizeof(uint16_t));
  executor->wait();
  return buffer;
}

}  // namespace

SeamBlending::SeamBlending(const Grid& grid, const std::shared_ptr<mt::Executor>& executor)
    : executor_(executor),
      width_(grid.out_width),
      height_(grid.out_height),
      half_width_((width_ + 1) / 2),
      half_height_((height_ + 1) / 2),
      quarter_width_((half_width_ + 1) / 2),
      quarter_height_((half_height_ + 1) / 2),
      result_(width_, height_, executor),
      half_(executor, size_t{3} * half_width_ * half_height_),
      quarter_(executor, size_t{3} * quarter_width_ * quarter_height_),
      coarse_(executor, half_.size()) {
  const std::vector<double> mask = border(grid, executor->cancellation());
  mask_ = upload(mask, width_, result_.planes().stride, executor);
  half_mask_ = upload(half_of(mask, width_, height_, executor->cancellation()), half_width_,
                      half_width_, executor);
}

mt::Planes SeamBlending::apply(const mt::Planes& from, int levels) {
  const auto half = planes(half_, half_width_, half_height_);
  const auto quarter = planes(quarter_, quarter_width_, quarter_height_);
  const auto coarse = planes(coarse_, half_width_, half_height_);
  executor_->launch(mt::HalvePicture{from, half}, half_height_);
  if (levels > 1) {
    executor_->launch(mt::QuarterPicture{half, quarter}, quarter_height_);
    executor_->launch(
        mt::CoarseSeams{.half = half, .quarter = quarter, .mask = half_mask_.data(), .to = coarse},
        half_height_);
  }
  executor_->launch(mt::Seams{.from = from,
                              .half = half,
                              .coarse = coarse,
                              .mask = mask_.data(),
                              .two_levels = levels > 1,
                              .to = result_.planes()},
                    height_);
  return result_.planes();
}

}  // namespace mosaic
