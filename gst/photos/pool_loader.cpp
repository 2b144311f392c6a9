// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/photos/pool_loader.h"

#include <algorithm>
#include <chrono>

#include "cpu/cpu_executor.h"
#include "gst/messages/errors.h"
#include "gst/messages/log.h"
#include "gst/messages/utf8.h"
#include "gst/photos/location_photos.h"
#include "mosaic/base/error.h"
#include "mosaic/photos/commonest_shape.h"

#define GST_CAT_DEFAULT mosaic_gst::log_category(mosaic_gst::LogPart::kPool)

namespace mosaic_gst {
namespace {

constexpr char kCode[] = "mosaictemporal-pool";
constexpr auto kProgressInterval = std::chrono::milliseconds(100);
constexpr int kMaxWarnings = 5;

LocationPhotos open_photos(const PoolRequest& request, const std::atomic<bool>& cancelled,
                           const VideoProgress& video_progress) {
  if (request.location.empty()) return {.source = mosaic::make_procedural_photos(), .problems = {}};
  const auto [width, height] = request.options.draw_size;
  const int side = std::max({request.options.side, width, height});
  return open_location(request.location, side, request.options.cut.shape, cancelled,
                       video_progress);
}

std::string duration_text(std::chrono::seconds time) {
  constexpr std::chrono::seconds kInMinutes{90};
  if (time < kInMinutes) return std::to_string(time.count()) + " s";
  return std::to_string(std::chrono::round<std::chrono::minutes>(time).count()) + " min";
}

/// Limits the rate of progress messages, and says how long the rest will take if it goes on as in
/// the last seconds: photos that are in the cache take no time.
class ProgressMeter {
 public:
  /// The text to post ("40 %", "40 %, 12 s left"); nullopt if the percentage has not changed or the
  /// last message is too recent.
  std::optional<std::string> tell(int done, int total) {
    const auto now = Clock::now();
    if (now - latest_.time >= kWindow) {
      before_ = latest_;
      latest_ = {now, done};
    }
    const int percent = static_cast<int>(int64_t{100} * done / std::max(total, 1));
    if (percent == last_ || now - told_ < kProgressInterval) return std::nullopt;
    last_ = percent;
    told_ = now;
    return std::to_string(percent) + " %" + time_left({now, done}, total);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kWindow{3};
  struct Moment {
    Clock::time_point time = Clock::now();
    int done = 0;
  };

  std::string time_left(const Moment& now, int total) const {
    const auto spent = now.time - before_.time;
    const int done = now.done - before_.done;
    if (spent < kWindow || done <= 0) return {};
    const std::chrono::duration<double> left =
        spent * (static_cast<double>(total - now.done) / done);
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(left);
    return seconds.count() > 0 ? ", " + duration_text(seconds) + " left" : "";
  }

  int last_ = 0;
  Clock::time_point told_ = Clock::now();
  Moment before_, latest_;  ///< kWindow or more apart, except at first
};

}  // namespace

bool PoolRequest::operator==(const PoolRequest& other) const {
  const mosaic::PoolOptions &a = options, &b = other.options;
  return location == other.location && a.side == b.side && a.draw_size == b.draw_size &&
         a.augment == b.augment && a.cache_location == b.cache_location &&
         a.color_variants == b.color_variants && a.cut == b.cut;
}

void PoolLoader::request(const PoolRequest& request, int threads) {
  if (request_ == request) return;
  GST_INFO_OBJECT(element_, "loading photos from %s as tiles of %d px, drawn at %dx%d px",
                  request.location.empty() ? "the built-in pictures" : request.location.c_str(),
                  request.options.side, request.options.draw_size.width,
                  request.options.draw_size.height);
  cancel();
  cancelled_ = false;
  thread_ = std::thread(&PoolLoader::run, this, request, threads);
  request_ = request;  // only if there is a thread that will answer it
}

std::optional<mosaic::Shape> PoolLoader::commonest_shape(const std::string& location,
                                                         int threads) try {
  cancel();
  {
    const std::lock_guard lock(mutex_);
    cancelled_ = stopping_;
  }
  PoolRequest request;
  request.location = location;
  const LocationPhotos photos = open_photos(request, cancelled_, [](int, int) {});
  mt::WorkerPool workers(threads);
  return mosaic::commonest_shape(*photos.source, workers, cancelled_);
} catch (const mosaic::Error&) {
  return {};
}

bool PoolLoader::ready() const {
  const std::lock_guard lock(mutex_);
  return done_;
}

PoolLoader::PoolPtr PoolLoader::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return done_ || flushing_ || stopping_; });
  if (flushing_ || stopping_) return nullptr;
  if (error_) std::rethrow_exception(error_);
  in_use_ = loaded_;
  request_ = loaded_->request;
  return loaded_->pool;
}

void PoolLoader::interrupt(Interrupt why, bool on) {
  const std::lock_guard lock(mutex_);
  (why == kFlushing ? flushing_ : stopping_) = on;
  if (why == kStopping && on) cancelled_ = true;
  changed_.notify_all();
}

void PoolLoader::cancel() {
  cancelled_ = true;
  if (thread_.joinable()) thread_.join();
  request_.reset();
  const std::lock_guard lock(mutex_);
  done_ = false;
  loaded_.reset();
  error_ = nullptr;
}

