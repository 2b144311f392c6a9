// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/pool/pool.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "kernels/math/lab.h"
#include "kernels/math/tables.h"
#include "mosaic/analysis/analysis.h"
#include "mosaic/base/error.h"
#include "mosaic/base/memory_limit.h"
#include "mosaic/photos/photo_cut.h"
#include "mosaic/photos/tile_pictures.h"
#include "mosaic/pool/pool_cache.h"
#include "mosaic/pool/prepared_photos.h"
#include "mosaic/pool/variants.h"

namespace mosaic {
namespace {

/// Memory for the photos whose features are computed at once. It bounds what a load takes beyond
/// the pool itself.
constexpr size_t kChunkBytes = size_t{32} << 20;
constexpr size_t kMaxChunk = 4096, kMinChunk = 64;  // photos

/// An uninitialised array: parts that are never written take no physical memory.
template <class T>
class Array {
 public:
  explicit Array(size_t size)
      : data_(static_cast<T*>(operator new(size * sizeof(T), kAlign))), size_(size) {}
  ~Array() { operator delete(data_, kAlign); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  T* data() { return data_; }
  std::span<const T> first(size_t n) const { return {data_, n}; }

 private:
  static constexpr std::align_val_t kAlign{64};
  T* data_;
  size_t size_;
};

/// The bytes of a pool. @param draw_bytes, gray_bytes  of a photo's pixels and of a tile's luma
uint64_t pool_bytes(uint64_t photos, uint64_t tiles, uint64_t draw_bytes, uint64_t gray_bytes) {
  return photos * draw_bytes + tiles * (size_t{2} * mt::kFeatureStride * sizeof(int16_t) +
                                        sizeof(mt::CellStats) + gray_bytes);
}

/// The memory of a pool that did not come from the cache.
struct Arrays {
  Arrays(size_t photos, size_t tiles, size_t photo_bytes, size_t gray_bytes)
      : pixels(photos * photo_bytes),
        features(tiles * mt::kFeatureStride),
        residuals(tiles * mt::kFeatureStride),
        stats(tiles),
        grays(tiles * gray_bytes) {}
  Array<uint8_t> pixels;
  Array<int16_t> features, residuals;
  Array<mt::CellStats> stats;
  Array<uint8_t> grays;
};

/// @param rgb [3: R, G, B][pixels]; @param gray [pixels], written
void make_gray(const uint8_t* rgb, int pixels, uint8_t* gray) {
  for (int i = 0; i < pixels; ++i) gray[i] = static_cast<uint8_t>(mt::planar_gray(rgb, pixels, i));
}

/// A hash of the features of noise, for the key of the cache: a version with other features does
/// not use caches of this one.
uint64_t analysis_version(mt::Executor& executor) {
  constexpr int kSide = 16;
  uint8_t noise[3 * kSide * kSide];
  uint32_t seed = 1;
  for (uint8_t& v : noise) v = static_cast<uint8_t>((seed = seed * 1664525u + 1013904223u) >> 24);
  alignas(64) int16_t features[mt::kFeatureStride] = {}, residuals[mt::kFeatureStride] = {};
  mt::CellStats stats{};
  describe_tiles(executor, noise, 1, kSide, features, residuals, &stats);
  return XXH3_64bits(features, sizeof features) ^ XXH3_64bits_withSeed(&stats, sizeof stats, 1) ^
         XXH3_64bits_withSeed(residuals, sizeof residuals, 2);
}

/// Who draws the mosaic again with a copy of the pack does not know how it was cut.
PhotoCut cut_of(const PhotoSource& source, const PoolOptions& options) {
  return {options.cut.shape, source.pack_hash() ? Crop::kCentre : options.cut.crop};
}

/// Prepares the photos of a source, a chunk at a time.
class Loader {
 public:
  Loader(const PhotoSource& source, const PoolOptions& options, mt::Executor& executor,
         const std::function<void(const PoolProgress&)>& progress,
         const std::function<void(const std::string&)>& warn, const std::atomic<bool>& cancelled,
         const std::string& cache_folder)
      : source_(source),
        executor_(executor),
        progress_(progress),
        warn_(warn),
        cancelled_(cancelled),
        total_(source.count()),
        side_(options.side),
        draw_size_(options.draw_size),
        variants_(mt::tile_variants(options.augment, options.color_variants)),
        cut_(cut_of(source, options)),
        side_bytes_(size_t{3} * side_ * side_),
        draw_bytes_(size_t{3} * draw_size_.width * draw_size_.height),
        gray_bytes_(size_t(side_) * side_),
        chunk_(std::clamp(kChunkBytes / side_bytes_, kMinChunk, kMaxChunk)),
        prepared_(cache_folder, source, pictures(nullptr, nullptr)) {
    chunk_ = std::min<size_t>(chunk_, total_);
    check_bytes();
    arrays_ = std::make_shared<Arrays>(total_, size_t(total_) * variants_.count(), draw_bytes_,
                                       gray_bytes_);
    if (draw_size_ != side_) side_pixels_.resize(chunk_ * side_bytes_);
    if (variants_.count() > 1) variant_pixels_.resize(chunk_ * side_bytes_);
  }

