// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/element/failing_new.h"

#include <dlfcn.h>
#include <execinfo.h>

#include <atomic>
#include <cstring>

#include "tests/operator_new.h"

namespace {

std::atomic<int64_t> left{INT64_MAX};  ///< calls before the one that fails
std::atomic<bool> counting{false};

/// Whether the plugin is one of the last callers: itself, or by the C++ library. Functions of
/// std::filesystem end the program by themselves if they get no memory.
bool plugin_calls() {
  constexpr int kCallers = 8;
  void* callers[kCallers];
  const int count = backtrace(callers, kCallers);
  bool plugin = false;
  for (int i = 0; i < count; ++i) {
    Dl_info info;
    if (!dladdr(callers[i], &info) || !info.dli_fname) continue;
    if (info.dli_sname && std::strstr(info.dli_sname, "10filesystem")) return false;
    plugin |= std::strstr(info.dli_fname, "libgstmosaictemporal") != nullptr;
  }
  return plugin;
}

}  // namespace

bool test::allocation_fails() {
  return counting && plugin_calls() && left.fetch_sub(1, std::memory_order_relaxed) == 0;
}

namespace element_test {

FailingNew::FailingNew(int64_t which) : which_(which) {
  left = which;
  counting = true;
}

FailingNew::~FailingNew() {
  counting = false;
}

int64_t FailingNew::allocations() const {
  return which_ - left;
}

}  // namespace element_test
