// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/photos/video_photos.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <optional>
#include <vector>

#include "gst/photos/frame_reducer.h"
#include "gst/photos/photo_location.h"
#include "gst/photos/video_reader.h"
#include "mosaic/base/error.h"

namespace mosaic_gst {
namespace {

namespace fs = std::filesystem;

// Assumed if the video has no frame rate.
constexpr double kFrameRate = 25;
// From this interval between photos on, seeking is faster than decoding every frame.
constexpr GstClockTime kSeekDistance = GST_SECOND;

/// URI, size and modification time of a local file; empty for any other URI.
std::string identity_of(const std::string& uri) {
  const auto path = local_path(uri);
  std::error_code error;
  if (!path || !fs::is_regular_file(*path, error)) return {};
  const auto size = fs::file_size(*path, error);
  const auto time = fs::last_write_time(*path, error).time_since_epoch().count();
  return uri + "|" + std::to_string(size) + "|" + std::to_string(time);
}

class VideoPhotos : public mosaic::PhotoSource {
 public:
  VideoPhotos(const std::string& uri, mosaic::Shape shape, int short_side,
              const std::atomic<bool>& cancelled, VideoProgress progress, int most)
      : label_(local_path(uri).value_or(uri)),
        identity_(identity_of(uri)),
        cut_(shape),
        short_side_(short_side),
        progress_(std::move(progress)),
        reader_(std::make_unique<VideoReader>(uri, label_, cancelled)) {
    const GstVideoInfo& info = reader_->info();
    FrameReducer(cut_, short_side_, label_).configure(info);  // throws if it cannot be used
    whole_ = {info.width * info.par_n, info.height * info.par_d};
    const double rate = reader_->frame_rate() > 0 ? reader_->frame_rate() : kFrameRate;
    const double seconds = static_cast<double>(reader_->duration()) / GST_SECOND;
    count_ =
        static_cast<int>(std::clamp(std::round(seconds * rate), 1.0, static_cast<double>(most)));
    distance_ = reader_->duration() / count_;
  }

  int count() const override { return count_; }
  mosaic::Shape shape(int) const override { return whole_; }

  std::string name(int index) const override {
    char seconds[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(seconds, sizeof seconds, "%.2f",
                    static_cast<double>(index * distance_) / GST_SECOND);
    return label_ + " at " + seconds + " s";
  }

  std::string fingerprint(int index) const override {
    if (identity_.empty()) return {};
    return identity_ + "|" + std::to_string(short_side_) + "|" + std::to_string(index) + "/" +
           std::to_string(count_);
  }

  mosaic::Photo decode(int index) const override {
    const std::lock_guard lock(mutex_);
    if (reader_) read_all();
    if (photos_[index].rgb.empty())
      throw mosaic::Error(mosaic::Error::Kind::kRead,
                          name(index) + ": the video has no frame there");
    return photos_[index];
  }

 private:
  void read_all() const {
    photos_.resize(count_);
    // The reader is destroyed, so that reading is not tried again, even after a failure.
    const std::unique_ptr<VideoReader> reader = std::move(reader_);
    FrameReducer reducer(cut_, short_side_, label_);
    const auto keep = [&](int index, const Sample& sample) {
      photos_[index] = reducer.reduce(sample.get());
      progress_(index + 1, count_);
    };
    if (distance_ < kSeekDistance)
      read_in_order(*reader, keep);
    else
      read_by_seeking(*reader, keep);
  }

  // A frame may be early by a quarter of the interval, because timestamps are rounded: if there are
  // as many photos as frames, each frame has to become a photo.
  template <class Keep>
  void read_in_order(VideoReader& reader, const Keep& keep) const {
    for (int index = 0; index < count_;) {
      const Sample sample = reader.next();
      if (!sample) return;
      if (VideoReader::time_of(sample) + distance_ / 4 >= index * distance_) keep(index++, sample);
    }
  }

  // Seeking to a key frame of the video is fast. If key frames are so far apart that the seek leads
  // to a frame that has been used, an accurate seek follows.
  template <class Keep>
  void read_by_seeking(VideoReader& reader, const Keep& keep) const {
    std::optional<GstClockTime> last;
    for (int index = 0; index < count_; ++index) {
      const GstClockTime target = index * distance_ + distance_ / 2;
      Sample sample = reader.frame_at(target, false);
      const auto known = [&] { return last && VideoReader::time_of(sample) <= *last; };
      if (!sample || known()) sample = reader.frame_at(target, true);
      if (!sample || known()) continue;
      last = VideoReader::time_of(sample);
      keep(index, sample);
    }
  }

  std::string label_;
  std::string identity_;
  mosaic::Shape cut_, whole_;
  int short_side_;
  VideoProgress progress_;
  int count_ = 0;
  GstClockTime distance_ = 0;

  mutable std::mutex mutex_;                     ///< guards the members below
  mutable std::unique_ptr<VideoReader> reader_;  ///< null: all frames have been read
  mutable std::vector<mosaic::Photo> photos_;
};

}  // namespace

std::unique_ptr<mosaic::PhotoSource> open_video_photos(const std::string& uri, mosaic::Shape shape,
                                                       int short_side,
                                                       const std::atomic<bool>& cancelled,
                                                       VideoProgress progress, int most) {
  return std::make_unique<VideoPhotos>(uri, shape, short_side, cancelled, std::move(progress),
                                       most);
}

}  // namespace mosaic_gst