void PoolLoader::stop() {
  cancel();
  const std::lock_guard lock(mutex_);
  in_use_.reset();
}

void PoolLoader::run(const PoolRequest& request, int threads) {
  std::optional<Loaded> loaded;
  std::exception_ptr error;
  try {
    loaded = load_or_go_on(request, threads);
  } catch (const std::exception&) {
    error = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  done_ = true;
  loaded_ = std::move(loaded);
  error_ = error;
  changed_.notify_all();
}

PoolLoader::Loaded PoolLoader::load_or_go_on(const PoolRequest& request, int threads) {
  std::optional<Loaded> before;
  {
    const std::lock_guard lock(mutex_);
    before = in_use_;
  }
  try {
    return {request, load(request, threads)};
  } catch (const mosaic::Error&) {
    if (cancelled_ || !before || before->request.location == request.location) throw;
    post_warning(element_, std::current_exception());
  }
  refused_(request.location, before->request.location);
  PoolRequest instead = request;
  instead.location = before->request.location;
  if (instead == before->request) return *before;
  return {instead, load(instead, threads)};
}

PoolLoader::PoolPtr PoolLoader::load(const PoolRequest& request, int threads) {
  ProgressMeter video_meter, pool_meter;
  const auto say = [this](const char* what, const std::optional<std::string>& progress) {
    if (progress) post_progress(GST_PROGRESS_TYPE_CONTINUE, std::string(what) + ": " + *progress);
  };
  int skipped = 0;
  const auto warn = [&](const std::string& text) {
    if (++skipped <= kMaxWarnings)
      GST_ELEMENT_WARNING(element_, RESOURCE, READ, ("%s", to_utf8(text).c_str()), (nullptr));
  };
  post_progress(GST_PROGRESS_TYPE_START, "Loading photos");
  try {
    const LocationPhotos photos = open_photos(request, cancelled_, [&](int done, int total) {
      say("Reading video", video_meter.tell(done, total));
    });
    const auto executor = mt::make_cpu_executor(threads);
    PoolPtr pool = mosaic::load_pool(
        *photos.source, request.options, *executor,
        [&](const mosaic::PoolProgress& p) {
          say("Preparing tiles", pool_meter.tell(p.done, p.total));
        },
        warn, cancelled_);
    if (skipped > kMaxWarnings)
      GST_ELEMENT_WARNING(
          element_, RESOURCE, READ,
          ("%d photos were skipped; only the first %d are named", skipped, kMaxWarnings),
          (nullptr));
    warn_of_entries(photos.problems);
    warn_of_omissions(*photos.source, request, *pool);
    post_progress(GST_PROGRESS_TYPE_COMPLETE, std::to_string(pool->photos()) + " photos, " +
                                                  std::to_string(pool->tiles()) + " tiles");
    return pool;
  } catch (const std::exception& e) {
    if (cancelled_)
      post_progress(GST_PROGRESS_TYPE_CANCELED, "Loading photos was cancelled");
    else
      post_progress(GST_PROGRESS_TYPE_ERROR, describe(e));
    throw;
  }
}

/// Posts warnings of entries of the location that have no photos.
void PoolLoader::warn_of_entries(const std::vector<mosaic::Error>& problems) {
  const int count = static_cast<int>(problems.size());
  for (int i = 0; i < std::min(count, kMaxWarnings); ++i)
    post_warning(element_, std::make_exception_ptr(problems[i]));
  if (count > kMaxWarnings)
    GST_ELEMENT_WARNING(element_, RESOURCE, NOT_FOUND,
                        ("%d entries of tile-location have no photos; only the first %d are named",
                         count, kMaxWarnings),
                        (nullptr));
}

/// Posts warnings of what the load left out although it succeeded: photos or the cache.
void PoolLoader::warn_of_omissions(const mosaic::PhotoSource& source, const PoolRequest& request,
                                   const mosaic::Pool& pool) {
  if (const std::string unsupported = source.unsupported(); !unsupported.empty())
    GST_ELEMENT_WARNING(element_, RESOURCE, READ,
                        ("%s in '%s' cannot be read and are not used (convert them to JPEG, for "
                         "example)",
                         to_utf8(unsupported).c_str(), to_utf8(request.location).c_str()),
                        (nullptr));
  if (const int links = source.links(); links > 0)
    GST_ELEMENT_WARNING(
        element_, RESOURCE, READ,
        ("%d symbolic links to folders in '%s' were not followed, because they may lead "
         "anywhere (move the photos into the folder)",
         links, request.location.c_str()),
        (nullptr));
  if (request.options.cache_location && !pool.cache_error().empty())
    GST_ELEMENT_WARNING(
        element_, RESOURCE, WRITE,
        ("The prepared photos cannot be cached in '%s': %s (set cache-location to a "
         "writable folder, or to an empty string to cache nothing)",
         to_utf8(*request.options.cache_location).c_str(), pool.cache_error().c_str()),
        (nullptr));
}

void PoolLoader::post_progress(GstProgressType type, const std::string& text) {
  GST_DEBUG_OBJECT(element_, "%s", text.c_str());
  gst_element_post_message(
      element_, gst_message_new_progress(GST_OBJECT(element_), type, kCode, to_utf8(text).c_str()));
}

}  // namespace mosaic_gst
