// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <memory>
#include <span>

#include "executor/executor.h"
#include "mosaic/drawing/tiles_to_draw.h"
#include "mosaic/pool/pool.h"

namespace mosaic {

/// A pool in memory that kernels can read: a copy, unless they can read the host's memory.
class PoolOnDevice {
 public:
  PoolOnDevice(std::shared_ptr<const Pool> pool, const std::shared_ptr<mt::Executor>& executor)
      : pool_(std::move(pool)) {
    pixels_ = take(pool_->pixels(), executor, pixel_copy_);
    features_ = take(pool_->features(), executor, feature_copy_);
    residuals_ = take(pool_->residuals(), executor, residual_copy_);
    stats_ = take(pool_->stats(), executor, stats_copy_);
    grays_ = take(pool_->grays(), executor, gray_copy_);
    executor->wait();
  }

  const Pool& host() const { return *pool_; }
  TilesToDraw tiles() const {
    return {.pixels = pixels_,
            .stats = stats_,
            .photos = pool_->photos(),
            .photo_size = pool_->draw_size(),
            .variants = pool_->tile_variants(),
            .pool_photos = pool_->photos()};
  }
  const uint8_t* pixels() const { return pixels_; }  ///< this and the others as in Pool
  mt::FineFeatures features() const { return {features_, residuals_}; }
  const mt::CellStats* stats() const { return stats_; }
  const uint8_t* grays() const { return grays_; }

 private:
  template <class T>
  static const T* take(std::span<const T> from, const std::shared_ptr<mt::Executor>& executor,
                       mt::DeviceBuffer<T>& copy) {
    if (executor->unified()) return from.data();
    copy = mt::DeviceBuffer<T>(executor, from.size());
    executor->to_device(copy.data(), from.data(), from.size_bytes());
    return copy.data();
  }

  std::shared_ptr<const Pool> pool_;
  mt::DeviceBuffer<uint8_t> pixel_copy_;
  mt::DeviceBuffer<int16_t> feature_copy_, residual_copy_;
  mt::DeviceBuffer<mt::CellStats> stats_copy_;
  mt::DeviceBuffer<uint8_t> gray_copy_;
  const uint8_t* pixels_;
  const int16_t *features_, *residuals_;
  const mt::CellStats* stats_;
  const uint8_t* grays_;
};

}  // namespace mosaic
