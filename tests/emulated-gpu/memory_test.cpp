// SPDX-License-Identifier: LGPL-2.1-or-later
#include <numeric>

#include "tests/emulated-gpu/driver_functions.h"

namespace emulated_gpu {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes ramp(std::size_t n) {
  Bytes bytes(n);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{1});
  return bytes;
}

std::uint8_t* host_view(DevicePointer pointer) {
  return reinterpret_cast<std::uint8_t*>(pointer);
}

class MemoryTest : public Gpu {};

TEST_F(MemoryTest, CopiesToTheDeviceAndBack) {
  const EmulatedGpuCounts before = counts();
  const DevicePointer pointer = allocate(1001);
  EXPECT_EQ(pointer % 512, 0u);
  const Bytes sent = ramp(1001);
  Bytes back(1001);
  EXPECT_EQ(to_device(pointer, sent.data(), sent.size()), kSuccess);
  EXPECT_EQ(to_host(back.data(), pointer, back.size()), kSuccess);
  EXPECT_EQ(back, sent);
  EXPECT_EQ(counts().device_blocks, 1u);
  EXPECT_EQ(counts().device_bytes, 1001u);
  EXPECT_EQ(counts().uploads - before.uploads, 1001u);
  EXPECT_EQ(counts().downloads - before.downloads, 1001u);
  EXPECT_EQ(mem_free(pointer), kSuccess);
}

TEST_F(MemoryTest, NewMemoryIsNotZero) {
  const DevicePointer pointer = allocate(64);
  Bytes back(64);
  EXPECT_EQ(to_host(back.data(), pointer, back.size()), kSuccess);
  EXPECT_EQ(back, Bytes(64, 0xCD));
  EXPECT_EQ(mem_free(pointer), kSuccess);
}

TEST_F(MemoryTest, CopiesRectanglesOfOddSizes) {
  DevicePointer pointer = 0;
  std::size_t pitch = 0;
  ASSERT_EQ(mem_alloc_pitch(&pointer, &pitch, 641, 7, 16), kSuccess);
  EXPECT_EQ(pitch, 1024u);
  const Bytes sent = ramp(33 * 5);
  Bytes back(40 * 5, 0);
  Copy2D there{};
  there.src_type = kHost;
  there.src_host = sent.data();
  there.src_pitch = 33;
  there.dst_type = kDevice;
  there.dst_device = pointer;
  there.dst_pitch = pitch;
  there.dst_x = 608;  // the last row ends with the last byte of the allocation
  there.dst_y = 2;
  there.width = 33;
  there.height = 5;
  EXPECT_EQ(copy_2d(&there), kSuccess);
  Copy2D here{};
  here.src_type = kEither;
  here.src_device = pointer;
  here.src_pitch = pitch;
  here.src_x = 608;
  here.src_y = 2;
  here.dst_type = kHost;
  here.dst_host = back.data();
  here.dst_pitch = 40;
  here.width = 33;
  here.height = 5;
  EXPECT_EQ(copy_2d(&here), kSuccess);
  for (int y = 0; y < 5; ++y) {
    EXPECT_TRUE(std::equal(&sent[y * 33], &sent[y * 33] + 33, &back[y * 40])) << "row " << y;
    EXPECT_EQ(back[y * 40 + 33], 0);
  }
  EXPECT_EQ(host_view(pointer)[2 * pitch + 607], 0xCD);
  EXPECT_EQ(host_view(pointer)[2 * pitch + 641], 0xCD);
  there.height = 6;
  EXPECT_EQ(copy_2d(&there), kInvalidValue);
  expect_mistake("cuMemcpy2D: ");
  there.dst_pitch = 640;
  EXPECT_EQ(copy_2d(&there), kInvalidValue);
  EXPECT_EQ(mem_free(pointer), kSuccess);
}

