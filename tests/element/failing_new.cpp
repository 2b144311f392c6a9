// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/element/failing_new.h"

#include <dlfcn.h>
#include <execinfo.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>

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

bool fails() {
  return counting && plugin_calls() && left.fetch_sub(1, std::memory_order_relaxed) == 0;
}

void* allocate(size_t size, size_t alignment) {
  if (fails()) return nullptr;
  if (alignment <= alignof(std::max_align_t)) return std::malloc(size ? size : 1);
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* allocate_or_throw(size_t size, size_t alignment) {
  void* memory = allocate(size, alignment);
  if (!memory) throw std::bad_alloc();
  return memory;
}

}  // namespace

// The plugin uses these too, because this program exports them.
void* operator new(size_t size) {
  return allocate_or_throw(size, 1);
}
void* operator new(size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<size_t>(alignment));
}
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  return allocate(size, 1);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
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
