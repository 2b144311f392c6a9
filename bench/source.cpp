// SPDX-License-Identifier: LGPL-2.1-or-later
#include "bench/source.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>

#include "cuda/kernels.h"
#include "mosaic/photo.h"
#include "mosaic/pool.h"

namespace bench {
namespace {

constexpr double kThreshold = 10, kNewest = 0.15;  // the element's defaults

std::shared_ptr<const mosaic::PoolOnDevice> load(const char* photos, const mosaic::Grid& grid,
                                                 const std::shared_ptr<mt::Executor>& executor) {
  const std::atomic<bool> cancelled{false};
  return std::make_shared<mosaic::PoolOnDevice>(
      mosaic::load_pool(
          *mosaic::open_photo_folder(photos), {grid.side, grid.draw_side, true, ""}, *executor,
          [](const mosaic::PoolProgress&) {}, [](const std::string&) {}, cancelled),
      executor);
}

/// As GStreamer lays rows out.
int stride_of(int width) {
  return (3 * width + 3) / 4 * 4;
}

/// A packed frame for kernels to read.
mt::FrameView view_of(std::vector<uint8_t>& frame, int width, int height) {
  mt::FrameView view;
  view.width = width;
  view.height = height;
  for (int c = 0; c < 3; ++c) view.component[c] = {frame.data() + c, stride_of(width), 3, 0, 0};
  return view;
}

}  // namespace

Source::Source(const char* photos, std::istream& clip, int width, int height, int side)
    : executor_(mt::make_cpu_executor(0)),
      grid_(mosaic::choose_grid(width, height, width, height, side, "1")),
      pool_(load(photos, grid_, executor_)),
      clip_(clip),
      frame_(static_cast<size_t>(stride_of(width)) * height),
      picture_(width, height, executor_),
      gray_(executor_, static_cast<size_t>(picture_.planes().stride) * height),
      scene_(width, height, executor_),
      motion_(grid_, executor_),
      analysis_(grid_, executor_),
      detail_(grid_, executor_),
      candidates_(grid_.cells(), pool_, executor_),
      saliency_(grid_) {}

void Source::skip(int frames) {
  clip_.ignore(static_cast<std::streamsize>(frame_.size()) * frames);
}

bool Source::next() {
  if (!clip_.read(reinterpret_cast<char*>(frame_.data()),
                  static_cast<std::streamsize>(frame_.size())))
    return false;
  const mt::Planes planes = picture_.planes();
  executor_->launch(
      mt::Unpack{view_of(frame_, grid_.in_width, grid_.in_height), planes, gray_.data()},
      grid_.in_height);
  scene_.look(*executor_, gray_.data(), planes.stride, kThreshold, !remembers_);
  motion_.look(*executor_, scene_.small(), scene_.columns(), scene_.rows());
  analysis_.look(*executor_, planes, !remembers_);
  detail_.look(*executor_, analysis_.picture(planes), gray_.data(), analysis_.on_device().changed);
  candidates_.look(*executor_, analysis_, scene_.on_device());
  executor_->wait();
  analysis_.collect();
  motion_.collect(!scene_.cut());
  saliency_.update(analysis_.stats(), detail_, scene_.cut(), kNewest);
  candidates_.collect(analysis_);
  remembers_ = true;
  return true;
}

int32_t Source::weighted(int cell, int32_t cost) const {
  return mosaic::weighted_cost(cost, mosaic::cost_weight(saliency_.weight(cell)));
}

void Source::costs(int cell, int32_t* costs) const {
  candidates_.all_costs(analysis_, cell, costs);
  for (int t = 0; t < tiles(); ++t) costs[t] = weighted(cell, costs[t]);
}

}  // namespace bench
