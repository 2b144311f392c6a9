// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <chrono>

#include "mosaic/engine/engine.h"
#include "tests/gpu-check/check.h"
#include "tests/gpu-check/counting_executor.h"
#include "tests/gpu-check/pictures.h"
#include "tests/gpu-check/pools.h"

namespace gpu_check {
namespace {

using Clock = std::chrono::steady_clock;

double ms_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

struct Case {
  int width, height;
  unsigned tile_size;
  int frames;
};

constexpr int kUncounted = 4;  ///< frames before the measurement: the first assignment takes longer

struct Stage {
  const char* name;
  double mosaic::FrameStats::*ms;
};
constexpr Stage kStages[] = {{"unpack ms", &mosaic::FrameStats::ms_unpack},
                             {"scene ms", &mosaic::FrameStats::ms_scene},
                             {"analysis ms", &mosaic::FrameStats::ms_analysis},
                             {"candidates ms", &mosaic::FrameStats::ms_candidates},
                             {"assignment ms", &mosaic::FrameStats::ms_assignment},
                             {"drawing ms", &mosaic::FrameStats::ms_drawing},
                             {"finishing ms", &mosaic::FrameStats::ms_finishing},
                             {"pack ms", &mosaic::FrameStats::ms_pack}};

/// Measures NV12 frames that lie one after another in the memory of the device.
void measure(Table& table, const char* where, const std::shared_ptr<mt::Executor>& executor,
             Pools& pools, const Case& c) {
  const FrameLayout layout("NV12", c.width, c.height, 256);  // rows aligned as by decoders
  const mosaic::Grid grid =
      mosaic::choose_grid(c.width, c.height, c.width, c.height, c.tile_size, "700");
  MovingPicture picture(layout, pools.executor());
  mt::DeviceBuffer<uint8_t> clip(executor, layout.bytes * static_cast<size_t>(c.frames));
  mt::DeviceBuffer<uint8_t> out(executor, layout.bytes);
  const auto frame_at = [&](int i) { return clip.data() + static_cast<size_t>(i) * layout.bytes; };
  for (int i = 0; i < c.frames; ++i) {
    executor->to_device(frame_at(i), picture.frame(i).data(), layout.bytes);
    executor->wait();
  }
  const auto counted = std::make_shared<CountingExecutor>(executor);
  mosaic::Engine engine(grid, pools.of(grid), {}, counted);
  const mosaic::FrameSettings settings = usual_settings();

  std::vector<double> ms, stages[std::size(kStages)];
  int64_t repainted = 0;
  unsigned tiles = 0;
  for (int i = 0; i < c.frames; ++i) {
    if (i == kUncounted) counted->waits = counted->launches = counted->copied = 0;
    const Clock::time_point start = Clock::now();
    engine.process(layout.view(frame_at(i)), layout.view(out.data()), settings);
    counted->wait();
    const mosaic::FrameStats& stats = engine.stats();
    if (i < kUncounted) continue;
    ms.push_back(ms_between(start, Clock::now()));
    for (size_t s = 0; s < std::size(kStages); ++s) stages[s].push_back(stats.*kStages[s].ms);
    repainted += stats.repainted;
    tiles = stats.tiles;
  }
  double total = 0;
  for (const double v : ms) total += v;
  const double frames = static_cast<double>(ms.size());
  std::vector<Value> row = {where,
                            std::to_string(c.width) + "x" + std::to_string(c.height),
                            int64_t{grid.cells()},
                            int64_t{tiles},
                            1000 * frames / total,
                            percentile(ms, 50),
                            percentile(ms, 95)};
  for (const auto& stage : stages) row.push_back(percentile(stage, 50));
  row.push_back(static_cast<double>(repainted) / frames);
  row.push_back(static_cast<double>(counted->waits) / frames);
  row.push_back(static_cast<double>(counted->launches) / frames);
  row.push_back(static_cast<double>(counted->copied) * 1e-3 / frames);
  table.rows.push_back(std::move(row));
}

}  // namespace

void time_frames(Report& report, Gpu& gpu, Extent extent) {
  std::string remark =
      "NV12, a picture that pans, every frame waited for; the time of the call and of that wait, "
      "which is a frame's second, or the third where tiles change. "
      "Stages are medians, measured by the device except for the assignment.";
  if (gpu.emulated) remark += " **Emulated: these are times of host threads, not of a GPU.**";
  std::vector<std::string> columns = {"on",       "frame",  "cells", "tiles",
                                      "frames/s", "p50 ms", "p95 ms"};
  for (const Stage& stage : kStages) columns.push_back(stage.name);
  for (const char* name : {"cells repainted", "waits", "launches", "kB copied"})
    columns.push_back(name);
  Table& table = report.add("frames_timed", "Whole frames: time", columns, std::move(remark));

  const int frames = gpu.emulated ? 10 : 100;
  std::vector<Case> cases = {
      {1920, 1080, 40, frames}, {3840, 2160, 80, frames}, {3840, 2160, 40, frames}};
  if (extent != Extent::kFull) cases = {{320, 180, 20, 8}};
  Pools pools;
  for (const Case& c : cases) measure(table, "GPU", gpu.executor, pools, c);
  for (Case c : cases) {
    c.frames = std::min(c.frames, 24);
    measure(table, "CPU", pools.executor(), pools, c);
  }
}

}  // namespace gpu_check
