// SPDX-License-Identifier: LGPL-2.1-or-later
#include <atomic>
#include <chrono>
#include <thread>

#include "tests/emulated-gpu/driver_functions.h"

namespace emulated_gpu {
namespace {

/// Every test runs in both modes; a program that waits where it must gets the same results in both.
class StreamTest : public Gpu, public testing::WithParamInterface<bool> {
 protected:
  void SetUp() override {
    open(GetParam());
    const std::size_t sizes[] = {sizeof(DevicePointer), sizeof(int)};
    register_kernel("add", sizes, 2, add, nullptr);
    register_kernel("slowly_add", sizes, 2, add, &module_);
    add_ = function(&module_, "add");
    ASSERT_EQ(module_function(&slowly_add_, module_, "slowly_add"), kSuccess);
    gate_open_ = true;
    number_ = allocate(sizeof(int));
    ASSERT_EQ(memset_d8(number_, 0, sizeof(int)), kSuccess);
    ASSERT_EQ(ctx_synchronize(), kSuccess);
  }

  void TearDown() override {
    EXPECT_EQ(mem_free(number_), kSuccess);
    EXPECT_EQ(module_unload(module_), kSuccess);
    Gpu::TearDown();
  }

  /// number = number * 10 + digit, which shows the order of launches. Slow kernels have user data.
  static void add(const EmulatedGpuLaunch* launch) {
    if (launch->user) std::this_thread::sleep_for(std::chrono::milliseconds(30));
    while (!gate_open_) std::this_thread::yield();
    int* const number = *static_cast<int**>(launch->params[0]);
    *number = *number * 10 + *static_cast<int*>(launch->params[1]);
  }

  void append(Handle function, int digit, Handle stream) {
    void* params[] = {&number_, &digit};
    EXPECT_EQ(launch_kernel(function, 1, 1, 1, 32, 1, 1, 0, stream, params, nullptr), kSuccess);
    digit = -1;  // the launch has copied it
  }

  /// The number in device memory, read without waiting for work.
  int stale() const {
    int value = 0;
    EXPECT_TRUE(peek(&value, reinterpret_cast<void*>(number_), sizeof value));
    return value;
  }

  int number() const {
    int value = 0;
    EXPECT_EQ(to_host(&value, number_, sizeof value), kSuccess);
    return value;
  }