TEST_F(MemoryTest, FillsMemory) {
  const DevicePointer pointer = allocate(64);
  EXPECT_EQ(memset_d8(pointer, 7, 64), kSuccess);
  EXPECT_EQ(memset_2d32(pointer + 4, 16, 0x04030201, 2, 3), kSuccess);
  EXPECT_EQ(ctx_synchronize(), kSuccess);
  for (int i = 0; i < 64; ++i) {
    const bool filled = i < 48 && i % 16 >= 4 && i % 16 < 12;
    EXPECT_EQ(host_view(pointer)[i], filled ? i % 4 + 1 : 7) << i;
  }
  EXPECT_EQ(memset_2d32(pointer + 2, 16, 0, 1, 1), kInvalidValue);  // not aligned
  EXPECT_EQ(memset_d8(pointer, 0, 65), kInvalidValue);
  expect_mistake("cuMemsetD8: 65 bytes at byte 0 of an allocation of 64");
  EXPECT_EQ(mem_free(pointer), kSuccess);
}

TEST_F(MemoryTest, ChecksPointers) {
  const DevicePointer pointer = allocate(100);
  Bytes host(200);
  EXPECT_EQ(to_device(pointer + 50, host.data(), 51), kInvalidValue);
  expect_mistake("cuMemcpyHtoD: 51 bytes at byte 50 of an allocation of 100");
  EXPECT_EQ(to_host(host.data(), pointer - 1, 1), kInvalidValue);
  expect_mistake("lies in no allocation");
  EXPECT_EQ(to_device(pointer, host_view(pointer), 1), kInvalidValue);
  expect_mistake("is device memory, not the host's");
  EXPECT_EQ(to_device(pointer, nullptr, 1), kInvalidValue);
  EXPECT_FALSE(check_range(host_view(pointer), 101));
  expect_mistake("kernel: 101 bytes");
  EXPECT_TRUE(check_range(host_view(pointer), 100));
  EXPECT_EQ(mem_free(pointer + 1), kInvalidValue);
  expect_mistake("is no allocation of this kind");
  EXPECT_EQ(mem_free_host(host_view(pointer)), kInvalidValue);
  expect_mistake("is no allocation of this kind");
  EXPECT_EQ(mem_free(pointer), kSuccess);
  EXPECT_EQ(to_host(host.data(), pointer + 99, 1), kInvalidValue);
  expect_mistake("lies in freed memory");
  EXPECT_EQ(mem_free(pointer), kInvalidValue);
  expect_mistake("was freed before");
}

TEST_F(MemoryTest, DetectsDamagedRedZones) {
  for (const std::ptrdiff_t at : {-1, -512, 100, 611}) {
    const DevicePointer pointer = allocate(100);
    EXPECT_TRUE(check());
    ++host_view(pointer)[at];
    EXPECT_FALSE(check());
    const std::string line = "byte " + std::to_string(at) + " of the 100 bytes";
    expect_mistake("check: " + line);
    EXPECT_EQ(mem_free(pointer), kIllegalAddress);
    expect_mistake("free: " + line);
  }
}

TEST_F(MemoryTest, ChecksTheBoundsOfPinnedMemory) {
  void* host = nullptr;
  ASSERT_EQ(mem_alloc_host(&host, 10), kSuccess);
  EXPECT_EQ(counts().pinned_blocks, 1u);
  const DevicePointer pointer = allocate(11);
  EXPECT_EQ(to_device(pointer, host, 10), kSuccess);
  EXPECT_EQ(to_device(pointer, host, 11), kInvalidValue);
  expect_mistake("cuMemcpyHtoD: 11 bytes at byte 0 of an allocation of 10");
  EXPECT_EQ(mem_free(pointer), kSuccess);
  EXPECT_EQ(mem_free_host(host), kSuccess);
}

TEST_F(MemoryTest, HostCanAccessPinnedMemory) {
  void* host = nullptr;
  ASSERT_EQ(mem_alloc_host(&host, 4), kSuccess);
  const DevicePointer pinned = reinterpret_cast<DevicePointer>(host);
  EXPECT_EQ(memset_d8(pinned, 5, 4), kSuccess);
  EXPECT_EQ(host_view(pinned)[3], 5);
  EXPECT_EQ(mem_free_host(host), kSuccess);
}

