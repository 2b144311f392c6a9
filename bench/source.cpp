// SPDX-License-Identifier: LGPL-2.1-or-later
#include "bench/source.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>

#include "cpu/cpu_executor.h"
#include "mosaic/photos/photo.h"
#include "mosaic/pool/pool.h"

namespace bench {
namespace {

std::shared_ptr<const mosaic::PoolOnDevice> load(const char* photos, const mosaic::Grid& grid,
                                                 const std::shared_ptr<mt::Executor>& executor) {
  const std::atomic<bool> cancelled{false};
  return std::make_shared<mosaic::PoolOnDevice>(
      mosaic::load_pool(
          *mosaic::open_photo_folder(photos, cancelled), {grid.side, grid.draw_size, true, ""},
          *executor, [](const mosaic::PoolProgress&) {}, [](const std::string&) {}, cancelled),
      executor);
}

/// Bytes of a row, padded as by GStreamer.
int stride_of(int width) {
  return (3 * width + 3) / 4 * 4;
}

}  // namespace

Clip::Clip(std::istream& in, int width, int height) : in_(in), width_(width), height_(height) {}

void Clip::skip(int frames) {
  in_.ignore(static_cast<std::streamsize>(stride_of(width_)) * height_ * frames);
}

uint8_t* Clip::frame(int number) {
  while (first_ + static_cast<int>(frames_.size()) <= number) {
    std::vector<uint8_t> frame(static_cast<size_t>(stride_of(width_)) * height_);
    if (!in_.read(reinterpret_cast<char*>(frame.data()),
                  static_cast<std::streamsize>(frame.size())))
      return nullptr;
    frames_.push_back(std::move(frame));
  }
  return frames_[number - first_].data();
}

void Clip::drop(int number) {
  for (; first_ < number && !frames_.empty(); ++first_) frames_.pop_front();
}

mt::FrameView Clip::view(uint8_t* frame) const {
  mt::FrameView view;
  view.width = width_;
  view.height = height_;
  for (int c = 0; c < 3; ++c) view.component[c] = {frame + c, stride_of(width_), 3, 0, 0};
  return view;
}

Setup::Setup(const char* photos, int width, int height, int side)
    : executor(mt::make_cpu_executor(0)),
      grid(mosaic::choose_grid(width, height, width, height, side, "1")),
      pool(load(photos, grid, executor)) {}

Source::Source(const Setup& setup, Clip& clip, bool tolerant)
    : executor_(setup.executor),
      grid_(setup.grid),
      pool_(setup.pool),
      clip_(clip),
      stages_(grid_, pool_, grid_.cells(), executor_) {
  settings_.flow = mosaic::Flow::kBlock;
  settings_.look.fidelity = tolerant ? 1 : 0;  // with fidelity the analysis has its tolerance
}

bool Source::next() {
  if (!analyse()) return false;
  list_candidates();
  return true;
}

bool Source::analyse() {
  uint8_t* frame = clip_.frame(number_++);
  if (!frame) return false;
  stages_.enqueue(clip_.view(frame), settings_);
  executor_->wait();
  return true;
}

void Source::list_candidates() {
  stages_.list(settings_);
  executor_->wait();
  stages_.read_back(settings_);
}

int32_t Source::weighted(int cell, int32_t cost) const {
  return mosaic::weighted_cost(cost, mosaic::cost_weight(saliency().weight(cell)));
}

void Source::costs(int cell, int32_t* costs) const {
  candidates().read_costs(analysis(), mosaic::whole_row(cell, tiles(), costs));
  for (int t = 0; t < tiles(); ++t) costs[t] = weighted(cell, costs[t]);
}

}  // namespace bench
