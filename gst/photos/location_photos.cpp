// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/photos/location_photos.h"

#include <algorithm>

#include "gst/photos/photo_location.h"
#include "mosaic/base/error.h"
#include "mosaic/pack/pack_photos.h"

namespace mosaic_gst {
namespace {

using mosaic::Error;
using SourcePtr = std::unique_ptr<mosaic::PhotoSource>;

constexpr size_t kNamedReasons = 3;  // in an error: of entries without photos

/// Several sources one after another.
class JoinedPhotos : public mosaic::PhotoSource {
 public:
  /// @param links found in addition to those of the parts
  JoinedPhotos(std::vector<SourcePtr> parts, int links) : parts_(std::move(parts)), links_(links) {
    for (const SourcePtr& part : parts_) {
      firsts_.push_back(count_);
      count_ += part->count();
      links_ += part->links();
    }
  }
  int count() const override { return count_; }
  std::string name(int index) const override {
    const Entry at = entry(index);
    return at.part.name(at.index);
  }
  std::string fingerprint(int index) const override {
    const Entry at = entry(index);
    return at.part.fingerprint(at.index);
  }
  std::string loaders() const override {
    std::string all;
    for (const SourcePtr& part : parts_) all += part->loaders();
    return all;
  }
  bool is_file(int index) const override {
    const Entry at = entry(index);
    return at.part.is_file(at.index);
  }
  mosaic::Photo decode(int index) const override {
    const Entry at = entry(index);
    return at.part.decode(at.index);
  }
  void prepare(int index, const mosaic::TilePictures& pictures) const override {
    const Entry at = entry(index);
    at.part.prepare(at.index, pictures);
  }
  mosaic::Shape shape(int index) const override {
    const Entry at = entry(index);
    return at.part.shape(at.index);
  }
  std::optional<mosaic::ContentHash> pack_hash() const override {
    if (parts_.size() > 1) return {};
    return parts_.front()->pack_hash();
  }
  std::string unsupported() const override { return parts_.front()->unsupported(); }
  int links() const override { return links_; }

 private:
  struct Entry {
    const mosaic::PhotoSource& part;
    int index;
  };
  Entry entry(int index) const {
    const auto after = std::upper_bound(firsts_.begin(), firsts_.end(), index);
    const auto part = static_cast<size_t>(after - firsts_.begin()) - 1;
    return {*parts_[part], index - firsts_[part]};
  }

  std::vector<SourcePtr> parts_;
  std::vector<int> firsts_;  ///< index of the first photo of each part
  int count_ = 0;
  int links_;
};

/// Opens entries, and keeps the reasons why some cannot be opened.
class Opening {
 public:
  Opening(int tile_side, mosaic::Shape shape, int photos_of_video,
          const std::atomic<bool>& cancelled, const VideoProgress& progress)
      : tile_side_(tile_side),
        shape_(shape),
        photos_of_video_(photos_of_video),
        cancelled_(cancelled),
        progress_(progress),
        files_(cancelled) {}

  void open(const PhotoLocation& entry) {
    const size_t photos = files_.count(), videos = videos_.size(), packs = packs_.size(),
                 problems = problems_.size();
    links_ += entry.links;
    for (const std::string& path : entry.paths)
      if (entry.is_pattern)
        files_.add_found(path);
      else
        attempt([&] { files_.add(path); });
    // Shrinking can then average pixels.
    for (const std::string& uri : entry.videos)
      attempt([&] {
        videos_.push_back(open_video_photos(uri, shape_, std::clamp(2 * tile_side_, 64, 512),
                                            cancelled_, progress_, photos_of_video_));
      });
    for (const std::string& pack : entry.packs)
      attempt([&] {
        packs_.push_back(
            std::make_unique<mosaic::pack::PackPhotos>(pack, 2 * tile_side_, cancelled_));
      });
    const bool none =
        files_.count() == photos && videos_.size() == videos && packs_.size() == packs;
    if (none && problems_.size() == problems) problems_.push_back(why_none(entry));
  }

  /// @param entries number of those that were opened
  LocationPhotos take(size_t entries) {
    std::vector<SourcePtr> parts;
    if (files_.count() > 0) parts.push_back(files_.open());
    std::move(packs_.begin(), packs_.end(), std::back_inserter(parts));
    std::move(videos_.begin(), videos_.end(), std::back_inserter(parts));
    if (parts.empty()) fail(entries);
    return {std::make_unique<JoinedPhotos>(std::move(parts), links_), std::move(problems_)};
  }

 private:
  template <class Open>
  void attempt(const Open& open) {
    try {
      open();
    } catch (const Error& error) {
      if (error.kind() == Error::Kind::kCancelled) throw;
      problems_.push_back(error);
    }
  }

  static Error why_none(const PhotoLocation& entry) {
    const std::string why = entry.paths.empty()
                                ? "there is no such path, and nothing matches it as a pattern"
                                : "none of the " + std::to_string(entry.paths.size()) +
                                      " paths that match it has an image file";
    return {Error::Kind::kNotFound, "no photos in '" + entry.name + "': " + why,
            "check the pattern; * does not match a slash"};
  }

  /// Throws the only problem, or an error that names the first of them.
  [[noreturn]] void fail(size_t entries) {
    const Error& first = problems_.front();
    if (problems_.size() == 1) throw first;
    std::string what =
        "none of the " + std::to_string(entries) + " entries of tile-location has photos";
    for (size_t i = 0; i < std::min(problems_.size(), kNamedReasons); ++i)
      what += (i ? "; " : ": ") + std::string(problems_[i].what());
    throw Error(first.kind(), what, first.hint());
  }

  int tile_side_;
  mosaic::Shape shape_;
  int photos_of_video_;
  const std::atomic<bool>& cancelled_;
  const VideoProgress& progress_;
  mosaic::PhotoFiles files_;
  std::vector<SourcePtr> packs_, videos_;
  int links_ = 0;
  std::vector<Error> problems_;
};

}  // namespace

LocationPhotos open_location(const std::string& location, int tile_side, mosaic::Shape shape,
                             const std::atomic<bool>& cancelled, const VideoProgress& progress) {
  const std::vector<PhotoLocation> entries = resolve_location(location, cancelled);
  size_t videos = 0;
  for (const PhotoLocation& entry : entries) videos += entry.videos.size();
  if (videos > kMaxVideos)
    throw Error(Error::Kind::kSettings,
                "'" + location.substr(0, 200) + "' names " + std::to_string(videos) +
                    " videos, and at most " + std::to_string(kMaxVideos) + " can be used",
                "name fewer of them");
  Opening opening(tile_side, shape, kMaxVideoPhotos / std::max<int>(1, static_cast<int>(videos)),
                  cancelled, progress);
  for (const PhotoLocation& entry : entries) opening.open(entry);
  return opening.take(entries.size());
}

}  // namespace mosaic_gst
