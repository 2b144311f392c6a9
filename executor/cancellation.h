// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <atomic>
#include <exception>

namespace mt {

/// Thrown where work was given up because its Cancellation asked for it.
class Cancelled : public std::exception {
 public:
  const char* what() const noexcept override { return "the work was cancelled"; }
};

/// Lets another thread cancel work. Work that takes long calls check() or requested() every few
/// milliseconds. Refers to a flag, which must outlive the work.
class Cancellation {
 public:
  Cancellation() = default;  ///< never requested
  /// Requested while `cancelled` is true.
  explicit Cancellation(const std::atomic<bool>& cancelled) : cancelled_(&cancelled) {}

  bool requested() const { return cancelled_ && cancelled_->load(std::memory_order_relaxed); }
  /// Throws Cancelled if it is requested.
  void check() const {
    if (requested()) throw Cancelled();
  }

 private:
  const std::atomic<bool>* cancelled_ = nullptr;
};

}  // namespace mt
