// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/pool/pool_cache.h"

#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <type_traits>

#include "mosaic/base/error.h"
#include "mosaic/base/hash.h"
#include "mosaic/pool/cache_file.h"
#include "mosaic/pool/cache_folder.h"
#include "mosaic/pool/tile_ranges.h"

namespace mosaic {
namespace {

/// Raise it when photos are decoded or resized differently, or when the layout of the file changes.
constexpr uint32_t kVersion = 8;

constexpr char kMagic[8] = {'M', 'T', 'P', 'O', 'O', 'L', '\r', '\n'};
constexpr size_t kWrittenAtOnce = size_t{4} << 20;  // bytes
constexpr size_t kAlignment = 64;  // of each part of the file, for reads by kernels

size_t aligned(size_t size) {
  return (size + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace

/// The beginning of the file. Numbers are in the byte order of the machine; in a file with another
/// byte order, the key does not match. After it follow, each at a multiple of kAlignment, the
/// indices of skipped photos (uint32), the reasons (text, a zero after each), pixels, features,
/// residuals, stats and grays.
struct PoolCache::Header {
  char magic[8];
  uint64_t checksum;  ///< XXH3, 128 bits folded to 64, of all that follows in the file
  uint64_t key[2];
  uint32_t side, draw_width, draw_height, variants, photos, skipped;
  uint64_t text;  ///< bytes of the reasons

  /// Where the parts begin, and where the file ends.
  struct Layout {
    size_t skipped, text, pixels, features, residuals, stats, grays, end;
  };
  /// Cannot overflow: photos < 2^31, variants <= 52, draw_width, draw_height <= 2^14, text < 2^48.
  Layout layout() const {
    Layout at{};
    at.skipped = aligned(sizeof(Header));
    at.text = aligned(at.skipped + skipped * sizeof(uint32_t));
    at.pixels = aligned(at.text + text);
    at.features = aligned(at.pixels + size_t{3} * photos * draw_width * draw_height);
    const size_t tiles = size_t{photos} * variants;
    const size_t vectors = tiles * mt::kFeatureStride * sizeof(int16_t);
    at.residuals = aligned(at.features + vectors);
    at.stats = aligned(at.residuals + vectors);
    at.grays = aligned(at.stats + tiles * sizeof(mt::CellStats));
    at.end = aligned(at.grays + tiles * side * side);
    return at;
  }
};

namespace {

/// Offset of the bytes that the checksum covers: those after the checksum itself.
constexpr size_t kChecked = 16;

uint64_t fold(XXH128_hash_t hash) {
  return hash.low64 ^ hash.high64;
}

/// A new file with a temporary name. finish() renames it to `path`; without that it is removed.
class Replacement {
 public:
  Replacement(const std::string& path, const mt::Cancellation& cancellation)
      : path_(path),
        temporary_(path + std::string(kTemporarySuffix) + "XXXXXX"),
        cancellation_(cancellation) {
    fd_ = mkostemp(temporary_.data(), O_CLOEXEC);
    good_ = fd_ >= 0;
  }
  ~Replacement() {
    if (fd_ < 0) return;
    close(fd_);
    unlink(temporary_.c_str());
  }
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  /// Writes data at the end of the file, with zeros up to the alignment, and adds both to the
  /// checksum. Throws mt::Cancelled.
  void append(const void* data, size_t size) {
    write_all(static_cast<const uint8_t*>(data), size);
    static constexpr uint8_t kZeros[kAlignment] = {};
    write_all(kZeros, aligned(size) - size);
  }

  bool finish() {
    const uint64_t sum = fold(hash_.digest());
    good_ = good_ && pwrite(fd_, &sum, sizeof sum, sizeof kMagic) == sizeof sum &&
            rename(temporary_.c_str(), path_.c_str()) == 0;
    if (!good_) return false;
    close(fd_);
    fd_ = -1;
    return true;
  }

 private:
  void write_all(const uint8_t* data, size_t size) {
    const size_t unchecked = std::min(size, kChecked - std::min(kChecked, written_));
    hash_.add(data + unchecked, size - unchecked);
    written_ += size;
    while (good_ && size > 0) {
      cancellation_.check();
      const ssize_t put = write(fd_, data, std::min(size, kWrittenAtOnce));
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0) good_ = false;
      if (!good_) return;
      data += put;
      size -= static_cast<size_t>(put);
    }
  }

  std::string path_, temporary_;
  const mt::Cancellation& cancellation_;
  int fd_;
  bool good_;
  size_t written_ = 0;
  HashState hash_;
};

}  // namespace

PoolCache::PoolCache(const PhotoSource& source, const PoolOptions& options, uint64_t analysis,
                     const mt::Cancellation& cancellation)
    : source_(source),
      options_(options),
      variants_(mt::tile_variants(options.augment, options.color_variants)),
      cancellation_(cancellation) {
  folder_ =
      options.cache_location.value_or(std::string(g_get_user_cache_dir()) + "/mosaictemporal");
  if (folder_.empty()) return;
  HashState hash;
  const uint64_t numbers[] = {kVersion,
                              analysis,
                              sizeof(mt::CellStats),
                              mt::kFeatureStride,
                              static_cast<uint64_t>(options.side),
                              static_cast<uint64_t>(options.draw_size.width),
                              static_cast<uint64_t>(options.draw_size.height),
                              options.augment,
                              static_cast<uint64_t>(options.color_variants),
                              static_cast<uint64_t>(source.count())};
  hash.add(numbers, sizeof numbers);
  if (options.cut != PhotoCut{}) {
    const uint64_t cut[] = {static_cast<uint64_t>(options.cut.shape.width),
                            static_cast<uint64_t>(options.cut.shape.height),
                            static_cast<uint64_t>(options.cut.crop)};
    hash.add(cut, sizeof cut);
  }
  const std::string loaders = source.loaders();
  hash.add(loaders.c_str(), loaders.size() + 1);
  for (int i = 0; i < source.count(); ++i) {
    const std::string print = source.fingerprint(i);
    if (print.empty()) return;
    hash.add(print.c_str(), print.size() + 1);
  }
  const XXH128_hash_t key = hash.digest();
  key_[0] = key.low64;
  key_[1] = key.high64;
  path_ = cache_file_name(folder_, {key_[0], key_[1]}, kPoolSuffix);
}

std::shared_ptr<const PoolData> PoolCache::load() const {
  if (path_.empty()) return nullptr;
  std::shared_ptr<const PoolData> pool;
  try {
    const CacheFile file(path_);
    // Memory for the whole file is needed only if it begins as it should.
    Header header;
    if (file.read(&header, sizeof header) && matches(header, file.size()))
      if (const auto bytes = file.read_all(cancellation_)) pool = read(bytes, file.size());
  } catch (const Error& error) {
    if (error.kind() == Error::Kind::kNotFound) return nullptr;
  }
  if (!pool) g_debug("%s is damaged or of another version, and will be replaced", path_.c_str());
  return pool;
}

bool PoolCache::matches(const Header& header, size_t size) const {
  return std::memcmp(header.magic, kMagic, sizeof kMagic) == 0 && header.key[0] == key_[0] &&
         header.key[1] == key_[1] && header.side == static_cast<uint32_t>(options_.side) &&
         header.draw_width == static_cast<uint32_t>(options_.draw_size.width) &&
         header.draw_height == static_cast<uint32_t>(options_.draw_size.height) &&
         header.variants == static_cast<uint32_t>(variants_.count()) && header.photos > 0 &&
         uint64_t{header.photos} + header.skipped == static_cast<uint64_t>(source_.count()) &&
         header.text <= size && header.layout().end == size;
}

std::shared_ptr<const PoolData> PoolCache::read(const std::shared_ptr<const uint8_t>& bytes,
                                                size_t size) const {
  const std::span<const uint8_t> file(bytes.get(), size);
  Header header;
  std::memcpy(&header, file.data(), sizeof header);
  if (!matches(header, size)) return nullptr;  // it may have changed meanwhile
  const Header::Layout at = header.layout();
  const XXH128_hash_t sum = XXH3_128bits(file.data() + kChecked, file.size() - kChecked);
  if (fold(sum) != header.checksum) return nullptr;

  auto pool = std::make_shared<PoolData>();
  pool->side = options_.side;
  pool->draw_size = options_.draw_size;
  pool->variants = variants_;
  const size_t tiles = size_t{header.photos} * header.variants;
  pool->pixels =
      file.subspan(at.pixels, size_t{3} * header.photos * header.draw_width * header.draw_height);
  pool->features = {reinterpret_cast<const int16_t*>(file.data() + at.features),
                    tiles * mt::kFeatureStride};
  pool->residuals = {reinterpret_cast<const int16_t*>(file.data() + at.residuals),
                     tiles * mt::kFeatureStride};
  pool->stats = {reinterpret_cast<const mt::CellStats*>(file.data() + at.stats), tiles};
  pool->grays = file.subspan(at.grays, tiles * header.side * header.side);
  pool->memory = bytes;
  if (!are_tile_features(pool->features, pool->residuals) ||
      !are_tile_stats(pool->stats, options_.side))
    return nullptr;

  const auto* index = reinterpret_cast<const uint32_t*>(file.data() + at.skipped);
  std::string_view text(reinterpret_cast<const char*>(file.data()) + at.text, header.text);
  for (uint32_t i = 0; i < header.skipped; ++i) {
    const size_t length = text.find('\0');
    if (length == text.npos) return nullptr;
    pool->skipped.push_back({static_cast<int>(index[i]), std::string(text.substr(0, length))});
    text.remove_prefix(length + 1);
  }
  // The key covers the names, so the source has the same names as when the file was written.
  size_t next = 0;
  for (int i = 0; i < source_.count(); ++i)
    if (next < pool->skipped.size() && pool->skipped[next].index == i)
      ++next;
    else
      pool->names.push_back(source_.name(i));
  return next == pool->skipped.size() ? pool : nullptr;
}

std::string PoolCache::store(const PoolData& pool) const {
  static_assert(std::is_trivially_copyable_v<mt::CellStats>);
  if (path_.empty()) return {};
  std::vector<uint32_t> skipped;
  std::string text;
  for (const PoolData::Skipped& photo : pool.skipped) {
    skipped.push_back(static_cast<uint32_t>(photo.index));
    text += photo.reason;
    text += '\0';
  }
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  std::copy_n(key_, 2, header.key);
  header.side = static_cast<uint32_t>(pool.side);
  header.draw_width = static_cast<uint32_t>(pool.draw_size.width);
  header.draw_height = static_cast<uint32_t>(pool.draw_size.height);
  header.variants = static_cast<uint32_t>(pool.variants.count());
  header.photos = static_cast<uint32_t>(pool.names.size());
  header.skipped = static_cast<uint32_t>(skipped.size());
  header.text = text.size();

  if (g_mkdir_with_parents(folder_.c_str(), 0700) != 0) return g_strerror(errno);
  Replacement file(path_, cancellation_);
  file.append(&header, sizeof header);
  file.append(skipped.data(), skipped.size() * sizeof skipped[0]);
  file.append(text.data(), text.size());
  file.append(pool.pixels.data(), pool.pixels.size_bytes());
  file.append(pool.features.data(), pool.features.size_bytes());
  file.append(pool.residuals.data(), pool.residuals.size_bytes());
  file.append(pool.stats.data(), pool.stats.size_bytes());
  file.append(pool.grays.data(), pool.grays.size_bytes());
  if (!file.finish()) return g_strerror(errno);
  prune_cache(folder_, kPoolSuffix, path_);
  return {};
}

}  // namespace mosaic
