// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/gst/failing_malloc.h"

#include <dlfcn.h>
#include <execinfo.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstring>

// The C library's own functions, which remain under these names.
extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
}

namespace {

constexpr int kCallers = 40;

std::atomic<int64_t> left{INT64_MAX};  ///< calls before the one that fails
std::atomic<bool> counting{false};
thread_local bool looking = false;  ///< backtrace() and dladdr() may allocate, too

bool contains(const char* text, const char* part) {
  return text && std::strstr(text, part);
}

/// Whether the plugin is among the callers, and none of them ends the program without memory.
bool counts(void* caller) {
  Dl_info info;
  if (dladdr(caller, &info) && contains(info.dli_fname, "libglib-") &&
      !contains(info.dli_sname, "_try_"))
    return false;
  void* callers[kCallers];
  const int count = backtrace(callers, kCallers);
  bool plugin = false;
  for (int i = 0; i < count; ++i) {
    if (!dladdr(callers[i], &info)) continue;
    if (contains(info.dli_sname, "10filesystem")) return false;
    plugin |= contains(info.dli_fname, "libgstmosaictemporal");
  }
  return plugin;
}

bool fails(void* caller) {
  if (!counting || looking) return false;
  looking = true;
  const bool fails = counts(caller) && left.fetch_sub(1, std::memory_order_relaxed) == 0;
  looking = false;
  if (fails) errno = ENOMEM;
  return fails;
}

}  // namespace

// NOLINTBEGIN
#define CALLER __builtin_return_address(0)
extern "C" {
void* malloc(size_t size) {
  return fails(CALLER) ? nullptr : __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  return fails(CALLER) ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* memory, size_t size) {
  return fails(CALLER) ? nullptr : __libc_realloc(memory, size);
}
void* memalign(size_t alignment, size_t size) {
  return fails(CALLER) ? nullptr : __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  return fails(CALLER) ? nullptr : __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, size_t alignment, size_t size) {
  if (fails(CALLER)) return ENOMEM;
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}
}
// NOLINTEND

namespace element_test {

FailingMalloc::FailingMalloc(int64_t which) : which_(which) {
  void* frame;
  backtrace(&frame, 1);  // loads a library
  left = which;
  counting = true;
}

FailingMalloc::~FailingMalloc() {
  counting = false;
}

int64_t FailingMalloc::allocations() const {
  return which_ - left;
}

}  // namespace element_test
