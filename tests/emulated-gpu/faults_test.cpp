// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulated-gpu/driver_functions.h"

namespace emulated_gpu {
namespace {

class FaultsTest : public Gpu {
 protected:
  static void overrun(const EmulatedGpuLaunch* launch) {
    ++(*static_cast<char**>(launch->params[0]))[4];
  }
  static void nothing(const EmulatedGpuLaunch*) {}

  Result start(Handle function, unsigned threads = 1, unsigned shared_bytes = 0) {
    return launch_kernel(function, 1, 1, 1, threads, 1, 1, shared_bytes, nullptr, nullptr, nullptr);
  }
};

TEST_F(FaultsTest, TheNthCallFailsOnce) {
  DevicePointer first = 0, second = 0;
  fault("cuMemAlloc,cuMemFree", 2, kLaunchFailed, EMULATED_GPU_ONCE);
  EXPECT_EQ(mem_alloc(&first, 1), kSuccess);
  EXPECT_EQ(ctx_synchronize(), kSuccess);
  EXPECT_STREQ(struck(), "");
  EXPECT_EQ(mem_alloc(&second, 1), kLaunchFailed);
  EXPECT_STREQ(struck(), "cuMemAlloc");
  EXPECT_EQ(second, 0u);
  EXPECT_EQ(mem_alloc(&second, 1), kSuccess);
  fault(nullptr, 1, kLaunchFailed, EMULATED_GPU_ONCE);
  EXPECT_EQ(ctx_synchronize(), kLaunchFailed);
  EXPECT_EQ(mem_free(first), kSuccess);
  EXPECT_EQ(mem_free(second), kSuccess);
}

TEST_F(FaultsTest, AllocationsFailIfMemoryRunsOut) {
  void* host = nullptr;
  DevicePointer pointer = 0;
  fault("alloc", 2, kOutOfMemory, EMULATED_GPU_ONCE);
  EXPECT_EQ(mem_alloc_host(&host, 1), kSuccess);
  EXPECT_EQ(mem_alloc(&pointer, 1), kOutOfMemory);
  EXPECT_EQ(mem_free_host(host), kSuccess);
}

TEST_F(FaultsTest, FailingReleasesStillRelease) {
  const DevicePointer pointer = allocate(1);
  fault("cuMemFree", 1, kLaunchFailed, EMULATED_GPU_ONCE);
  EXPECT_EQ(mem_free(pointer), kLaunchFailed);
  EXPECT_EQ(counts().device_blocks, 0u);
  fault("cuCtxPopCurrent", 1, kLaunchFailed, EMULATED_GPU_ONCE);
  EXPECT_EQ(ctx_pop(nullptr), kLaunchFailed);
  EXPECT_EQ(stack_depth(), 0u);
}

TEST_F(FaultsTest, FailedKernelLosesItsContext) {
  register_kernel("nothing", nullptr, 0, nothing, nullptr);
  Handle module = nullptr;
  const Handle nothing = function(&module, "nothing");
  const DevicePointer pointer = allocate(1);
  fault("cuLaunchKernel", 1, kLaunchFailed, EMULATED_GPU_LATE);
  const std::uint64_t launches = counts().launches;
  EXPECT_EQ(start(nothing), kSuccess);
  start(nothing);  // queued or already refused; in neither case run
  EXPECT_EQ(ctx_synchronize(), kLaunchFailed);
  EXPECT_EQ(counts().launches, launches);
  DevicePointer none = 0;
  EXPECT_EQ(mem_alloc(&none, 1), kLaunchFailed);
  EXPECT_EQ(ctx_push(context_), kLaunchFailed);
  EXPECT_EQ(mem_free(pointer), kLaunchFailed);
  EXPECT_EQ(ctx_destroy(context_), kLaunchFailed);  // also destroys the module
  ASSERT_EQ(ctx_create(&context_, 0, 0), kSuccess);
  EXPECT_EQ(mem_alloc(&none, 1), kSuccess);
  EXPECT_EQ(mem_free(none), kSuccess);
}

TEST_F(FaultsTest, ALostContextStaysLost) {
  Handle one = stream();
  fault("cuStreamSynchronize", 2, kIllegalAddress, EMULATED_GPU_LOST);
  EXPECT_EQ(stream_synchronize(one), kSuccess);
  EXPECT_EQ(stream_synchronize(one), kIllegalAddress);
  EXPECT_EQ(stream_synchronize(one), kIllegalAddress);
  EXPECT_EQ(ctx_synchronize(), kIllegalAddress);
  EXPECT_EQ(ctx_destroy(context_), kIllegalAddress);
  context_ = nullptr;
}

TEST_F(FaultsTest, CallsAreCountedByName) {
  reset_calls();
  const DevicePointer pointer = allocate(1);
  EXPECT_EQ(ctx_synchronize(), kSuccess);
  EXPECT_EQ(mem_free(pointer), kSuccess);
  EXPECT_EQ(calls("cuMemAlloc"), 1u);
  EXPECT_EQ(calls("alloc,cuMemFree"), 2u);
  EXPECT_EQ(calls(nullptr), 3u);
}

TEST_F(FaultsTest, FaultsAreLimitedToOneCaller) {
  only_from("libelsewhere");
  fault(nullptr, 1, kLaunchFailed, EMULATED_GPU_ONCE);
  reset_calls();
  EXPECT_EQ(ctx_synchronize(), kSuccess);
  EXPECT_EQ(calls(nullptr), 0u);
  only_from("emulation_test");
  EXPECT_EQ(ctx_synchronize(), kLaunchFailed);
  EXPECT_EQ(calls(nullptr), 1u);
}

TEST_F(FaultsTest, KernelsAreFoundByName) {
  register_kernel("nothing", nullptr, 0, nothing, nullptr);
  Handle module = nullptr, other = nullptr;
  const Handle nothing = function(&module, "nothing");
  EXPECT_EQ(module_function(&other, module, "something"), kNotFound);
  EXPECT_EQ(module_load(&other, ""), kInvalidImage);
  EXPECT_EQ(start(nothing), kSuccess);
  EXPECT_EQ(start(nothing, 0), kInvalidValue);
  EXPECT_EQ(start(nothing, 1025), kInvalidValue);
  EXPECT_EQ(start(nothing, 1, (48 << 10) + 1), kInvalidValue);
  EXPECT_EQ(function_set(nothing, kFunctionMaxDynamicShared, 99 << 10), kSuccess);
  EXPECT_EQ(start(nothing, 1, 99 << 10), kSuccess);
  EXPECT_EQ(function_set(nothing, kFunctionMaxDynamicShared, (99 << 10) + 1), kInvalidValue);
  EXPECT_EQ(ctx_synchronize(), kSuccess);
  EXPECT_EQ(module_unload(module), kSuccess);
  EXPECT_EQ(start(nothing), kInvalidHandle);
  expect_mistake("cuLaunchKernel: no such function exists");
}

TEST_F(FaultsTest, KernelsThatWriteOutOfBoundsAreNamed) {
  const std::size_t size = sizeof(DevicePointer);
  register_kernel("overrun", &size, 1, overrun, nullptr);
  Handle module = nullptr;
  const Handle overrun = function(&module, "overrun");
  DevicePointer pointer = allocate(4);
  void* params[] = {&pointer};
  EXPECT_EQ(launch_kernel(overrun, 1, 1, 1, 1, 1, 1, 0, nullptr, params, nullptr), kSuccess);
  EXPECT_EQ(ctx_synchronize(), kIllegalAddress);
  expect_mistake("overrun: byte 4 of the 4 bytes");
  EXPECT_EQ(mem_free(pointer), kIllegalAddress);
  expect_mistake("free: byte 4 of the 4 bytes");
  EXPECT_EQ(ctx_destroy(context_), kIllegalAddress);
  context_ = nullptr;
}

/// The environment is read when the library is loaded, so each test runs in a process of its own.
class EnvironmentDeathTest : public testing::Test {
 protected:
  void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
  void TearDown() override {
    for (const char* name : {"EMULATED_GPU_FAULT", "EMULATED_GPU_CALLER", "EMULATED_GPU_MODE"})
      unsetenv(name);
  }

