// SPDX-License-Identifier: LGPL-2.1-or-later
// Makes the candidate lists of frames and chooses their tiles, with or without a search budget;
// nothing is drawn.
#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cuda/run/kernels.h"
#include "mosaic/analysis/detail.h"
#include "mosaic/candidates/candidate_source.h"
#include "mosaic/candidates/weighted_costs.h"
#include "mosaic/placement/placement.h"
#include "tests/core/frames.h"

namespace test {

inline constexpr int kWidth = 320, kHeight = 240;
inline constexpr size_t kAllDistances = size_t{64} << 20;
inline constexpr std::chrono::nanoseconds kNoTime = std::chrono::nanoseconds(0),
                                          kAllTime = std::chrono::hours(1);
using Budget = std::optional<std::chrono::nanoseconds>;  // nullopt: no search budget

/// All stages of a stream up to the choice of tiles.
struct Stream {
  explicit Stream(int side = 16, size_t max_distances = kAllDistances)
      : executor(mt::make_cpu_executor(2)),
        grid(mosaic::choose_grid(kWidth, kHeight, kWidth, kHeight, side, "1")),
        pool(std::make_shared<mosaic::PoolOnDevice>(
            test::procedural_pool(*executor, side, side, side > 16), executor)),
        tiles(pool->host().tiles()),
        cells(grid.cells()),
        picture(kWidth, kHeight, executor),
        gray(executor, static_cast<size_t>(picture.planes().stride) * kHeight),
        analysis(grid, executor),
        detail(grid, executor),
        saliency(grid),
        source(mosaic::make_candidate_source(cells, pool, executor, max_distances)),
        lists(source->lists()),
        costs(cells),
        placement(grid, pool, mosaic::tile_capacity(cells, pool->host(), 0), executor),
        prices(tiles) {}

  /// Makes the lists of a frame and chooses its tiles. `scene` says how it continues the
  /// frame before.
  void show(RgbFrame frame, Budget budget) {
    executor->launch(mt::Unpack{frame.view(), picture.planes(), gray.data()}, kHeight);
    analysis.enqueue(*executor, picture.planes(), false);
    detail.enqueue(*executor, picture.planes(), gray.data(), analysis.on_device().changed);
    std::copy(placement.prices().begin(), placement.prices().end(), prices.begin());
    const mosaic::SearchBudget search_budget{budget.value_or(std::chrono::nanoseconds(0)),
                                             placement.prices(), placement.weights()};
    source->enqueue(*executor, analysis, &scene, budget ? &search_budget : nullptr);
    executor->wait();
    using mosaic::Continuation;
    const Continuation continuation = scene.cut        ? Continuation::kCut
                                      : scene.returned ? Continuation::kReturned
                                                       : Continuation::kContinues;
    const mosaic::SceneUpdate update{continuation, scene.kept, scene.returned};
    placement.begin_frame(update);
    analysis.read_back(update);
    saliency.update(analysis.stats(), detail, update, newest);
    source->read_back(analysis);
    costs.update(executor->workers(), lists, saliency, scene.cut);
    result = placement.update(*executor, analysis, lists, saliency, how);
    scene = {};
  }
  void cut(RgbFrame frame, Budget budget, int keep = 0) {
    scene.cut = 1;
    scene.kept = keep;
    show(std::move(frame), budget);
  }
  void come_back(RgbFrame frame, Budget budget, int kept) {
    scene.returned = kept;
    show(std::move(frame), budget);
  }

  int rough_cells() const {
    int n = 0;
    for (int cell = 0; cell < cells; ++cell) n += lists.rough(cell);
    return n;
  }
  std::vector<bool> listed(int cell) const {
    std::vector<bool> is(tiles);
    for (int i = 0; i < lists.listed() && lists.costs(cell)[i] < INT32_MAX; ++i)
      is[lists.tiles(cell)[i]] = true;
    return is;
  }

  std::shared_ptr<mt::Executor> executor;
  mosaic::Grid grid;
  std::shared_ptr<const mosaic::PoolOnDevice> pool;
  int tiles, cells;
  mosaic::Picture picture;
  mt::DeviceBuffer<uint8_t> gray;
  mt::SceneState scene{};  ///< of the next frame
  double newest = 0.15;    ///< weight of the next frame in the saliencies' running average
  mosaic::FrameAnalysis analysis;
  mosaic::Detail detail;
  mosaic::Saliency saliency;
  std::unique_ptr<mosaic::CandidateSource> source;
  const mosaic::CandidateLists& lists;
  mosaic::WeightedCosts costs;
  mosaic::Placement placement;
  std::vector<int64_t> prices;  ///< those used for the last frame's lists
  mosaic::Placement::Settings how;
  mosaic::PlacementResult result;
};

inline RgbFrame disc(int frame) {
  return test::moving_disc(kWidth, kHeight, frame);
}

inline RgbFrame plain(uint8_t value) {
  RgbFrame frame(kWidth, kHeight);
  std::fill(frame.pixels.begin(), frame.pixels.end(), value);
  return frame;
}

}  // namespace test