  std::shared_ptr<const PoolData> load() {
    for (int first = 0; first < total_; first += static_cast<int>(chunk_)) {
      const int count = static_cast<int>(std::min<size_t>(chunk_, total_ - first));
      decode(first, count);
      describe(keep_decoded(first, count));
    }
    if (total_ == 0) throw Error(Error::Kind::kRead, "there are no photos");
    if (data_->names.empty())
      throw Error(Error::Kind::kRead,
                  "none of the " + std::to_string(total_) +
                      " photos could be used; the first: " + data_->skipped[0].reason);
    finish();
    return data_;
  }

  /// Whether another load of the same photos would have the same result.
  bool is_repeatable() const { return !short_of_memory_; }

 private:
  uint8_t* draw_pixels(size_t photo) { return arrays_->pixels.data() + photo * draw_bytes_; }
  uint8_t* side_pixels(size_t photo) { return side_pixels_.data() + photo * side_bytes_; }
  int used() const { return static_cast<int>(data_->names.size()); }

  void check_bytes() const {
    const int64_t tiles = int64_t{variants_.count()} * total_;
    check_memory(pool_bytes(total_, tiles, draw_bytes_, gray_bytes_),
                 std::to_string(total_) + " photos drawn at " + std::to_string(draw_size_.width) +
                     "x" + std::to_string(draw_size_.height) + " pixels",
                 "use fewer photos, smaller cells (tile-size, size), or an output whose size and "
                 "shape are nearer to those of the input");
  }

  void check_cancelled() const {
    if (cancelled_) throw mt::Cancelled();
  }

  /// Decodes photos first..first + count - 1 and resizes them to both sizes. They are stored after
  /// the photos used so far.
  void decode(int first, int count) {
    reasons_.assign(count, {});
    std::atomic<int> done{first};
    executor_.workers().run(count, 1, [&](int worker, int i, int) {
      if (cancelled_) return;
      decode_one(first, i);
      const int now = ++done;
      if (worker == 0) progress_({now, total_});
    });
    check_cancelled();
    progress_({first + count, total_});
  }

  /// What tiles need of a photo. @param draw, side where the pictures are to be
  TilePictures pictures(uint8_t* draw, uint8_t* side) const {
    TilePictures wanted{.cut = cut_, .picture = {}};
    wanted.picture[0] = {draw_size_, draw};
    if (draw_size_ != side_) wanted.picture[1] = {side_, side};
    return wanted;
  }

  void decode_one(int first, int i) {
    try {
      const TilePictures wanted = pictures(draw_pixels(used() + i), side_pixels(i));
      if (prepared_.read(first + i, wanted)) return;
      source_.prepare(first + i, wanted);
      prepared_.write(first + i, wanted);
    } catch (const std::bad_alloc&) {
      short_of_memory_ = true;
      reasons_[i] = "not enough memory for photo '" + source_.name(first + i) + "'";
    } catch (const std::exception& error) {
      reasons_[i] = *error.what() ? error.what() : "cannot read '" + source_.name(first + i) + "'";
    }
  }

