// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/pool/prepared_photos.h"

#include <fcntl.h>
#include <glib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>
#include <thread>
#include <utility>

#include "mosaic/base/error.h"
#include "mosaic/base/hash.h"
#include "mosaic/base/regular_file.h"
#include "mosaic/pool/cache_folder.h"

namespace mosaic {

/// The beginning of the file. Numbers are in the byte order of the machine; with another byte order
/// the number of bytes does not match.
struct PreparedPhotos::Header {
  char magic[8];
  uint64_t record_bytes;
  uint64_t key[2];  ///< of how photos are prepared
};

/// The beginning of a record. After it follow the pictures.
struct PreparedPhotos::RecordHeader {
  Key key;            ///< of the photo
  uint64_t checksum;  ///< XXH3 of the pictures, seeded with the key
};

namespace {

/// Raise it when photos are decoded or resized differently, or when the layout of the file changes.
constexpr uint64_t kPhotosVersion = 1;
constexpr char kPhotosMagic[8] = {'M', 'T', 'P', 'H', 'O', 'T', 'O', '\n'};

/// Held while the file grows. Another process that ends gives it up; one that keeps it for longer
/// than kPatience is not waited for, so that a load can always be cancelled.
class FileLock {
 public:
  explicit FileLock(int file) : file_(file) {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    do {
      is_held_ = flock(file, LOCK_EX | LOCK_NB) == 0;
      if (!is_held_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } while (!is_held_ && std::chrono::steady_clock::now() < end);
  }
  ~FileLock() {
    if (is_held_) flock(file_, LOCK_UN);
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  bool is_held() const { return is_held_; }

 private:
  static constexpr std::chrono::milliseconds kPatience{500};
  int file_;
  bool is_held_ = false;
};

size_t bytes_of(const TilePictures& pictures) {
  return pictures.picture[0].bytes() + pictures.picture[1].bytes();
}

XXH128_hash_t hash_of(const TilePictures& pictures) {
  HashState hash;
  std::vector<uint64_t> numbers{kPhotosVersion, static_cast<uint64_t>(pictures.cut.shape.width),
                                static_cast<uint64_t>(pictures.cut.shape.height),
                                static_cast<uint64_t>(pictures.cut.crop)};
  for (const TilePictures::Picture& picture : pictures.picture) {
    numbers.push_back(static_cast<uint64_t>(picture.size.width));
    numbers.push_back(static_cast<uint64_t>(picture.size.height));
  }
  hash.add(numbers.data(), numbers.size() * sizeof numbers[0]);
  return hash.digest();
}

int64_t size_of(int file) {
  struct stat info {};
  return fstat(file, &info) == 0 ? int64_t{info.st_size} : 0;
}

uint64_t checksum_of(std::span<const uint8_t> pictures, const uint64_t* key) {
  return XXH3_64bits_withSeed(pictures.data(), pictures.size(), key[0] ^ key[1]);
}

}  // namespace

PreparedPhotos::PreparedPhotos(std::string folder, const PhotoSource& source,
                               const TilePictures& pictures) {
  const size_t bytes = bytes_of(pictures);
  if (folder.empty() || bytes > kMostBytes) return;
  keys_.resize(source.count());
  record_.assign(source.count(), -1);
  bool any = false;
  for (int i = 0; i < source.count(); ++i) {
    const std::string print = source.is_file(i) ? source.fingerprint(i) : "";
    if (print.empty()) continue;
    const XXH128_hash_t hash = XXH3_128bits(print.data(), print.size());
    keys_[i] = {{hash.low64, hash.high64}};
    any = true;
  }
  if (!any || g_mkdir_with_parents(folder.c_str(), 0700) != 0) return;
  const XXH128_hash_t way = hash_of(pictures);
  path_ = cache_file_name(folder, {way.low64, way.high64}, kPhotosSuffix);
  record_bytes_ = sizeof(RecordHeader) + bytes;
  Header header{{}, record_bytes_, {way.low64, way.high64}};
  std::memcpy(header.magic, kPhotosMagic, sizeof kPhotosMagic);
  open(header);
  if (file_.get() < 0) return;
  find_records();
  empty_if_full();
  prune_cache(folder, kPhotosSuffix, path_);
}

/// Opens the file, and begins it anew if it is not what it should be.
void PreparedPhotos::open(const Header& header) {
  Descriptor file(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
                         S_IRUSR | S_IWUSR));
  struct stat info {};
  if (file.get() < 0 || fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode)) return;
  const FileLock lock(file.get());
  if (!lock.is_held()) return;
  Header found{};
  if (pread(file.get(), &found, sizeof found, 0) != sizeof found ||
      std::memcmp(&found, &header, sizeof header) != 0)
    if (ftruncate(file.get(), 0) != 0 ||
        pwrite(file.get(), &header, sizeof header, 0) != sizeof header)
      return;
  futimens(file.get(), nullptr);
  file_ = std::move(file);
}

/// Empties a file that has grown to what the cache may hold, mostly by photos that are not wanted.
void PreparedPhotos::empty_if_full() {
  const auto wanted =
      std::count_if(record_.begin(), record_.end(), [](int64_t at) { return at >= 0; });
  const FileLock lock(file_.get());
  const int64_t bytes = size_of(file_.get());
  if (!lock.is_held() || bytes < static_cast<int64_t>(kMaxCacheBytes) ||
      2 * wanted * static_cast<int64_t>(record_bytes_) > bytes)
    return;
  if (ftruncate(file_.get(), sizeof(Header)) == 0) std::fill(record_.begin(), record_.end(), -1);
}

int64_t PreparedPhotos::position_of(int64_t record) const {
  return static_cast<int64_t>(sizeof(Header)) + record * static_cast<int64_t>(record_bytes_);
}

/// Of several records of a photo the last one counts.
void PreparedPhotos::find_records() {
  std::vector<int> order(keys_.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return keys_[a] < keys_[b]; });
  const int64_t bytes = size_of(file_.get()) - static_cast<int64_t>(sizeof(Header));
  const int64_t count = bytes / static_cast<int64_t>(record_bytes_);
  for (int64_t i = 0; i < count; ++i) {
    RecordHeader header;
    if (pread(file_.get(), &header, sizeof header, position_of(i)) != sizeof header) return;
    auto at = std::lower_bound(order.begin(), order.end(), header.key,
                               [&](int photo, const Key& key) { return keys_[photo] < key; });
    for (; at != order.end() && keys_[*at] == header.key; ++at) record_[*at] = i;
  }
}

