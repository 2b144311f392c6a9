// SPDX-License-Identifier: LGPL-2.1-or-later
// Times every kernel on a frame of 1920x1080 in which every cell changed, with cells of 40 pixels
// and a pool of 3,676 tiles: on one thread at every SIMD level of this processor, and on all cores.
// The launches are those of the tests, which say how many bytes each moves, and the bandwidth of
// the memory is measured with plain copies and sums. Prints a table in Markdown.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "cpu/cpu_executor.h"
#include "executor/executor.h"
#include "tests/kernels/kernel_cases.h"

namespace {

using Clock = std::chrono::steady_clock;

constexpr test::CaseSize kSize{1920, 1080, 40, 3676};
constexpr mt::SimdLevel kLevels[] = {mt::SimdLevel{0}, mt::SimdLevel{1}, mt::SimdLevel{2}};
constexpr int kLeastRuns = 5, kMostRuns = 200;
constexpr double kEnoughMs = 100;  // of measuring, for one kernel on one executor

/// The shortest duration of a call in milliseconds, after one call that is not measured. The
/// shortest, because whatever else runs on the machine can only lengthen a call.
template <class Function>
double least_ms(Function function) {
  function();
  double least = 0, sum = 0;
  for (int run = 0; run < kLeastRuns || (sum < kEnoughMs && run < kMostRuns); ++run) {
    const auto start = Clock::now();
    function();
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    least = run ? std::min(least, ms) : ms;
    sum += ms;
  }
  return least;
}

double gigabytes_per_second(double bytes, double ms) {
  return bytes * 1e-6 / ms;
}

/// Bytes that a plain copy moves, and that a plain sum reads, in GB/s.
struct Bandwidth {
  double copy, read;
  double most() const { return std::max(copy, read); }
};

/// On all cores, of blocks so large that caches do not help.
Bandwidth measure_bandwidth(int threads) {
  const long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
  const size_t bytes =
      std::clamp(size_t(std::max(cache, 0L)) * 2, size_t{256} << 20, size_t{1} << 30);
  const size_t words = bytes / sizeof(uint64_t), part = words / static_cast<size_t>(threads);
  std::vector<uint64_t> from(words, 1), to(words, 2), sums(static_cast<size_t>(threads));
  const auto on_all = [&](auto work) {
    std::vector<std::thread> workers;
    for (int i = 0; i < threads; ++i)
      workers.emplace_back([=] { work(static_cast<size_t>(i), static_cast<size_t>(i) * part); });
    for (auto& worker : workers) worker.join();
  };
  const double copy = least_ms([&] {
    on_all([&](size_t, size_t at) { std::memcpy(&to[at], &from[at], part * sizeof(uint64_t)); });
  });
  const double read = least_ms([&] {
    on_all([&](size_t i, size_t at) {
      sums[i] = std::accumulate(&from[at], &from[at] + part, uint64_t{0});
    });
  });
  const double moved = static_cast<double>(part) * threads * sizeof(uint64_t);
  return {gigabytes_per_second(2 * moved, copy), gigabytes_per_second(moved, read)};
}

class Table {
 public:
  Table() : threads_(static_cast<int>(std::max(1u, std::thread::hardware_concurrency()))) {
    for (const mt::SimdLevel level : kLevels)
      if (level <= mt::best_simd_level()) executors_.push_back(mt::make_cpu_executor(1, level));
    executors_.push_back(mt::make_cpu_executor(threads_));
  }

  void print_head() {
    bandwidth_ = measure_bandwidth(threads_);
    std::printf(
        "Milliseconds of the shortest of several launches on one thread at each level of x86-64, "
        "and on all %d cores; "
        "the "
        "bytes that it must read or write, each counted once; and these per second on all cores, "
        "as "
        "a share of the memory's bandwidth, %.1f GB/s (a copy moves %.1f, a sum reads %.1f).\n\n",
        threads_, bandwidth_.most(), bandwidth_.copy, bandwidth_.read);
    std::string head = "| kernel           |", rule = "| ---------------- |";
    for (size_t i = 0; i + 1 < executors_.size(); ++i) {
      head += "      v" + std::to_string(i + 2) + " |";
      rule += " ------: |";
    }
    std::printf("%s all cores |     MB |   GB/s | %% of bandwidth |\n", head.c_str());
    std::printf("%s --------: | -----: | -----: | -------------: |\n", rule.c_str());
  }

  template <class Kernel>
  void print(const char* name, test::Cases<Kernel>) {
    test::KernelMemory memory(executors_.back());
    const auto launch = test::Cases<Kernel>::make(memory, kSize, 0);
    std::printf("| %-16s |", name);
    double ms = 0;
    for (size_t i = 0; i < executors_.size(); ++i) {
      ms = least_ms([&] {
        executors_[i]->launch(launch.kernel, launch.count);
        executors_[i]->wait();
      });
      std::printf(" %*.3f |", i + 1 < executors_.size() ? 7 : 9, ms);
    }
    const double bytes = static_cast<double>(launch.bytes);
    const double achieved = gigabytes_per_second(bytes, ms);
    std::printf(" %6.2f | %6.2f | %14.0f |\n", bytes * 1e-6, achieved,
                100 * achieved / bandwidth_.most());
    std::fflush(stdout);
  }

 private:
  const int threads_;
  std::vector<std::shared_ptr<mt::Executor>> executors_;
  Bandwidth bandwidth_{};
};

}  // namespace

int main() {
  Table table;
  table.print_head();
  test::for_each_kernel([&](const char* name, auto cases) { table.print(name, cases); });
  return 0;
}
