// SPDX-License-Identifier: LGPL-2.1-or-later
// Shows the locks of GLib and GStreamer to ThreadSanitizer. GLib is not compiled with it, and its
// mutexes and conditions are system calls on Linux, so that the sanitizer does not see how an
// element or a buffer gets from one thread to another, for example to a thread that GLib has used
// before. Here its functions are replaced in the program, and each says what it orders; calls
// within GLib itself are not replaced. Only linked under ThreadSanitizer.
#include <dlfcn.h>
#include <glib.h>

extern "C" {
void __tsan_acquire(void* address);
void __tsan_release(void* address);
}

namespace {

/// The function of this name in the library.
template <class Function>
Function* in_library(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

void g_mutex_lock(GMutex* mutex) {
  static auto* const lock = in_library<void(GMutex*)>("g_mutex_lock");
  lock(mutex);
  __tsan_acquire(mutex);
}

gboolean g_mutex_trylock(GMutex* mutex) {
  static auto* const try_to_lock = in_library<gboolean(GMutex*)>("g_mutex_trylock");
  if (!try_to_lock(mutex)) return FALSE;
  __tsan_acquire(mutex);
  return TRUE;
}

void g_mutex_unlock(GMutex* mutex) {
  static auto* const unlock = in_library<void(GMutex*)>("g_mutex_unlock");
  __tsan_release(mutex);
  unlock(mutex);
}

void g_cond_wait(GCond* condition, GMutex* mutex) {
  static auto* const wait = in_library<void(GCond*, GMutex*)>("g_cond_wait");
  __tsan_release(mutex);
  wait(condition, mutex);
  __tsan_acquire(mutex);
}

gboolean g_cond_wait_until(GCond* condition, GMutex* mutex, gint64 end) {
  static auto* const wait = in_library<gboolean(GCond*, GMutex*, gint64)>("g_cond_wait_until");
  __tsan_release(mutex);
  const gboolean signalled = wait(condition, mutex, end);
  __tsan_acquire(mutex);
  return signalled;
}
}