  /// Closes the gaps between the photos that could be decoded, and returns their number.
  int keep_decoded(int first, int count) {
    const int before = used();
    for (int i = 0; i < count; ++i) {
      if (!reasons_[i].empty()) {
        warn_(reasons_[i]);
        data_->skipped.push_back({first + i, std::move(reasons_[i])});
        continue;
      }
      const int kept = used() - before;
      if (kept != i) {
        std::copy_n(draw_pixels(before + i), draw_bytes_, draw_pixels(before + kept));
        if (draw_size_ != side_) std::copy_n(side_pixels(i), side_bytes_, side_pixels(kept));
      }
      data_->names.push_back(source_.name(first + i));
    }
    return used() - before;
  }

  /// Computes features and luma of the newest `count` photos in all variants.
  void describe(int count) {
    const size_t first = used() - count;
    const uint8_t* plain = draw_size_ == side_ ? draw_pixels(first) : side_pixels_.data();
    for (int v = 0; v < variants_.count() && count > 0; ++v) {
      check_cancelled();
      if (v > 0)
        make_variants(executor_, variants_, v, plain, count, side_, variant_pixels_.data());
      const uint8_t* pixels = v == 0 ? plain : variant_pixels_.data();
      const size_t tile = size_t(v) * total_ + first;
      const size_t feature = tile * mt::kFeatureStride;
      for (Array<int16_t>* array : {&arrays_->features, &arrays_->residuals})
        std::memset(array->data() + feature, 0,
                    size_t(count) * mt::kFeatureStride * sizeof(int16_t));
      std::memset(static_cast<void*>(arrays_->stats.data() + tile), 0,
                  count * sizeof(mt::CellStats));
      describe_tiles(executor_, pixels, count, side_, arrays_->features.data() + feature,
                     arrays_->residuals.data() + feature, arrays_->stats.data() + tile);
      executor_.workers().run(count, 16, [&](int, int begin, int end) {
        for (int i = begin; i < end; ++i)
          make_gray(pixels + i * side_bytes_, static_cast<int>(gray_bytes_),
                    arrays_->grays.data() + (tile + i) * gray_bytes_);
      });
    }
  }

  /// Closes the gaps that skipped photos left between the variants, and completes data_.
  void finish() {
    const size_t photos = used(), tiles = photos * variants_.count();
    mt::CellStats* stats = arrays_->stats.data();
    uint8_t* grays = arrays_->grays.data();
    for (int v = 1; v < variants_.count() && photos != size_t(total_); ++v) {
      for (Array<int16_t>* array : {&arrays_->features, &arrays_->residuals})
        std::copy_n(array->data() + size_t(v) * total_ * mt::kFeatureStride,
                    photos * mt::kFeatureStride, array->data() + v * photos * mt::kFeatureStride);
      std::copy_n(stats + size_t(v) * total_, photos, stats + v * photos);
      std::copy_n(grays + size_t(v) * total_ * gray_bytes_, photos * gray_bytes_,
                  grays + v * photos * gray_bytes_);
    }
    data_->side = side_;
    data_->draw_size = draw_size_;
    data_->variants = variants_;
    data_->pixels = arrays_->pixels.first(photos * draw_bytes_);
    data_->features = arrays_->features.first(tiles * mt::kFeatureStride);
    data_->residuals = arrays_->residuals.first(tiles * mt::kFeatureStride);
    data_->stats = arrays_->stats.first(tiles);
    data_->grays = arrays_->grays.first(tiles * gray_bytes_);
    data_->memory = arrays_;
  }

