// SPDX-License-Identifier: LGPL-2.1-or-later
// Times each kernel on one thread, at every SIMD level of this processor, on a frame of 1920x1080
// with cells of 40 pixels and a pool of 3,676 tiles: what one frame costs if everything in it
// changed.
#include <benchmark/benchmark.h>

#include <random>

#include "cuda/drawing/draw.h"
#include "cuda/drawing/transfer.h"
#include "cuda/executor.h"
#include "cuda/features/analyse.h"
#include "cuda/features/cell_detail.h"
#include "cuda/features/cell_stats.h"
#include "cuda/frame/pack.h"
#include "cuda/frame/unpack.h"
#include "cuda/matching/candidates.h"
#include "cuda/matching/cost_scale.h"
#include "cuda/matching/distance.h"
#include "cuda/matching/tile_similarity.h"
#include "cuda/views.h"
#include "mosaic/analysis/detail.h"
#include "mosaic/base/grid.h"
#include "mosaic/base/picture.h"

namespace {

constexpr int kWidth = 1920, kHeight = 1080, kSide = 40, kTiles = 3676, kListed = 128;
constexpr int kTileBlocks = (kTiles + mt::kProductColumns - 1) / mt::kProductColumns;
constexpr int kArea = kSide * kSide;

/// Pictures, features and lists of the right sizes.
struct Scene {
  explicit Scene(mt::SimdLevel level)
      : executor(mt::make_cpu_executor(1, level)),
        grid(mosaic::choose_grid(kWidth, kHeight, kWidth, kHeight, kSide, "1")),
        detail(grid, executor),
        source(kWidth, kHeight, executor),
        canvas(kWidth, kHeight, executor),
        frame(kWidth * kHeight * 3 / 2),
        gray(source.planes().stride * kHeight),
        pixels(grid.cells() * 3 * kArea),
        lab(pixels.size()),
        light(grid.cells() * (kSide + 2) * (kSide + 2)),
        photos(919 * 3 * kArea),
        features(grid.cells() * mt::kFeatureStride),
        residuals(features.size()),
        tile_features(kTiles * mt::kFeatureStride),
        tile_residuals(tile_features.size()),
        stats(grid.cells()),
        tile_stats(kTiles),
        coarse_cells(features.size()),
        coarse_tiles(executor, size_t{kTileBlocks} * mt::kProductColumns * mt::kFeatureStride),
        norms(grid.cells()),
        tile_norms(size_t{kTileBlocks} * mt::kProductColumns),
        distances(size_t(grid.cells()) * kTiles),
        farthest(size_t(grid.cells()) * kTileBlocks),
        limits(grid.cells()),
        tile(size_t(grid.cells()) * kListed),
        cost(tile.size()),
        bound(grid.cells()),
        changed(grid.cells(), 1),
        near_limit(grid.cells()),
        nearest(size_t(grid.cells()) * mt::kRerankNearest),
        grays(size_t(kTiles) * kArea),
        cell_grays(size_t(grid.cells()) * kArea),
        entries(grid.cells()),
        scores(size_t(grid.cells()) * (1 + mt::kRerankNearest)),
        paint(grid.cells()) {
    std::mt19937 random(1);
    fill_inputs(random);
    const int32_t any = 1;
    executor->launch(mt::ToGray{&any, source.planes(), gray.data()}, kHeight);
    executor->launch(analyse(), grid.cells());
    for (int t = 0; t < kTiles; ++t) {
      const int from = random() % grid.cells();
      for (int i = 0; i < mt::kFeatures; ++i)
        tile_features[t * mt::kFeatureStride + i] =
            features[from * mt::kFeatureStride + i] + random() % 500;
      tile_stats[t] = stats[from];
    }
    executor->launch(
        mt::CoarseTiles{tile_features.data(), kTiles, coarse_tiles.data(), tile_norms.data()},
        kTileBlocks);
    executor->launch(coarse_features(), grid.cells());
    executor->launch(distance(), distance().count());
    executor->launch(candidates(), grid.cells());
  }

