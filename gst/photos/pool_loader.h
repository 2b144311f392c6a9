// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "mosaic/base/error.h"
#include "mosaic/pool/pool.h"

namespace mosaic_gst {

/// What a pool is made of.
struct PoolRequest {
  std::string location;  ///< the property tile-location; empty: the built-in pool
  mosaic::PoolOptions options;

  bool operator==(const PoolRequest& other) const;
};

/// Loads a pool in its own thread and posts messages on the element's bus: GST_MESSAGE_PROGRESS
/// with the code `mosaictemporal-pool`, and warnings for the first few photos that are skipped, for
/// entries of the location without photos, for photos in formats that are not supported, and for a
/// cache that cannot be written.
///
/// request, ready, wait and stop may be called by one thread at a time, interrupt by any.
class PoolLoader {
 public:
  /// Reasons for which wait() must return without a pool.
  enum Interrupt { kFlushing, kStopping };

  /// Called in the loading thread when photos could not be loaded from `location`. Those of
  /// `instead`, which were in use before, are then used again.
  using Refused = std::function<void(const std::string& location, const std::string& instead)>;

  /// @param element not owned; must outlive the loader
  PoolLoader(GstElement* element, Refused refused)
      : element_(element), refused_(std::move(refused)) {}
  ~PoolLoader() { stop(); }
  PoolLoader(const PoolLoader&) = delete;
  PoolLoader& operator=(const PoolLoader&) = delete;

  /// Starts loading, unless the same pool is loaded or being loaded. Cancels any other load.
  /// @param threads as for mt::make_cpu_executor
  void request(const PoolRequest& request, int threads);

  /// The shape that most photos of a location have, as mosaic::commonest_shape(); nullopt: there
  /// are no photos, or kStopping interrupted this. Looks at a few photos before it returns.
  /// @param threads as for mt::make_cpu_executor
  std::optional<mosaic::Shape> commonest_shape(const std::string& location, int threads);

  /// Whether wait() would return at once.
  bool ready() const;

  /// Waits for the pool that was requested last, and returns it; null after an interrupt. If its
  /// photos cannot be loaded but an earlier call has returned a pool, a warning is posted and the
  /// pool is made of the earlier photos. Otherwise every call throws the exception of the load.
  std::shared_ptr<const mosaic::Pool> wait();

  /// Makes wait() return null until the interrupt is switched off. kStopping also cancels the load.
  void interrupt(Interrupt why, bool on);

  /// Cancels the load and drops the pool.
  void stop();

 private:
  using PoolPtr = std::shared_ptr<const mosaic::Pool>;
  struct Loaded {
    PoolRequest request;
    PoolPtr pool;
  };
  void cancel();
  void run(const PoolRequest& request, int threads);
  Loaded load_or_go_on(const PoolRequest& request, int threads);
  PoolPtr load(const PoolRequest& request, int threads);
  void warn_of_entries(const std::vector<mosaic::Error>& problems);
  void warn_of_omissions(const mosaic::PhotoSource& source, const PoolRequest& request,
                         const mosaic::Pool& pool);
  void post_progress(GstProgressType type, const std::string& text);

  GstElement* element_;
  Refused refused_;
  std::thread thread_;
  std::atomic<bool> cancelled_ = false;
  std::optional<PoolRequest> request_;  ///< the pool that thread_ loads or has loaded

  mutable std::mutex mutex_;  ///< guards the members below
  std::condition_variable changed_;
  bool done_ = false;
  bool flushing_ = false;
  bool stopping_ = false;
  std::optional<Loaded> loaded_;  ///< the result of thread_; nullopt: it failed with error_
  std::optional<Loaded> in_use_;  ///< the last result of wait()
  std::exception_ptr error_;
};

}  // namespace mosaic_gst
