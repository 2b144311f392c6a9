// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

#include "tests/emulated-gpu/driver.h"

namespace emulated_gpu {

struct Stream;

struct Context {
  std::atomic<Result> error{kSuccess};  ///< what lost it; then every call answers with this
  std::atomic<bool> destroyed{false};
  std::shared_ptr<Stream> stream0;

  /// The first error stays.
  void lose(Result why) {
    Result healthy = kSuccess;
    error.compare_exchange_strong(healthy, why);
  }
};

/// Creates a context and makes it the calling thread's current one.
Context* create_context();
/// Finishes its work, ends all that lives in it and takes it off the top of the calling thread's
/// stack. A mistake if there is no such context.
Result destroy_context(Context* context);
/// The device's primary context: lives from the first retain to the last release, current nowhere.
Context* retain_primary();
Result release_primary();
void lose_all_contexts(Result why);

/// The calling thread's stack. `current` may be null, or a context that was destroyed.
std::shared_ptr<Context> current();
Result push_context(Context* context);
Result pop_context(Context** context);
/// Replaces the top; null takes it off.
Result set_context(Context* context);

std::size_t live_contexts();
/// Things that their owners had not released when their context was destroyed.
std::size_t abandoned();

}  // namespace emulated_gpu