  void fill_inputs(std::mt19937& random) {
    const mt::Planes p = source.planes();
    for (int i = 0; i < 3; ++i)
      for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x)
          p.plane[i][y * p.stride + x] = (x / 3 + y / 5 * (i + 1)) % 200 + random() % 32;
    for (auto& v : photos) v = random();
    for (auto& v : frame) v = random();
    for (auto& v : grays) v = random();
    view.kind = mt::PixelKind::kYuv;
    view.width = kWidth;
    view.height = kHeight;
    view.component[0] = {frame.data(), kWidth, 1, 0, 0};
    view.component[1] = {frame.data() + kWidth * kHeight, kWidth, 2, 1, 1};
    view.component[2] = {frame.data() + kWidth * kHeight + 1, kWidth, 2, 1, 1};
    for (int i = 0; i < 3; ++i) view.to_rgb.m[i][i] = view.from_rgb.m[i][i] = 65536;
    for (int i = 0; i < grid.cells(); ++i) {
      paint[i] = {{i % 48 * kSide, i / 48 * kSide, kSide, kSide}, i, i * 2, 0.09f};
      entries[i] = {i, i * 2};
    }
  }
  mt::Analyse analyse() {
    mt::Analyse a{};
    a.tables = &mt::tables();
    a.source = source.planes();
    a.columns = grid.columns;
    a.side = kSide;
    a.analyse_all = 1;
    a.pixels = pixels.data();
    a.lab = lab.data();
    a.lightness = light.data();
    a.features = features.data();
    a.residuals = residuals.data();
    a.stats = stats.data();
    return a;
  }
  mt::CoarseCells coarse_features() {
    return {{changed.data(), nullptr}, features.data(), coarse_cells.data(), norms.data()};
  }
  mt::CoarseDistance distance() {
    return {{changed.data(), nullptr},
            0,
            grid.cells(),
            coarse_cells.data(),
            norms.data(),
            coarse_tiles.data(),
            tile_norms.data(),
            kTiles,
            distances.data(),
            farthest.data()};
  }
  mt::Candidates candidates() {
    return {{changed.data(), &scale},
            0,
            distances.data(),
            {features.data(), residuals.data()},
            {tile_features.data(), tile_residuals.data()},
            kTiles,
            kListed,
            stats.data(),
            tile_stats.data(),
            limits.data(),
            tile.data(),
            cost.data(),
            bound.data(),
            near_limit.data(),
            nearest.data()};
  }
  mt::Rerank rerank() {
    return {entries.data(), pixels.data(),      grays.data(),      kSide,
            nearest.data(), mt::kRerankNearest, cell_grays.data(), scores.data()};
  }
  mt::Draw draw() {
    return {&mt::tables(),
            paint.data(),
            stats.data(),
            tile_stats.data(),
            kArea,
            photos.data(),
            919,
            kSide,
            source.planes(),
            canvas.planes(),
            {{mt::Transfer::kReinhard, 0.65f, 0.48f}, 0.0f, 1}};
  }

  std::shared_ptr<mt::Executor> executor;
  mosaic::Grid grid;
  mosaic::Detail detail;
  mosaic::Picture source, canvas;
  std::vector<uint8_t> frame, gray, pixels, lab, light, photos;
  std::vector<int16_t> features, residuals, tile_features, tile_residuals;
  std::vector<mt::CellStats> stats, tile_stats;
  std::vector<int16_t> coarse_cells;
  mt::DeviceBuffer<int16_t> coarse_tiles;
  std::vector<uint32_t> norms, tile_norms, distances, farthest, limits;
  std::vector<int32_t> tile, cost, bound;
  std::vector<uint8_t> changed;
  mt::CostScale scale{int64_t{1} << 28, 1 << 27, 0, 0};
  std::vector<int64_t> near_limit;
  std::vector<int32_t> nearest;
  std::vector<uint8_t> grays, cell_grays;
  std::vector<mt::RerankEntry> entries;
  std::vector<mt::RerankScore> scores;
  std::vector<mt::CellPaint> paint;
  mt::FrameView view;
};

/// The kernels of mosaic::Detail together.
void look_at_detail(Scene& s, mt::Executor& executor) {
  s.detail.enqueue(executor, s.source.planes(), s.gray.data(), s.changed.data());
}

template <class Launch>
void run(benchmark::State& state, Launch launch) {
  const auto level = static_cast<mt::SimdLevel>(state.range(0));
  if (level > mt::best_simd_level()) return state.SkipWithError("not on this processor");
  Scene scene(level);
  for (auto _ : state) launch(scene, *scene.executor);
}

#define MT_BENCH(name, ...)                                                             \
  void name(benchmark::State& state) {                                                  \
    run(state, [](Scene& s, mt::Executor& executor) { executor.launch(__VA_ARGS__); }); \
  }                                                                                     \
  BENCHMARK(name)->DenseRange(0, 2)->ArgName("simd")->Unit(benchmark::kMillisecond)

MT_BENCH(Unpack, mt::Unpack{s.view, s.canvas.planes(), s.gray.data()}, kHeight);
MT_BENCH(Analyse, s.analyse(), s.grid.cells());
void Detail(benchmark::State& state) {
  run(state, look_at_detail);
}
BENCHMARK(Detail)->DenseRange(0, 2)->ArgName("simd")->Unit(benchmark::kMillisecond);
MT_BENCH(CoarseDistance, s.distance(), s.distance().count());
MT_BENCH(Candidates, s.candidates(), s.grid.cells());
MT_BENCH(Rerank, s.rerank(), s.grid.cells());
MT_BENCH(Draw, s.draw(), s.grid.cells());
MT_BENCH(Pack, mt::Pack{s.source.planes(), s.view, {}, 0, 0}, kHeight / 2);

}  // namespace

BENCHMARK_MAIN();
