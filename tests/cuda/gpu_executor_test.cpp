// SPDX-License-Identifier: LGPL-2.1-or-later
// On a GPU, real or emulated, the engine gives the same bytes as on the CPU. The driver is the one
// that the dynamic loader finds.
#include "cuda/gpu_executor.h"
#include "cpu/cpu_executor.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/all/kernels.h"
#include "mosaic/candidates/candidate_source.h"
#include "mosaic/engine/engine.h"
#include "mosaic/settings/profile.h"
#include "tests/emulated-gpu/libcuda/control.h"
#include "tests/mosaic/frames.h"

namespace {

using mosaic::Engine;
using mosaic::Grid;
using test::RgbFrame;

/// A frame on the device.
class DeviceFrame {
 public:
  DeviceFrame(const RgbFrame& frame, const std::shared_ptr<mt::Executor>& executor)
      : frame_(frame), executor_(executor), memory_(executor, frame.pixels.size()) {
    executor->to_device(memory_.data(), frame_.pixels.data(), memory_.size());
  }
  mt::FrameView view() {
    mt::FrameView v = frame_.view();
    for (int i = 0; i < 3; ++i) v.component[i].data = memory_.data() + i;
    return v;
  }
  const std::vector<uint8_t>& pixels() {
    executor_->to_host(frame_.pixels.data(), memory_.data(), memory_.size());
    executor_->wait();
    return frame_.pixels;
  }

 private:
  RgbFrame frame_;
  std::shared_ptr<mt::Executor> executor_;
  mt::DeviceBuffer<uint8_t> memory_;
};

class Gpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!mt::has_gpu_kernels()) GTEST_SKIP() << "built without nvcc";
    if (!mt::has_gpu_driver()) GTEST_SKIP() << "no CUDA driver";
    executor_ = mt::make_gpu_executor(mt::primary_gpu_context(0), 2);
  }
  std::shared_ptr<mt::GpuExecutor> executor_;
};

struct Clip {
  int width, height, out_width, out_height;
  unsigned tile_size;
  const char* profile;
};

class GpuClips : public Gpu, public testing::WithParamInterface<Clip> {};

TEST_P(GpuClips, MatchTheCpu) {
  const Clip c = GetParam();
  const auto cpu = mt::make_cpu_executor(2);
  const Grid grid =
      mosaic::choose_grid(c.width, c.height, c.out_width, c.out_height, c.tile_size, "700");
  const auto pool = test::procedural_pool(*cpu, grid.side, grid.draw_size);
  Engine on_cpu(grid, pool, {}, cpu), on_gpu(grid, pool, {}, executor_);
  mosaic::FrameSettings settings;
  settings.look = mosaic::load_profile(c.profile);
  for (int i = 0; i < 5; ++i) {
    RgbFrame in =
        i < 4 ? test::moving_disc(c.width, c.height, i / 2) : test::noise(c.width, c.height, 1);
    RgbFrame expected(c.out_width, c.out_height);
    DeviceFrame device_in(in, executor_), device_out(expected, executor_);
    const mosaic::FrameStats& a = on_cpu.process(in.view(), expected.view(), settings);
    const mosaic::FrameStats& b = on_gpu.process(device_in.view(), device_out.view(), settings);
    EXPECT_EQ(expected.pixels, device_out.pixels()) << "frame " << i;
    EXPECT_EQ(a.keyframe, b.keyframe);
    EXPECT_EQ(a.changed, b.changed);
    EXPECT_EQ(a.unexplained, b.unexplained);
    EXPECT_EQ(a.reranked, b.reranked);
    EXPECT_EQ(a.repainted, b.repainted);
    EXPECT_EQ(a.cost, b.cost);
    EXPECT_EQ(0.0, b.gap);
  }
}
INSTANTIATE_TEST_SUITE_P(
    Sizes, GpuClips,
    testing::Values(Clip{1, 1, 1, 1, 0, "vivid_b"}, Clip{17, 13, 17, 13, 8, "ultra"},
                    Clip{320, 180, 320, 180, 20, "plain"}, Clip{319, 181, 319, 181, 24, "vivid_b"},
                    Clip{160, 90, 480, 270, 16, "ultra"}, Clip{320, 180, 100, 60, 40, "natural"}));