  static inline std::atomic<bool> gate_open_{true};  ///< slow kernels wait for it
  Handle module_ = nullptr, add_ = nullptr, slowly_add_ = nullptr;
  DevicePointer number_ = 0;
};

TEST_P(StreamTest, WorkRunsInOrder) {
  const Handle one = stream();
  append(slowly_add_, 1, one);
  append(add_, 2, one);
  append(add_, 3, one);
  if (GetParam()) {
    EXPECT_EQ(stale(), 0);
    EXPECT_EQ(counts().pending, 3u);
  }
  EXPECT_EQ(stream_synchronize(one), kSuccess);
  EXPECT_EQ(stale(), 123);
  EXPECT_EQ(counts().pending, 0u);
  EXPECT_EQ(stream_destroy(one), kSuccess);
}

TEST_P(StreamTest, DeferredCopiesReadHostMemoryLate) {
  const Handle one = stream();
  int sent = 1, received = 0;
  append(slowly_add_, 9, one);
  EXPECT_EQ(to_device_async(number_, &sent, sizeof sent, one), kSuccess);
  if (GetParam()) sent = 2;  // deferred: the copy, not waited for, sends this
  EXPECT_EQ(to_host_async(&received, number_, sizeof received, one), kSuccess);
  EXPECT_EQ(stream_synchronize(one), kSuccess);
  EXPECT_EQ(received, GetParam() ? 2 : 1);
  EXPECT_EQ(stream_destroy(one), kSuccess);
}

TEST_P(StreamTest, EventsOrderStreams) {
  const Handle one = stream(kStreamNonBlocking), two = stream(kStreamNonBlocking);
  Handle event = nullptr;
  ASSERT_EQ(event_create(&event, kEventDisableTiming), kSuccess);
  append(slowly_add_, 1, one);
  EXPECT_EQ(event_record(event, one), kSuccess);
  EXPECT_EQ(stream_wait_event(two, event, 0), kSuccess);
  append(add_, 2, two);
  EXPECT_EQ(stream_synchronize(two), kSuccess);
  EXPECT_EQ(stale(), 12);
  append(slowly_add_, 3, one);
  if (GetParam()) {  // waiting for one stream does not run the work of another
    EXPECT_EQ(stream_synchronize(two), kSuccess);
    EXPECT_EQ(stale(), 12);
  }
  EXPECT_EQ(event_synchronize(event), kSuccess);
  EXPECT_EQ(ctx_synchronize(), kSuccess);
  EXPECT_EQ(stale(), 123);
  EXPECT_EQ(event_destroy(event), kSuccess);
  EXPECT_EQ(stream_destroy(one), kSuccess);
  EXPECT_EQ(stream_destroy(two), kSuccess);
}

TEST_P(StreamTest, DefaultStreamWaitsForTheOthersAndTheyForIt) {
  const Handle one = stream(), two = stream(), aside = stream(kStreamNonBlocking);
  append(slowly_add_, 1, one);
  append(slowly_add_, 2, nullptr);
  append(add_, 3, two);
  EXPECT_EQ(stream_synchronize(two), kSuccess);
  EXPECT_EQ(stale(), 123);
  append(slowly_add_, 4, nullptr);
  EXPECT_EQ(stream_synchronize(aside), kSuccess);
  if (GetParam()) {
    EXPECT_EQ(stale(), 123);
  }
  EXPECT_EQ(number(), 1234);
  for (const Handle each : {one, two, aside}) EXPECT_EQ(stream_destroy(each), kSuccess);
}

TEST_P(StreamTest, PollingCompletes) {
  const Handle one = stream();
  Handle start = nullptr, end = nullptr;
  ASSERT_EQ(event_create(&start, 0), kSuccess);
  ASSERT_EQ(event_create(&end, 0), kSuccess);
  EXPECT_EQ(event_query(end), kSuccess);  // nothing recorded
  gate_open_ =
      GetParam();  // closed in eager mode; a deferred query runs the work and would never return
  EXPECT_EQ(event_record(start, one), kSuccess);
  append(slowly_add_, 1, one);
  EXPECT_EQ(event_record(end, one), kSuccess);
  float milliseconds = -1;
  EXPECT_EQ(event_elapsed(&milliseconds, start, end), kNotReady);
  EXPECT_EQ(event_query(end), kNotReady);
  gate_open_ = true;
  while (event_query(end) == kNotReady) std::this_thread::yield();
  while (stream_query(one) == kNotReady) std::this_thread::yield();
  EXPECT_EQ(stale(), 1);
  EXPECT_EQ(event_elapsed(&milliseconds, start, end), kSuccess);
  EXPECT_GE(milliseconds, 29);
  for (const Handle each : {start, end}) EXPECT_EQ(event_destroy(each), kSuccess);
  EXPECT_EQ(stream_destroy(one), kSuccess);
}

TEST_P(StreamTest, FreeingAndDestroyingWaitForWork) {
  const Handle one = stream(), two = stream();
  const DevicePointer other = allocate(1 << 20);
  append(slowly_add_, 1, one);
  EXPECT_EQ(memset_d8_async(other, 1, 1 << 20, one), kSuccess);
  EXPECT_EQ(mem_free(other), kSuccess);
  EXPECT_EQ(stale(), 1);
  append(slowly_add_, 2, two);
  EXPECT_EQ(stream_destroy(two), kSuccess);
  EXPECT_EQ(stale(), 12);
  EXPECT_EQ(stream_synchronize(two), kInvalidHandle);
  expect_mistake("cuStreamSynchronize: no such stream exists");
  EXPECT_EQ(stream_destroy(one), kSuccess);
}

TEST_P(StreamTest, ThreadsMayShareAStream) {
  const Handle one = stream();
  std::vector<std::thread> threads;
  std::atomic<int> failures{0};
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      failures += ctx_push(context_) != kSuccess;
      for (int k = 0; k < 50; ++k) {
        failures += memset_d8_async(number_, 0, sizeof(int), one) != kSuccess;
        failures += stream_synchronize(one) != kSuccess;
      }
      failures += ctx_pop(nullptr) != kSuccess;
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(counts().pending, 0u);
  EXPECT_EQ(stream_destroy(one), kSuccess);
}

INSTANTIATE_TEST_SUITE_P(Modes, StreamTest, testing::Bool(), [](const auto& info) {
  return info.param ? std::string("deferred") : std::string("eager");
});

}  // namespace
}  // namespace emulated_gpu
