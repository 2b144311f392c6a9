// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/pack/pack_writer.h"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "mosaic/base/error.h"
#include "mosaic/base/regular_file.h"
#include "mosaic/pack/pack.h"

namespace mosaic::pack {
namespace {

namespace fs = std::filesystem;

/// A chunk of photos, see docs/pack-format.md.
Bytes chunk_of(const std::vector<PackedPhoto>& photos) {
  Bytes list;
  size_t names = 0, pixels = 0;
  for (const PackedPhoto& photo : photos) {
    append(list, photo.source, 8);
    for (const Bytes& level : photo.levels) append(list, level.empty() ? 0 : hash_of(level), 8);
    for (int i = kRawLevels; i < kLevels; ++i) append(list, photo.levels[i].size(), 4);
    append(list, photo.name.size(), 4);
    append(list, 0, 4);
    names += photo.name.size();
    for (const Bytes& level : photo.levels) pixels += level.size();
  }
  for (const PackedPhoto& photo : photos) append(list, photo.name);
  Bytes chunk;
  chunk.reserve(kChunkHeaderBytes + list.size() + pixels);
  append(chunk, kChunkMagic);
  append(chunk, photos.size(), 4);
  append(chunk, kChunkHeaderBytes + list.size() + pixels, 8);
  append(chunk, names, 8);
  Bytes checked = chunk;
  checked.insert(checked.end(), list.begin(), list.end());
  append(chunk, hash_of(checked), 8);
  chunk.insert(chunk.end(), list.begin(), list.end());
  for (int level = 0; level < kRawLevels; ++level)
    for (const PackedPhoto& photo : photos)
      chunk.insert(chunk.end(), photo.levels[level].begin(), photo.levels[level].end());
  for (const PackedPhoto& photo : photos)
    for (int level = kRawLevels; level < kLevels; ++level)
      chunk.insert(chunk.end(), photo.levels[level].begin(), photo.levels[level].end());
  return chunk;
}

}  // namespace

std::string PackWriter::part_of(const std::string& path) {
  const fs::path whole(path);
  return (whole.parent_path() / ("." + whole.filename().string() + ".part")).string();
}

PackWriter::PackWriter(const std::string& path, Shape shape, size_t keep)
    : path_(path),
      part_(part_of(path)),
      file_(::open(part_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  if (file_.get() < 0) fail(std::strerror(errno));
  if (flock(file_.get(), LOCK_EX | LOCK_NB) != 0) fail("another process writes it");
  if (ftruncate(file_.get(), static_cast<off_t>(keep)) != 0 || lseek(file_.get(), 0, SEEK_END) < 0)
    fail(std::strerror(errno));
  if (keep > 0) return;
  Bytes header;
  append(header, kMagic);
  append(header, kVersion, 4);
  for (const uint8_t byte : bytes_of(shape)) append(header, byte, 1);
  append(header, 0, 2);
  write(header);
}

void PackWriter::fail(const std::string& why) const {
  throw Error(Error::Kind::kWrite, "cannot write the pack '" + path_ + "': " + why);
}

void PackWriter::write(FileBytes bytes) {
  if (!write_all(file_.get(), bytes.data(), bytes.size())) fail(std::strerror(errno));
}

void PackWriter::add(PackedPhoto photo) {
  waiting_.push_back(std::move(photo));
  if (waiting_.size() == kMostInChunk) flush();
}

void PackWriter::flush() {
  if (waiting_.empty()) return;
  const Bytes chunk = chunk_of(waiting_);
  waiting_.clear();
  write(chunk);
}

Hash PackWriter::finish() {
  flush();
  // What readers will find.
  const Pack written(part_, Pack::End::kMayBeMissing);
  if (static_cast<off_t>(written.end_of_chunks()) != lseek(file_.get(), 0, SEEK_END))
    fail("what was written cannot be read again");
  const Hash hash = written.hash();
  Bytes end;
  append(end, kEndMagic);
  append(end, 0, 4);
  append(end, written.count(), 8);
  append(end, hash.low, 8);
  append(end, hash.high, 8);
  append(end, hash_of(end), 8);
  write(end);
  if (fsync(file_.get()) != 0 || std::rename(part_.c_str(), path_.c_str()) != 0)
    fail(std::strerror(errno));
  return hash;
}

}  // namespace mosaic::pack