  /// Exits with 0 if the first allocation succeeds and the second returns `second`.
  [[noreturn]] static void allocate_twice(Result second) {
    Handle context = nullptr;
    DevicePointer pointer = 0;
    init(0);
    ctx_create(&context, 0, 0);
    const bool first = mem_alloc(&pointer, 1) == kSuccess;
    std::_Exit(first && mem_alloc(&pointer, 1) == second ? 0 : 1);
  }
};

TEST_F(EnvironmentDeathTest, SetsAFault) {
  setenv("EMULATED_GPU_FAULT", "2:2:once:alloc", 1);
  EXPECT_EXIT(allocate_twice(kOutOfMemory), testing::ExitedWithCode(0), "");
}

TEST_F(EnvironmentDeathTest, SparesOtherCallers) {
  setenv("EMULATED_GPU_FAULT", "2:2:once:alloc", 1);
  setenv("EMULATED_GPU_CALLER", "libelsewhere", 1);
  EXPECT_EXIT(allocate_twice(kSuccess), testing::ExitedWithCode(0), "");
}

TEST_F(EnvironmentDeathTest, InvalidValuesEndTheProcess) {
  setenv("EMULATED_GPU_FAULT", "2:2:soon", 1);
  EXPECT_DEATH(allocate_twice(kSuccess), "EMULATED_GPU_FAULT not understood: 2:2:soon");
  unsetenv("EMULATED_GPU_FAULT");
  setenv("EMULATED_GPU_MODE", "lazy", 1);
  EXPECT_DEATH(allocate_twice(kSuccess), "EMULATED_GPU_MODE is neither");
}

TEST_F(EnvironmentDeathTest, MemoryThatIsLeftAtExitIsNoMistake) {
  setenv("MALLOC_PERTURB_", "61", 1);  // what is used after its destruction is not as it was
  EXPECT_EXIT(
      {
        Handle context = nullptr;
        DevicePointer pointer = 0;
        init(0);
        ctx_create(&context, 0, 0);
        mem_alloc(&pointer, 1);
        std::exit(0);
      },
      testing::ExitedWithCode(0), "");
  unsetenv("MALLOC_PERTURB_");
}

TEST_F(EnvironmentDeathTest, ChoosesTheMode) {
  setenv("EMULATED_GPU_MODE", "deferred", 1);
  EXPECT_EXIT(
      {
        Handle context = nullptr;
        DevicePointer pointer = 0;
        unsigned char byte = 0;
        init(0);
        ctx_create(&context, 0, 0);
        mem_alloc(&pointer, 1);
        memset_d8(pointer, 1, 1);
        peek(&byte, reinterpret_cast<void*>(pointer), 1);
        std::_Exit(byte == 0xCD ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace emulated_gpu
