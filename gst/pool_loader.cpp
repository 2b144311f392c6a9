// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/pool_loader.h"

#include <algorithm>
#include <chrono>

#include "gst/errors.h"
#include "gst/photo_location.h"
#include "gst/video_photos.h"
#include "mosaic/error.h"

namespace mosaic_gst {
namespace {

constexpr char kCode[] = "mosaictemporal-pool";
constexpr auto kProgressInterval = std::chrono::milliseconds(100);
constexpr int kMostWarnings = 5;

// Twice what a tile needs leaves the shrinking something to average over.
int video_side(const mosaic::PoolOptions& options) {
  return std::clamp(2 * std::max(options.side, options.draw_side), 64, 512);
}

std::unique_ptr<mosaic::PhotoSource> open_photos(const PoolRequest& request,
                                                 const std::atomic<bool>& cancelled,
                                                 const VideoProgress& video_progress) {
  if (request.location.empty()) return mosaic::make_procedural_photos();
  const PhotoLocation location = resolve_location(request.location);
  if (!location.is_video) return mosaic::open_photo_folder(location.where);
  return open_video_photos(location.where, video_side(request.options), cancelled, video_progress);
}

/// Says when it is time for the next progress message.
class ProgressMeter {
 public:
  /// The percentage to tell, if it is another one and the last was a while ago.
  std::optional<int> tell(int done, int total) {
    const int percent = static_cast<int>(int64_t{100} * done / std::max(total, 1));
    const auto now = std::chrono::steady_clock::now();
    if (percent == last_ || now - told_ < kProgressInterval) return std::nullopt;
    last_ = percent;
    told_ = now;
    return percent;
  }

 private:
  int last_ = 0;
  std::chrono::steady_clock::time_point told_ = std::chrono::steady_clock::now();
};

}  // namespace

bool PoolRequest::operator==(const PoolRequest& other) const {
  const mosaic::PoolOptions &a = options, &b = other.options;
  return location == other.location && a.side == b.side && a.draw_side == b.draw_side &&
         a.augment == b.augment && a.cache_location == b.cache_location &&
         a.color_variants == b.color_variants;
}

void PoolLoader::request(const PoolRequest& request, int threads) {
  if (request_ == request) return;
  stop();
  request_ = request;
  cancelled_ = false;
  thread_ = std::thread(&PoolLoader::run, this, request, threads);
}

bool PoolLoader::ready() const {
  const std::lock_guard lock(mutex_);
  return done_;
}

std::shared_ptr<const mosaic::Pool> PoolLoader::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return done_ || flushing_ || stopping_; });
  if (flushing_ || stopping_) return nullptr;
  if (error_) std::rethrow_exception(error_);
  return pool_;
}

void PoolLoader::interrupt(Interrupt why, bool on) {
  const std::lock_guard lock(mutex_);
  (why == kFlushing ? flushing_ : stopping_) = on;
  if (why == kStopping && on) cancelled_ = true;
  changed_.notify_all();
}

void PoolLoader::stop() {
  cancelled_ = true;
  if (thread_.joinable()) thread_.join();
  request_.reset();
  const std::lock_guard lock(mutex_);
  done_ = false;
  pool_.reset();
  error_ = nullptr;
}

void PoolLoader::run(const PoolRequest& request, int threads) {
  std::shared_ptr<const mosaic::Pool> pool;
  std::exception_ptr error;
  post_progress(GST_PROGRESS_TYPE_START, "Loading photos");
  try {
    pool = load(request, threads);
    post_progress(GST_PROGRESS_TYPE_COMPLETE, std::to_string(pool->photos()) + " photos, " +
                                                  std::to_string(pool->tiles()) + " tiles");
  } catch (const std::exception& e) {
    error = std::current_exception();
    if (cancelled_)
      post_progress(GST_PROGRESS_TYPE_CANCELED, "Loading photos was cancelled");
    else
      post_progress(GST_PROGRESS_TYPE_ERROR, describe(e));
  }
  const std::lock_guard lock(mutex_);
  done_ = true;
  pool_ = std::move(pool);
  error_ = error;
  changed_.notify_all();
}

std::shared_ptr<const mosaic::Pool> PoolLoader::load(const PoolRequest& request, int threads) {
  ProgressMeter video_meter, pool_meter;
  const auto say = [this](const char* what, std::optional<int> percent) {
    if (percent)
      post_progress(GST_PROGRESS_TYPE_CONTINUE,
                    std::string(what) + ": " + std::to_string(*percent) + " %");
  };
  int skipped = 0;
  const auto warn = [&](const std::string& text) {
    if (++skipped <= kMostWarnings)
      GST_ELEMENT_WARNING(element_, RESOURCE, READ, ("%s", text.c_str()), (nullptr));
  };
  const auto source = open_photos(request, cancelled_, [&](int done, int total) {
    say("Reading video", video_meter.tell(done, total));
  });
  const auto executor = mt::make_cpu_executor(threads);
  auto pool = mosaic::load_pool(
      *source, request.options, *executor,
      [&](const mosaic::PoolProgress& p) {
        say("Preparing tiles", pool_meter.tell(p.done, p.total));
      },
      warn, cancelled_);
  if (skipped > kMostWarnings)
    GST_ELEMENT_WARNING(
        element_, RESOURCE, READ,
        ("%d photos were skipped, %d more than named", skipped, skipped - kMostWarnings),
        (nullptr));
  return pool;
}

void PoolLoader::post_progress(GstProgressType type, const std::string& text) {
  gst_element_post_message(
      element_, gst_message_new_progress(GST_OBJECT(element_), type, kCode, text.c_str()));
}

}  // namespace mosaic_gst
