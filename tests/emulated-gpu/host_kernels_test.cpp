// SPDX-License-Identifier: LGPL-2.1-or-later
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "cpu/cpu_kernels.h"
#include "cpu/group_memory.h"
#include "kernels/all/kernels.h"
#include "tests/emulated-gpu/driver_functions.h"
#include "tests/kernels/shared_overrun.h"

namespace emulated_gpu {
namespace {

constexpr int kWidth = 17, kHeight = 9, kWide = 40, kHigh = 30;
using Small = std::array<std::uint8_t, kWidth * kHeight>;
using Large = std::array<std::uint8_t, kWide * kHigh>;

mt::Planes planes(void* pixels, int width, int height) {
  auto* const plane = static_cast<std::uint8_t*>(pixels);
  return {{plane, plane, plane}, width, width, height};
}

class HostKernelsTest : public Gpu {
 protected:
  void SetUp() override {
    Gpu::SetUp();
    std::iota(picture_.begin(), picture_.end(), std::uint8_t{7});
    from_ = allocate(sizeof picture_);
    to_ = allocate(sizeof(Large));
    ASSERT_EQ(to_device(from_, picture_.data(), sizeof picture_), kSuccess);
    resample_ = function(&module_, "mt_Resample");
  }
  void TearDown() override {
    EXPECT_EQ(mem_free(from_), kSuccess);
    EXPECT_EQ(mem_free(to_), kSuccess);
    EXPECT_EQ(module_unload(module_), kSuccess);
    Gpu::TearDown();
  }

  /// Enlarges the picture on the device with a grid of `grid` x `rows` blocks of `threads`.
  void launch(unsigned grid, unsigned threads, unsigned rows = 1) {
    mt::Resample kernel{planes(reinterpret_cast<void*>(from_), kWidth, kHeight),
                        planes(reinterpret_cast<void*>(to_), kWide, kHigh)};
    std::int32_t count = kHigh;
    void* params[] = {&kernel, &count};
    EXPECT_EQ(launch_kernel(resample_, grid, rows, 1, threads, 1, 1, 0, nullptr, params, nullptr),
              kSuccess);
    EXPECT_EQ(ctx_synchronize(), kSuccess);
  }

  Large on_device() {
    Large pixels;
    EXPECT_EQ(to_host(pixels.data(), to_, sizeof pixels), kSuccess);
    return pixels;
  }

  Large on_host() {
    Large pixels;
    mt::GroupMemory shared;
    const mt::Resample kernel{planes(picture_.data(), kWidth, kHeight),
                              planes(pixels.data(), kWide, kHigh)};
    mt::kCpuBuild_v2.kernels[static_cast<int>(mt::Resample::kId)].run(&kernel, 0, kHigh,
                                                                      shared.data());
    return pixels;
  }

  Small picture_;
  DevicePointer from_ = 0, to_ = 0;
  Handle module_ = nullptr, resample_ = nullptr;
};

TEST_F(HostKernelsTest, RunByTheirNamesInTheImage) {
  for (const unsigned grid : {1, 7, kHigh}) {
    ASSERT_EQ(memset_d8(to_, 0, sizeof(Large)), kSuccess);
    launch(grid, 256);
    EXPECT_EQ(on_device(), on_host()) << grid << " blocks";
  }
}

TEST_F(HostKernelsTest, IncludeEveryKernel){
#define KNOWN(name)                                                                 \
  {                                                                                 \
    Handle function = nullptr;                                                      \
    EXPECT_EQ(module_function(&function, module_, "mt_" #name), kSuccess) << #name; \
  }
    MT_KERNELS(KNOWN)
#undef KNOWN
}

TEST_F(HostKernelsTest, AreRestoredByForgetKernels) {
  register_kernel(
      "mt_Resample", nullptr, 0, [](const EmulatedGpuLaunch*) {}, nullptr);
  forget_kernels();
  launch(kHigh, 32);
  EXPECT_EQ(on_device(), on_host());
}

TEST_F(HostKernelsTest, DetectInvalidBlocks) {
  ASSERT_EQ(memset_d8(to_, 3, sizeof(Large)), kSuccess);
  launch(kHigh, 33);
  expect_mistake("mt_Resample: a block of 33 threads");
  launch(kHigh, 288);
  expect_mistake("mt_Resample: a block of 288 threads");
  launch(kHigh, 256, 2);
  expect_mistake("mt_Resample: a grid or block of more than one dimension");
  Large untouched;
  untouched.fill(3);
  EXPECT_EQ(on_device(), untouched);
}

TEST_F(HostKernelsTest, DetectTooLittleSharedMemory) {
  static_assert(mt::shared_bytes<mt::Candidates>() > 0);
  Handle candidates = nullptr;
  ASSERT_EQ(module_function(&candidates, module_, "mt_Candidates"), kSuccess);
  alignas(mt::Candidates) unsigned char kernel[sizeof(mt::Candidates)] = {};
  std::int32_t count = 1;
  void* params[] = {kernel, &count};
  EXPECT_EQ(launch_kernel(candidates, 1, 1, 1, 32, 1, 1, mt::shared_bytes<mt::Candidates>() - 1,
                          nullptr, params, nullptr),
            kSuccess);
  EXPECT_EQ(ctx_synchronize(), kSuccess);
  expect_mistake("mt_Candidates: ");
}

TEST_F(HostKernelsTest, DetectWritesPastTheSharedMemory) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the kernel computes with what it overwrote, and a sanitizer would stop it";
#endif
  Handle rerank = nullptr;
  ASSERT_EQ(module_function(&rerank, module_, "mt_Rerank"), kSuccess);
  std::vector<DevicePointer> blocks;
  mt::Rerank kernel = test::shared_overrun([&](std::size_t bytes) {
    const DevicePointer block = blocks.emplace_back(allocate(bytes));
    EXPECT_EQ(memset_d8(block, 0, bytes), kSuccess);
    return reinterpret_cast<void*>(block);
  });
  std::int32_t count = 1;
  void* params[] = {&kernel, &count};
  EXPECT_EQ(launch_kernel(rerank, 1, 1, 1, 32, 1, 1, mt::Rerank::kShared, nullptr, params, nullptr),
            kSuccess);
  EXPECT_EQ(ctx_synchronize(), kSuccess);
  expect_mistake("mt_Rerank: group 0 wrote past the " + std::to_string(mt::Rerank::kShared) +
                 " bytes");
  for (const DevicePointer block : blocks) EXPECT_EQ(mem_free(block), kSuccess);
}

}  // namespace
}  // namespace emulated_gpu
