// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Every kernel, run by groups of host threads, writes the same bytes as with one thread per group,
/// and ThreadSanitizer reports no race. Kernels run in two ways: as on a GPU, with 32 and 256
/// threads per block, and with groups whose threads get other iterations in each loop.
#include <gtest/gtest.h>

#include "cpu/cpu_executor.h"
#include "executor/executor.h"
#include "tests/kernels/kernel_cases.h"
#include "tests/kernels/threaded_workers.h"

namespace {

using test::Way;
using test::Workers;

constexpr Workers kWorkers[] = {
    {"Group32", Way::kGroup, 32}, {"Block32", Way::kBlock, 32}, {"Block256", Way::kBlock, 256}};

/// Groups run every case at one size, and the first two cases at all sizes. Hundreds of threads are
/// slow, so blocks run every case at one size, large blocks at one with work for all threads.
bool is_tried(const Workers& workers, const test::CaseSize& size, int which) {
  if (workers.way == Way::kBlock) return &size == &test::kOddSizes[workers.count > 32];
  return which <= 1 || &size == &test::kOddSizes[0];
}

template <class Kernel>
void expect_same(const Workers& workers) {
  const auto executor = mt::make_cpu_executor(1);
  for (const test::CaseSize& size : test::kOddSizes)
    for (int which = 0; which < test::Cases<Kernel>::kCount; ++which) {
      if (!is_tried(workers, size, which)) continue;
      test::KernelMemory one(executor), many(executor);
      const auto serial = test::Cases<Kernel>::make(one, size, which);
      const auto threaded = test::Cases<Kernel>::make(many, size, which);
      executor->launch(serial.kernel, serial.count);
      workers.run(threaded.kernel, threaded.count);
      const auto expected = one.contents(), found = many.contents();
      ASSERT_EQ(expected.size(), found.size());
      for (size_t i = 0; i < expected.size(); ++i)
        EXPECT_TRUE(expected[i] == found[i]) << size.width << "x" << size.height << ", case "
                                             << which << ", block " << i << " as created";
    }
}

class ThreadedKernels : public testing::TestWithParam<Workers> {};

#define MT_KERNEL_TEST(name)                         \
  TEST_P(ThreadedKernels, name##IsThatOfOneThread) { \
    expect_same<mt::name>(GetParam());               \
  }
MT_KERNELS(MT_KERNEL_TEST)
#undef MT_KERNEL_TEST

INSTANTIATE_TEST_SUITE_P(Workers, ThreadedKernels, testing::ValuesIn(kWorkers),
                         [](const auto& info) { return info.param.name; });

}  // namespace