TEST_F(Gpu, DrawsInPlace) {
  const auto cpu = mt::make_cpu_executor(2);
  const Grid grid = mosaic::choose_grid(200, 120, 200, 120, 20, "700");
  const auto pool = test::procedural_pool(*cpu, 20, 20);
  Engine on_cpu(grid, pool, {}, cpu), on_gpu(grid, pool, {}, executor_);
  for (int i = 0; i < 4; ++i) {
    RgbFrame frame = test::moving_disc(200, 120, i / 2);
    DeviceFrame on_device(frame, executor_);
    on_cpu.process(frame.view(), frame.view(), {});
    on_gpu.process(on_device.view(), on_device.view(), {});
    EXPECT_EQ(frame.pixels, on_device.pixels());
  }
}

TEST_F(Gpu, ReadsTheDistancesOfACellWithAndWithoutBatches) {
  const auto cpu = mt::make_cpu_executor(2);
  const Grid grid = mosaic::choose_grid(320, 180, 320, 180, 20, "1");
  const auto pool = test::procedural_pool(*cpu, 20, 20);
  RgbFrame frame = test::moving_disc(320, 180, 0);
  mt::SceneState cut{0, 1, 0, 0, 0};
  std::vector<std::vector<int32_t>> rows;
  for (const std::shared_ptr<mt::Executor>& executor :
       {cpu, std::static_pointer_cast<mt::Executor>(executor_)})
    for (const size_t most : {size_t{1} << 30, size_t{5} * pool->tiles()}) {
      DeviceFrame on_device(frame, executor);
      mt::DeviceBuffer<mt::SceneState> scene(executor, 1);
      executor->to_device(scene.data(), &cut, sizeof cut);
      mosaic::Picture picture(320, 180, executor);
      mosaic::FrameAnalysis analysis(grid, executor);
      mosaic::CandidateSource source(
          grid.cells(), std::make_shared<mosaic::PoolOnDevice>(pool, executor), executor, most);
      const mosaic::CandidateLists& lists = source.lists();
      executor->launch(mt::Unpack{on_device.view(), picture.planes(), nullptr}, 180);
      analysis.enqueue(picture.planes(), true);
      source.enqueue(analysis, scene.data());
      executor->wait();
      analysis.read_back();
      source.read_back(analysis);
      std::vector<int32_t>& row = rows.emplace_back(pool->tiles());
      const int32_t cell_read = 77;
      lists.read_costs(analysis, mosaic::whole_row(cell_read, pool->tiles(), row.data()));
      row.insert(row.end(), lists.tiles(0), lists.tiles(0) + grid.cells() * lists.listed());
      row.insert(row.end(), lists.costs(0), lists.costs(0) + grid.cells() * lists.listed());
      for (int cell = 0; cell < grid.cells(); ++cell) row.push_back(lists.bound(cell));
    }
  for (size_t i = 1; i < rows.size(); ++i) EXPECT_EQ(rows[0], rows[i]) << i;
}

TEST_F(Gpu, ReportsTimes) {
  mt::DeviceBuffer<uint8_t> memory(executor_, 100);
  std::vector<uint8_t> host(100);
  executor_->wait();
  const mt::Lap begin = executor_->lap();
  executor_->to_host(host.data(), memory.data(), 100);
  const mt::Lap copy = executor_->lap();
  EXPECT_FALSE(executor_->ms(copy)) << "before the wait";
  executor_->wait();
  ASSERT_TRUE(executor_->ms(copy));
  EXPECT_GE(*executor_->ms(copy), 0);
  EXPECT_LT(*executor_->ms(copy), 10000);
  EXPECT_FALSE(executor_->ms(begin)) << "it has no beginning";
  EXPECT_FALSE(executor_->ms({}));
  for (int i = 0; i < 100; ++i) {
    executor_->lap();
    executor_->wait();
  }
  EXPECT_TRUE(executor_->ms(copy)) << "the untimed laps leave it alone";
  for (int i = 0; i < 100; ++i) {
    executor_->lap();
    executor_->lap();
    executor_->wait();
  }
  EXPECT_FALSE(executor_->ms(copy)) << "others have taken its place";
}

// AddressSanitizer would report a time that is written to an engine after its destruction.
TEST_F(Gpu, AnEngineMayBeDestroyedWithoutAWait) {
  const auto cpu = mt::make_cpu_executor(2);
  const Grid grid = mosaic::choose_grid(200, 120, 200, 120, 20, "700");
  const auto pool = test::procedural_pool(*cpu, 20, 20);
  DeviceFrame frame(test::moving_disc(200, 120, 0), executor_);
  Engine(grid, pool, {}, executor_).process(frame.view(), frame.view(), {});
  executor_->lap();
  const mt::Lap lap = executor_->lap();
  executor_->wait();
  EXPECT_GE(executor_->ms(lap).value_or(-1), 0);
}

