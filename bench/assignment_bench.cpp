// SPDX-License-Identifier: LGPL-2.1-or-later
// Times the assignment on one thread. There are 3,676 tiles: 919 photos in four variants each,
// whose features are similar. The features of the cells gather around a few points, like those of
// the flat parts of a picture. The fewer the points and the smaller the spread around them, the
// more cells want the same tiles.
#include <benchmark/benchmark.h>

#include <cmath>
#include <random>

#include "mosaic/assignment/assignment.h"
#include "tests/mosaic/assignment/assignment_problems.h"

namespace {

constexpr int kPhotos = 919, kTiles = 4 * kPhotos, kFeatures = 16;

/// The assignment problem of a frame; next_frame() makes the next frame's out of it.
struct Frame {
  Frame(int cells, int points, double spread, int listed)
      : random(7),
        tile(kTiles * kFeatures),
        cell(cells * kFeatures),
        dense(cells, kTiles, 1, listed) {
    for (int t = 0; t < kTiles; ++t)
      for (int k = 0; k < kFeatures; ++k)
        tile[t * kFeatures + k] =
            t < kPhotos ? normal(1.0) : tile[(t - kPhotos) * kFeatures + k] + normal(0.15);
    std::vector<double> point(points * kFeatures);
    for (double& p : point) p = normal(0.7);
    for (int i = 0; i < cells; ++i)
      for (int k = 0; k < kFeatures; ++k)
        cell[i * kFeatures + k] = point[i % points * kFeatures + k] + normal(spread);
    measure();
  }

  double normal(double deviation) { return std::normal_distribution<double>(0, deviation)(random); }

  void measure() {
    for (int i = 0; i < dense.rows; ++i)
      for (int t = 0; t < kTiles; ++t) {
        double sum = 0;
        for (int k = 0; k < kFeatures; ++k)
          sum += std::pow(cell[i * kFeatures + k] - tile[t * kFeatures + k], 2);
        dense.costs[static_cast<size_t>(i) * kTiles + t] = static_cast<int32_t>(sum * (1 << 14));
      }
  }

  std::mt19937 random;
  std::vector<double> tile, cell;
  DenseProblem dense;
};

void report(benchmark::State& state, const mosaic::Assignment& a) {
  state.counters["gap_%"] = 100 * a.gap();
  state.counters["full_rows"] = a.full_rows;
}

/// Arguments: cells, points, spread in thousandths, listed.
void first_frame(benchmark::State& state) {
  Frame frame(state.range(0), state.range(1), state.range(2) * 1e-3, state.range(3));
  const mosaic::AssignmentProblem p = frame.dense.problem();
  mosaic::AssignmentSolver solver;
  for (auto _ : state) benchmark::DoNotOptimize(solver.solve(p).cost);
  report(state, solver.solve(p));
}
BENCHMARK(first_frame)
    ->Unit(benchmark::kMillisecond)
    ->ArgNames({"cells", "points", "spread", "listed"})
    ->Args({1296, 400, 400, 256})
    ->Args({1296, 100, 300, 256})
    ->Args({1296, 10, 200, 256})
    ->Args({1296, 1, 100, 256})
    ->Args({1296, 1, 0, 256})
    ->Args({2304, 100, 300, 256})
    ->Args({1296, 10, 200, 1024});

/// The same, stopped after so many milliseconds (the last argument).
void in_time(benchmark::State& state) {
  Frame frame(state.range(0), state.range(1), state.range(2) * 1e-3, 256);
  const mosaic::AssignmentProblem p = frame.dense.problem();
  const auto limit = std::chrono::milliseconds(state.range(3));
  mosaic::AssignmentSolver solver;
  const auto solve = [&]() -> const mosaic::Assignment& {
    return solver.solve(p, mosaic::AssignmentSolver::Clock::now() + limit);
  };
  for (auto _ : state) benchmark::DoNotOptimize(solve().cost);
  report(state, solve());
}
BENCHMARK(in_time)
    ->Unit(benchmark::kMillisecond)
    ->ArgNames({"cells", "points", "spread", "limit"})
    ->Args({1296, 10, 200, 10})
    ->Args({1296, 10, 200, 20})
    ->Args({2304, 100, 300, 20});

/// The next frame: every cell changed a little and holds a tile, and a change of tile costs half
/// the mean cost.
void next_frame(benchmark::State& state) {
  Frame frame(state.range(0), state.range(1), state.range(2) * 1e-3, 256);
  mosaic::AssignmentSolver solver;
  mosaic::AssignmentProblem p = frame.dense.problem();
  const mosaic::Assignment first = solver.solve(p);
  for (double& x : frame.cell) x += frame.normal(0.02);
  frame.measure();
  const auto price = static_cast<int32_t>(first.cost / frame.dense.rows / 2);
  frame.dense.hold(first.column, std::vector<int32_t>(frame.dense.rows, price));
  p = frame.dense.problem();
  for (auto _ : state) benchmark::DoNotOptimize(solver.solve(p).cost);
  report(state, solver.solve(p));
}
BENCHMARK(next_frame)
    ->Unit(benchmark::kMillisecond)
    ->ArgNames({"cells", "points", "spread"})
    ->Args({1296, 400, 400})
    ->Args({1296, 10, 200})
    ->Args({2304, 100, 300});

}  // namespace

BENCHMARK_MAIN();
