// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

#include "tests/emulated-gpu/libcuda/driver.h"

namespace emulated_gpu {

struct Stream;

struct Context {
  std::atomic<Result> error{kSuccess};  ///< if lost: the cause, which every call then returns
  std::atomic<bool> destroyed{false};
  std::shared_ptr<Stream> stream0;

  /// Records the first error; later ones are ignored.
  void lose(Result why) {
    Result healthy = kSuccess;
    error.compare_exchange_strong(healthy, why);
  }
};

/// Creates a context and makes it the calling thread's current one.
Context* create_context();
/// Finishes its work, destroys everything in it and removes it from the top of the calling thread's
/// stack. A mistake if there is no such context.
Result destroy_context(Context* context);
/// The device's primary context: exists from the first retain to the last release; retaining it
/// does not make it current.
Context* retain_primary();
Result release_primary();
void lose_all_contexts(Result why);

/// The calling thread's stack. `current` may be null, or a context that was destroyed.
std::shared_ptr<Context> current();
Result push_context(Context* context);
Result pop_context(Context** context);
/// Replaces the top of the stack; null removes it.
Result set_context(Context* context);

std::size_t live_contexts();
/// Number of objects that had not been released when their context was destroyed.
std::size_t abandoned();

}  // namespace emulated_gpu
