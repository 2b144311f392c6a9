// SPDX-License-Identifier: LGPL-2.1-or-later
// How long the choice of a frame's tiles takes, from the start of the candidate lists to the end of
// the placement, and how good the tiles are under a time limit. See bench/README.md.
//
// usage: in_time PHOTOS WIDTH HEIGHT SIDE LIMIT_MS [FIRST LAST] <FRAMES
//
// FRAMES are GStreamer's video/x-raw,format=RGB; LIMIT_MS 0: no limit.
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "bench/quality.h"
#include "bench/source.h"
#include "mosaic/placement/placement.h"

namespace {

using Clock = mosaic::AssignmentSolver::Clock;

/// Milliseconds, elapsed and summed over all processors.
struct Times {
  std::vector<double> wall, cpu;
};

double cpu_ms() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e3 * static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_nsec);
}

class Watch {
 public:
  void lap(Times& times) {
    const std::chrono::duration<double, std::milli> wall = Clock::now() - wall_;
    times.wall.push_back(wall.count());
    times.cpu.push_back(cpu_ms() - cpu_);
    restart();
  }
  void restart() {
    wall_ = Clock::now();
    cpu_ = cpu_ms();
  }

 private:
  Clock::time_point wall_ = Clock::now();
  double cpu_ = cpu_ms();
};

double quantile(std::vector<double> v, double share) {
  std::sort(v.begin(), v.end());
  return v[std::min(v.size() - 1, static_cast<size_t>(share * static_cast<double>(v.size())))];
}

void print(const char* part, const Times& t) {
  std::printf("| %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |\n", part, quantile(t.wall, 0.5),
              quantile(t.wall, 0.95), quantile(t.wall, 0.99), quantile(t.wall, 1),
              quantile(t.cpu, 0.5), quantile(t.cpu, 1));
}

/// Cells without a tile, or with one that another cell has.
int bad_tiles(const std::vector<int32_t>& tiles, int pool) {
  std::vector<uint8_t> used(pool);
  int bad = 0;
  for (const int32_t t : tiles) {
    const bool good = t >= 0 && t < pool && !used[t];
    bad += !good;
    if (good) used[t] = 1;
  }
  return bad;
}

/// The results of a run.
struct Results {
  Times candidates, placing, all;
  std::vector<double> gaps;  ///< of each frame, in percent
  double cost = 0;           ///< sum over frames
  int in_time = 0;           ///< frames
  int bad = 0;               ///< see bad_tiles
};

void print(const Results& r, const bench::Source& source, const bench::Quality& quality,
           double limit) {
  const auto frames = static_cast<double>(r.gaps.size());
  std::printf(
      "%d cells, %d tiles, limit %g ms: in time %.1f %%, proven best %.1f %%, gap median "
      "%.3f %% worst %.3f %%, mean cost %.5f, cells without a tile of their own: %d\n\n",
      source.grid().cells(), source.tiles(), limit, 100 * r.in_time / frames,
      100 * static_cast<double>(std::count(r.gaps.begin(), r.gaps.end(), 0.0)) / frames,
      quantile(r.gaps, 0.5), quantile(r.gaps, 1), r.cost / frames, r.bad);
  quality.print();
  std::printf("| ms | median | 95 %% | 99 %% | most | processor time, median | most |\n");
  std::printf("| --- | --- | --- | --- | --- | --- | --- |\n");
  print("candidates", r.candidates);
  print("placement", r.placing);
  print("both", r.all);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6 && argc != 8) {
    std::fprintf(stderr, "usage: in_time PHOTOS WIDTH HEIGHT SIDE LIMIT_MS [FIRST LAST] <FRAMES\n");
    return 2;
  }
  const int width = std::atoi(argv[2]), height = std::atoi(argv[3]);
  const bench::Setup setup(argv[1], width, height, std::atoi(argv[4]));
  std::ios::sync_with_stdio(false);  // or else stdin is read byte by byte
  bench::Clip clip(std::cin, width, height);
  bench::Source source(setup, clip, true);
  const double limit = std::atof(argv[5]);
  const int first = argc == 8 ? std::atoi(argv[6]) : 0;
  const int last = argc == 8 ? std::atoi(argv[7]) : INT32_MAX;
  clip.skip(first);
  mosaic::Placement placement = source.placement();
  bench::Quality quality(setup, clip);
  mosaic::FrameBudget budget;
  Results r;
  for (int i = first; i <= last && source.analyse(); ++i) {
    Watch whole, part;
    budget.begin(std::chrono::nanoseconds(std::llround(1e6 * limit)));
    source.list_candidates();
    part.lap(r.candidates);
    budget.begin_assignment();
    mosaic::Placement::Settings settings;
    settings.budget = &budget;
    placement.begin_frame(source.scene());
    const mosaic::PlacementResult result =
        placement.update(source.analysis(), source.candidates(), source.saliency(), settings);
    part.lap(r.placing);
    whole.lap(r.all);
    r.gaps.push_back(100 * result.gap);
    r.cost += result.mean_cost;
    r.in_time += limit == 0 || r.all.wall.back() <= limit;
    r.bad += bad_tiles(placement.tiles(), source.tiles());
    quality.add(placement.tiles());
    clip.drop(i - first + 1);
  }
  if (r.gaps.empty()) {
    std::fprintf(stderr, "in_time: no frames\n");
    return 1;
  }
  print(r, source, quality, limit);
  return r.bad != 0;
}