  const PhotoSource& source_;
  mt::Executor& executor_;
  const std::function<void(const PoolProgress&)>& progress_;
  const std::function<void(const std::string&)>& warn_;
  const std::atomic<bool>& cancelled_;
  const int total_, side_;
  const mt::PixelSize draw_size_;
  const mt::TileVariants variants_;
  const PhotoCut cut_;
  const size_t side_bytes_, draw_bytes_;  // of a photo at either size
  const size_t gray_bytes_;               // of a tile's luma
  size_t chunk_;                          // photos at once
  PreparedPhotos prepared_;
  std::shared_ptr<Arrays> arrays_;
  std::vector<uint8_t> side_pixels_;     // [chunk], where the sizes differ
  std::vector<uint8_t> variant_pixels_;  // [chunk]
  std::vector<std::string> reasons_;     // [photos of the chunk]: why not decoded; empty: it was
  std::atomic<bool> short_of_memory_{false};
  std::shared_ptr<PoolData> data_ = std::make_shared<PoolData>();
};

}  // namespace

Pool::Pool(std::shared_ptr<const PoolData> data, std::string cache_error,
           std::optional<ContentHash> pack)
    : data_(std::move(data)), cache_error_(std::move(cache_error)) {
  if (data_->skipped.empty()) pack_ = pack;
}
int Pool::photos() const {
  return static_cast<int>(data_->names.size());
}
const mt::TileVariants& Pool::tile_variants() const {
  return data_->variants;
}
int Pool::side() const {
  return data_->side;
}
mt::PixelSize Pool::draw_size() const {
  return data_->draw_size;
}
int Pool::skipped() const {
  return static_cast<int>(data_->skipped.size());
}
std::string Pool::name(int photo) const {
  return data_->names.at(photo);
}
std::span<const uint8_t> Pool::pixels() const {
  return data_->pixels;
}
std::span<const int16_t> Pool::features() const {
  return data_->features;
}
std::span<const int16_t> Pool::residuals() const {
  return data_->residuals;
}
std::span<const mt::CellStats> Pool::stats() const {
  return data_->stats;
}
std::span<const uint8_t> Pool::grays() const {
  return data_->grays;
}
uint64_t Pool::bytes() const {
  return pixels().size_bytes() + features().size_bytes() + residuals().size_bytes() +
         stats().size_bytes() + grays().size_bytes();
}

std::shared_ptr<const TileIndex> Pool::index(mt::WorkerPool& workers) const {
  std::call_once(index_made_, [&] {
    index_ = std::make_shared<TileIndex>(mt::FineFeatures{features().data(), residuals().data()},
                                         tiles(), workers);
  });
  return index_;
}

std::shared_ptr<const Pool> load_pool(const PhotoSource& source, const PoolOptions& options,
                                      mt::Executor& executor,
                                      const std::function<void(const PoolProgress&)>& progress,
                                      const std::function<void(const std::string&)>& warn,
                                      const std::atomic<bool>& cancelled) {
  const auto [width, height] = options.draw_size;
  const std::string drawn = std::to_string(width) + "x" + std::to_string(height);
  if (options.side < 8 || options.side > 256 || std::min(width, height) < 1 ||
      std::max(width, height) > 16384)
    throw Error(Error::Kind::kSettings,
                "photos cannot be prepared for cells of " + std::to_string(options.side) +
                    " pixels (8 to 256), drawn at " + drawn + " (sides of 1 to 16384)");
  if (options.color_variants < 0 || options.color_variants > mt::kMaxHues)
    throw Error(Error::Kind::kSettings,
                "the number of colour variants is " + std::to_string(options.color_variants),
                "use 0 to " + std::to_string(mt::kMaxHues));
  try {
    if (cancelled) throw mt::Cancelled();
    const PoolCache cache(source, options, analysis_version(executor), mt::Cancellation(cancelled));
    if (auto stored = cache.load()) {
      for (const PoolData::Skipped& photo : stored->skipped) warn(photo.reason);
      progress({source.count(), source.count()});
      return std::make_shared<Pool>(std::move(stored), std::string(), source.pack_hash());
    }
    Loader loader(source, options, executor, progress, warn, cancelled, cache.folder());
    auto data = loader.load();
    std::string cache_error;
    if (loader.is_repeatable()) cache_error = cache.store(*data);
    return std::make_shared<Pool>(std::move(data), std::move(cache_error), source.pack_hash());
  } catch (const mt::Cancelled&) {
    throw Error(Error::Kind::kCancelled, "loading the photos was cancelled");
  } catch (const std::bad_alloc&) {
    throw Error(Error::Kind::kSettings,
                "not enough memory for " + std::to_string(source.count()) + " photos at " + drawn +
                    " pixels",
                "use fewer photos or smaller cells");
  }
}

}  // namespace mosaic
