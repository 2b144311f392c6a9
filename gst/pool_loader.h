// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "mosaic/pool.h"

namespace mosaic_gst {

/// Which pool is wanted.
struct PoolRequest {
  std::string location;  ///< the property tile-location; empty: the built-in pool
  mosaic::PoolOptions options;

  bool operator==(const PoolRequest& other) const;
};

/// Loads a pool in a thread of its own and tells the element's bus how it goes:
/// GST_MESSAGE_PROGRESS with code `mosaictemporal-pool`, and a warning for each of the first photos
/// that are skipped.
///
/// request, ready, wait and stop are for one thread at a time; interrupts come from any thread.
class PoolLoader {
 public:
  /// Why nobody may wait for the pool at the moment.
  enum Interrupt { kFlushing, kStopping };

  /// @param element not owned; must outlive the loader
  explicit PoolLoader(GstElement* element) : element_(element) {}
  ~PoolLoader() { stop(); }
  PoolLoader(const PoolLoader&) = delete;
  PoolLoader& operator=(const PoolLoader&) = delete;

  /// Starts loading, unless this very pool is loaded or under way; any other load is cancelled.
  /// @param threads as for mt::make_cpu_executor
  void request(const PoolRequest& request, int threads);

  /// Whether wait() would return at once.
  bool ready() const;

  /// The pool that was requested last, when it is there; null when an interrupt came first. Throws
  /// what loading threw, each time it is called.
  std::shared_ptr<const mosaic::Pool> wait();

  /// Ends every wait, now and until the interrupt is taken back. kStopping cancels the load too.
  void interrupt(Interrupt why, bool on);

  /// Cancels the load and drops the pool.
  void stop();

 private:
  void run(const PoolRequest& request, int threads);
  std::shared_ptr<const mosaic::Pool> load(const PoolRequest& request, int threads);
  void post_progress(GstProgressType type, const std::string& text);

  GstElement* element_;
  std::thread thread_;
  std::atomic<bool> cancelled_ = false;
  std::optional<PoolRequest> request_;  ///< what thread_ loads or has loaded

  mutable std::mutex mutex_;  ///< guards what follows
  std::condition_variable changed_;
  bool done_ = false;
  bool flushing_ = false;
  bool stopping_ = false;
  std::shared_ptr<const mosaic::Pool> pool_;
  std::exception_ptr error_;
};

}  // namespace mosaic_gst
