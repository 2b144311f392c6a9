// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <array>

#include "cpu/cpu_executor.h"
#include "tests/gpu-check/check.h"
#include "tests/kernels/kernel_cases.h"

namespace gpu_check {
namespace {

using test::CaseSize;
using test::Fill;
using test::KernelMemory;

constexpr CaseSize kFullHd{1920, 1080, 40, 3676}, kUhd{3840, 2160, 40, 3676},
    kSmall{320, 180, 20, 300};

struct Compared {
  int launches = 0, differing = 0;
};

template <class Kernel>
class Comparison {
 public:
  Comparison(Report& report, const char* name, mt::GpuExecutor& gpu, mt::Executor& cpu)
      : report_(report), name_(name), gpu_(gpu), cpu_(cpu) {}

  void run(const CaseSize& size, int which, Fill fill) {
    KernelMemory on_cpu(borrow(cpu_), fill), on_gpu(borrow(gpu_), fill);
    launch(cpu_, on_cpu, size, which);
    launch(gpu_, on_gpu, size, which);
    ++done.launches;
    const auto expected = on_cpu.contents(), found = on_gpu.contents();
    for (size_t i = 0; i < expected.size(); ++i) {
      const auto [a, b] =
          std::mismatch(expected[i].begin(), expected[i].end(), found[i].begin(), found[i].end());
      if (a == expected[i].end()) continue;
      if (++done.differing > 3) return;  // report no more than three
      report_.fail(std::string(name_) + " differs: " + std::to_string(size.width) + "x" +
                   std::to_string(size.height) + ", cells of " + std::to_string(size.side) +
                   ", case " + std::to_string(which) + ", fill " +
                   std::to_string(static_cast<int>(fill)) + ", block " + std::to_string(i) +
                   " from byte " + std::to_string(a - expected[i].begin()) + ": CPU " +
                   std::to_string(*a) + ", GPU " + std::to_string(*b));
      return;
    }
  }

  Compared done;

 private:
  static std::shared_ptr<mt::Executor> borrow(mt::Executor& executor) {
    return {&executor, [](mt::Executor*) {}};
  }
  static void launch(mt::Executor& executor, KernelMemory& memory, const CaseSize& size,
                     int which) {
    const auto launch = test::Cases<Kernel>::make(memory, size, which);
    executor.launch(launch.kernel, launch.count);
    executor.wait();
  }

  Report& report_;
  const char* name_;
  mt::GpuExecutor& gpu_;
  mt::Executor& cpu_;
};

template <class Kernel>
Compared compare(Report& report, const char* name, test::Cases<Kernel>, mt::GpuExecutor& gpu,
                 mt::Executor& cpu, Extent extent) {
  Comparison<Kernel> comparison(report, name, gpu, cpu);
  for (int which = 0; which < test::Cases<Kernel>::kCount; ++which) {
    if (extent == Extent::kSanitizer) {
      comparison.run(test::kOddSizes[0], which, Fill::kRandom);
      comparison.run(test::kOddSizes[3], which, Fill::kRandom);
      continue;
    }
    for (const Fill fill : test::kFills) {
      for (const CaseSize& size : test::kOddSizes) comparison.run(size, which, fill);
      comparison.run({1, 1, 8, 4}, which, fill);
      comparison.run({123, 33, 12, 333}, which, fill);
    }
    if (extent == Extent::kQuick) continue;
    comparison.run(kFullHd, which, Fill::kRandom);
    comparison.run(kUhd, which, Fill::kRandom);
  }
  return comparison.done;
}

/// Milliseconds of each of `times` launches.
template <class Kernel>
std::vector<double> time(mt::GpuExecutor& gpu, const test::Launch<Kernel>& launch, int times) {
  constexpr int kAtOnce = 16;  // fewer than the laps that an executor times between waits
  std::vector<double> ms(static_cast<size_t>(times));
  for (int done = 0; done < times; done += kAtOnce) {
    std::array<mt::Lap, kAtOnce> laps;
    const int count = std::min(times - done, kAtOnce);
    gpu.lap();
    for (int i = 0; i < count; ++i) {
      gpu.launch(launch.kernel, launch.count);
      laps[static_cast<size_t>(i)] = gpu.lap();
    }
    gpu.wait();
    for (int i = 0; i < count; ++i)
      ms[static_cast<size_t>(done + i)] = gpu.ms(laps[static_cast<size_t>(i)]).value();
  }
  return ms;
}

template <class Kernel>
void time(Table& table, const char* name, test::Cases<Kernel>, Gpu& gpu, const CaseSize& size,
          int times) {
  KernelMemory memory(gpu.executor);
  const auto launch = test::Cases<Kernel>::make(memory, size, 0);
  time(*gpu.executor, launch, 2);  // to warm up
  const std::vector<double> ms = time(*gpu.executor, launch, times);
  const double median = percentile(ms, 50);
  const double achieved = static_cast<double>(launch.bytes) * 1e-6 / median;
  table.rows.push_back({name, std::to_string(size.width) + "x" + std::to_string(size.height),
                        int64_t{launch.count}, median, percentile(ms, 0),
                        static_cast<double>(launch.bytes) * 1e-6, achieved,
                        gpu.bandwidth > 0 ? Value(100 * achieved / gpu.bandwidth) : Value("-")});
}

}  // namespace

void compare_kernels(Report& report, Gpu& gpu, Extent extent) {
  Table& table =
      report.add("kernels_compared", "Kernels: the same bytes as on the CPU",
                 {"kernel", "launches", "differing"},
                 "Odd sizes, random and extreme contents; every byte of every buffer is compared.");
  const auto cpu = mt::make_cpu_executor(0);
  test::for_each_kernel([&](const char* name, auto cases) {
    const Compared done = compare(report, name, cases, *gpu.executor, *cpu, extent);
    table.rows.push_back({name, int64_t{done.launches}, int64_t{done.differing}});
  });
}

void time_kernels(Report& report, Gpu& gpu, Extent extent) {
  std::string remark =
      "For a frame in which every cell changed. MB: what a kernel has to read or write; if that "
      "fits the L2 cache, the share of the memory's bandwidth may exceed 100 %.";
  if (gpu.emulated) remark += " **Emulated: these are times of host threads, not of a GPU.**";
  Table& table = report.add(
      "kernels_timed", "Kernels: time and bandwidth",
      {"kernel", "frame", "groups", "median ms", "least ms", "MB", "GB/s", "% of bandwidth"},
      std::move(remark));
  std::vector<CaseSize> sizes = {kFullHd, kUhd};
  if (extent != Extent::kFull) sizes = {kSmall};
  for (const CaseSize& size : sizes)
    test::for_each_kernel([&](const char* name, auto cases) {
      time(table, name, cases, gpu, size, gpu.emulated ? 2 : 48);
    });
}

}  // namespace gpu_check
