// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/render/tile_cache.h"

#include <algorithm>
#include <string>
#include <utility>

#include "mosaic/analysis/analysis.h"
#include "mosaic/base/memory_limit.h"
#include "mosaic/photos/photo_cut.h"
#include "mosaic/photos/resize_part.h"
#include "mosaic/pool/variants.h"

namespace mosaic {

TileCache::TileCache(std::shared_ptr<const pack::PackPhotos> photos, int side, Shape shape,
                     const mt::TileVariants& variants, std::shared_ptr<mt::Executor> executor,
                     std::shared_ptr<mt::Executor> host)
    : photos_(std::move(photos)),
      side_(side),
      shape_(shape),
      variants_(variants),
      executor_(std::move(executor)),
      host_(std::move(host)),
      place_of_(photos_->count(), -1) {}

TilesToDraw TileCache::tiles() const {
  return {.pixels = pixels_.data(),
          .stats = stats_.data(),
          .photos = static_cast<int>(photo_at_.size()),
          .photo_size = size_,
          .variants = variants_,
          .pool_photos = photos_->count(),
          .place = place_of_.data()};
}

/// Empties the cache, and makes room for `most` photos.
void TileCache::resize(mt::PixelSize size, int most, bool stats) {
  const int places = std::min(most, photos_->count());
  const size_t bytes = size_t{3} * size.width * size.height;
  check_memory(places * bytes,
               std::to_string(places) + " photos drawn at " + std::to_string(size.width) + "x" +
                   std::to_string(size.height) + " pixels",
               "draw a smaller picture, or a smaller part of it");
  pixels_ = {};  // before the next are allocated
  pixels_ = mt::DeviceBuffer<uint8_t>(executor_, places * bytes);
  stats_ = mt::Buffer<mt::CellStats>(executor_, stats ? size_t(places) * variants_.count() : 0);
  std::fill(place_of_.begin(), place_of_.end(), -1);
  photo_at_.assign(places, -1);
  used_.assign(places, 0);
  size_ = size;
  has_stats_ = stats;
}

/// The first place, from one on, that this call does not use; another photo that is there leaves.
int32_t TileCache::take_place(int& from) {
  while (used_[from] == call_) ++from;
  const int32_t place = from++;
  if (photo_at_[place] >= 0) place_of_[photo_at_[place]] = -1;
  return place;
}

void TileCache::prepare(std::span<const int32_t> wanted, mt::PixelSize size, int most, bool stats) {
  executor_->wait();  // for kernels that still read what is replaced
  most = std::min(std::max(most, static_cast<int>(wanted.size())), photos_->count());
  if (size != size_ || stats != has_stats_ || static_cast<int>(photo_at_.size()) < most)
    resize(size, most, stats);
  ++call_;
  missing_.clear();
  for (const int32_t photo : wanted) {
    if (place_of_[photo] >= 0)
      used_[place_of_[photo]] = call_;
    else
      missing_.push_back({photo, -1});
  }
  int from = 0;
  for (Entry& entry : missing_) {
    entry.place = take_place(from);
    used_[entry.place] = call_;
  }
  // Only those that were filled are here: filling may throw.
  for (const Entry& entry : missing_) photo_at_[entry.place] = -1;
  fill(missing_);
  for (const Entry& entry : missing_) {
    photo_at_[entry.place] = entry.photo;
    place_of_[entry.photo] = entry.place;
  }
}

void TileCache::fill(std::span<const Entry> entries) {
  if (entries.empty()) return;
  const size_t bytes = size_t{3} * size_.width * size_.height;
  const size_t side_bytes = size_t{3} * side_ * side_;
  const bool unified = executor_->unified();
  if (!unified) staging_.resize(entries.size() * bytes);
  if (has_stats_) side_pixels_.resize(entries.size() * side_bytes);
  // Shrinking averages pixels: the same level as in a pool (gst/photos/location_photos.cpp).
  const int side = 2 * std::max({size_.width, size_.height, side_});
  host_->workers().run(static_cast<int>(entries.size()), 1, [&](int, int i, int) {
    const Photo photo = photos_->decode_at(entries[i].photo, side);
    uint8_t* out = unified ? pixels_.data() + entries[i].place * bytes : &staging_[i * bytes];
    const mt::CellRect part = shown_part(photo, {.shape = shape_});
    resize_part(photo, part, size_, out);
    if (has_stats_) resize_part(photo, part, side_, &side_pixels_[i * side_bytes]);
  });
  for (size_t i = 0; i < entries.size() && !unified; ++i)
    executor_->to_device(pixels_.data() + entries[i].place * bytes, &staging_[i * bytes], bytes);
  if (has_stats_) describe(entries);
  executor_->wait();
}

/// Computes the statistics of the photos' tiles.
void TileCache::describe(std::span<const Entry> entries) {
  const int count = static_cast<int>(entries.size());
  variant_.resize(side_pixels_.size());
  // The kernel finds features, too.
  mt::Buffer<int16_t> features(host_, entries.size() * mt::kFeatureStride);
  mt::Buffer<int16_t> residuals(host_, features.size());
  mt::Buffer<mt::CellStats> stats(host_, entries.size());
  for (int v = 0; v < variants_.count(); ++v) {
    if (v > 0)
      make_variants(*host_, variants_, v, side_pixels_.data(), count, side_, variant_.data());
    describe_tiles(*host_, v == 0 ? side_pixels_.data() : variant_.data(), count, side_,
                   features.data(), residuals.data(), stats.data());
    for (int i = 0; i < count; ++i)
      stats_[static_cast<size_t>(v) * photo_at_.size() + entries[i].place] = stats[i];
  }
}

}  // namespace mosaic