TEST_F(Gpu, ZeroesNewMemory) {
  for (int i = 0; i < 3; ++i) {
    mt::DeviceBuffer<uint64_t> device(executor_, 1000);
    mt::Buffer<uint64_t> shared(executor_, 1000);
    std::vector<uint64_t> host(1000, 1);
    executor_->to_host(host.data(), device.data(), 8000);
    executor_->wait();
    EXPECT_EQ(std::vector<uint64_t>(1000), host);
    EXPECT_EQ(host, std::vector<uint64_t>(shared.begin(), shared.end()));
    std::fill(host.begin(), host.end(), 7);
    executor_->to_device(device.data(), host.data(), 8000);
    executor_->wait();
  }
}

TEST_F(Gpu, ErrorsQuoteTheDriver) {
  try {
    mt::DeviceBuffer<uint8_t> memory(executor_, size_t{1} << 60);
    ADD_FAILURE();
  } catch (const mt::GpuError& error) {
    EXPECT_NE(std::string(error.what()).find("cuMemAlloc: "), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("CUDA_ERROR_OUT_OF_MEMORY"), std::string::npos);
  }
}

/// A function that only the emulation has; null if the driver is a real one.
template <class Function>
Function* of_emulation(const char* name) {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  return reinterpret_cast<Function*>(library ? dlsym(library, name) : nullptr);
}

TEST_F(Gpu, AFrameWaitsOnceForTilesAndOnceForRerank) {
  const auto calls = of_emulation<uint64_t(const char*)>("emulated_gpu_calls");
  if (!calls) GTEST_SKIP() << "a real GPU, which does not count";
  const auto cpu = mt::make_cpu_executor(2);
  const Grid grid = mosaic::choose_grid(320, 180, 320, 180, 20, "700");
  Engine engine(grid, test::procedural_pool(*cpu, 20, 20), {}, executor_);
  constexpr char kWaits[] =
      "cuStreamSynchronize,cuCtxSynchronize,cuEventSynchronize,cuMemAlloc,"
      "cuMemAllocHost,cuMemFree,cuMemFreeHost";
  for (int i = 0; i < 6; ++i) {
    DeviceFrame frame(test::moving_disc(320, 180, i / 2), executor_);
    const uint64_t before = calls(kWaits);
    const unsigned reranked = engine.process(frame.view(), frame.view(), {}).reranked;
    EXPECT_EQ(before + 1 + (reranked > 0), calls(kWaits)) << "and nothing is allocated";
    if (i % 2) {
      EXPECT_EQ(0u, reranked) << "a frame again";
    }
    frame.pixels();
  }
}

// What the host needs to know of the cells is copied in every frame, and nothing else: no pixels.
TEST_F(Gpu, AFrameTakesFewLaunchesAndCopies) {
  const auto count = of_emulation<decltype(emulated_gpu_counts)>("emulated_gpu_counts");
  if (!count) GTEST_SKIP() << "a real GPU, which does not count";
  const auto cpu = mt::make_cpu_executor(2);
  const Grid grid = mosaic::choose_grid(320, 180, 320, 180, 20, "700");
  Engine engine(grid, test::procedural_pool(*cpu, 20, 20), {}, executor_);
  mosaic::FrameSettings settings;
  settings.look = mosaic::load_profile("vivid_b");
  settings.look.fidelity = 0.5;
  constexpr uint64_t kMostLaunches = 40;
  // Of each cell: features, statistics and a few numbers more; of the frame: the scene.
  const uint64_t of_cell = 2 * mt::kFeatureStride * sizeof(int16_t) + sizeof(mt::CellStats) + 16;
  for (int i = 0; i < 12; ++i) {
    DeviceFrame frame(test::moving_disc(320, 180, i / 2 * 3), executor_);
    executor_->wait();
    EmulatedGpuCounts before, after;
    count(&before);
    const auto result = engine.process(frame.view(), frame.view(), settings);
    executor_->wait();
    count(&after);
    EXPECT_EQ(before.uploads, after.uploads);
    EXPECT_LE(after.downloads - before.downloads, of_cell * grid.cells() + 256);
    EXPECT_LE(after.launches - before.launches,
              result.reranked ? kMostLaunches : kMostLaunches - 1);
  }
}

}  // namespace