bool PreparedPhotos::read(int photo, const TilePictures& pictures) const {
  if (file_.get() < 0 || record_[photo] < 0 || keys_[photo] == Key{}) return false;
  std::vector<uint8_t> record(record_bytes_);
  try {
    const auto position = static_cast<size_t>(position_of(record_[photo]));
    if (read_at(file_.get(), record.data(), record.size(), position) != record.size()) return false;
  } catch (const Error&) {
    return false;
  }
  RecordHeader header;
  std::memcpy(&header, record.data(), sizeof header);
  const std::span<const uint8_t> bytes = std::span(record).subspan(sizeof header);
  if (header.key != keys_[photo] || header.checksum != checksum_of(bytes, header.key.part))
    return false;
  const uint8_t* in = bytes.data();
  for (const TilePictures::Picture& picture : pictures.picture) {
    std::copy_n(in, picture.bytes(), picture.out);
    in += picture.bytes();
  }
  return true;
}

void PreparedPhotos::write(int photo, const TilePictures& pictures) {
  if (file_.get() < 0 || keys_[photo] == Key{}) return;
  std::vector<uint8_t> record(record_bytes_);
  uint8_t* out = record.data() + sizeof(RecordHeader);
  for (const TilePictures::Picture& picture : pictures.picture)
    out = std::copy_n(picture.out, picture.bytes(), out);
  const RecordHeader header{
      keys_[photo],
      checksum_of(std::span(record).subspan(sizeof(RecordHeader)), keys_[photo].part)};
  std::memcpy(record.data(), &header, sizeof header);
  const std::lock_guard guard(writing_);
  failed_ = failed_ || !append(record);
}

/// Adds a record at the end, in place of a part of one.
bool PreparedPhotos::append(std::span<const uint8_t> record) const {
  const FileLock lock(file_.get());
  if (!lock.is_held()) return false;
  const int64_t bytes = size_of(file_.get()) - static_cast<int64_t>(sizeof(Header));
  const int64_t end =
      position_of(std::max<int64_t>(bytes, 0) / static_cast<int64_t>(record.size()));
  const auto put = pwrite(file_.get(), record.data(), record.size(), end);
  if (put == static_cast<ssize_t>(record.size())) return true;
  [[maybe_unused]] const int cut = ftruncate(file_.get(), end);  // the disk is full
  return false;
}

}  // namespace mosaic