TEST_F(MemoryTest, PrimaryContextIsReferenceCounted) {
  Handle first = nullptr, second = nullptr;
  ASSERT_EQ(primary_retain(&first, 0), kSuccess);
  ASSERT_EQ(primary_retain(&second, 0), kSuccess);
  EXPECT_EQ(first, second);
  EXPECT_EQ(counts().contexts, 2u);
  EXPECT_EQ(stack_depth(), 1u);
  EXPECT_EQ(ctx_push(first), kSuccess);
  const DevicePointer pointer = allocate(1);
  EXPECT_EQ(mem_free(pointer), kSuccess);
  EXPECT_EQ(ctx_pop(nullptr), kSuccess);
  EXPECT_EQ(primary_release(0), kSuccess);
  EXPECT_EQ(counts().contexts, 2u);
  EXPECT_EQ(primary_release(0), kSuccess);
  EXPECT_EQ(counts().contexts, 1u);
  EXPECT_EQ(primary_release(0), kInvalidContext);
  expect_mistake("cuDevicePrimaryCtxRelease: it was released before");
}

TEST_F(MemoryTest, DeviceMemoryIsLimited) {
  std::size_t free = 0, total = 0;
  const DevicePointer pointer = allocate(4096);
  ASSERT_EQ(mem_get_info(&free, &total), kSuccess);
  EXPECT_EQ(total - free, 4096u);
  DevicePointer none = 0;
  EXPECT_EQ(mem_alloc(&none, free + 1), kOutOfMemory);
  EXPECT_EQ(mem_alloc(&none, 0), kInvalidValue);
  EXPECT_EQ(mem_free(pointer), kSuccess);
}

TEST_F(MemoryTest, CountsWhatAContextLeaks) {
  allocate(1);
  allocate(1);
  stream();
  Handle event = nullptr;
  EXPECT_EQ(event_create(&event, 0), kSuccess);
  abandoned_ = 4;
}

TEST_F(MemoryTest, CallsNeedACurrentContext) {
  EXPECT_EQ(stack_depth(), 1u);
  Handle popped = nullptr;
  EXPECT_EQ(ctx_pop(&popped), kSuccess);
  EXPECT_EQ(popped, context_);
  EXPECT_EQ(ctx_pop(&popped), kInvalidContext);
  DevicePointer none = 0;
  EXPECT_EQ(mem_alloc(&none, 1), kInvalidContext);
  EXPECT_EQ(ctx_push(context_), kSuccess);
  EXPECT_EQ(ctx_push(context_), kSuccess);
  EXPECT_EQ(ctx_destroy(context_), kSuccess);
  EXPECT_EQ(mem_alloc(&none, 1), kContextIsDestroyed);
  EXPECT_EQ(ctx_pop(nullptr), kSuccess);
  EXPECT_EQ(ctx_push(context_), kInvalidContext);
  expect_mistake("cuCtxPushCurrent: no such context exists");
  context_ = nullptr;
}

/// In deferred mode the host cannot access device memory, but running work can.
TEST(GuardDeathTest, HostAccessToDeviceMemoryEndsTheProcess) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  for (const bool in_host_function : {true, false}) {
    const auto touch = [&] {
      Handle context = nullptr;
      DevicePointer pointer = 0;
      set_deferred(true);
      init(0);
      ctx_create(&context, 0, 0);
      mem_alloc(&pointer, 1);
      memset_d8(pointer, 9, 1);
      if (in_host_function)
        launch_host(
            nullptr, [](void* byte) { ++*static_cast<char*>(byte); }, host_view(pointer));
      ctx_synchronize();
      unsigned char byte = 0;
      to_host(&byte, pointer, 1);
      if (in_host_function) std::_Exit(byte);
      std::_Exit(*host_view(pointer));
    };
    const int code = in_host_function ? 10 : 9;
    // A sanitizer catches the signal and exits.
    const auto as_expected = [&](int status) {
      return in_host_function == (WIFEXITED(status) && WEXITSTATUS(status) == code);
    };
    EXPECT_EXIT(touch(), as_expected, "");
  }
}

TEST(MistakeDeathTest, EndsTheProcessWithAMessage) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(
      {
        Handle context = nullptr;
        DevicePointer pointer = 0;
        char byte = 0;
        abort_on_mistake(true);
        init(0);
        ctx_create(&context, 0, 0);
        mem_alloc(&pointer, 3);
        to_host(&byte, pointer + 3, 1);
      },
      "emulated GPU: cuMemcpyDtoH: .* lies in no allocation");
}

}  // namespace
}  // namespace emulated_gpu
