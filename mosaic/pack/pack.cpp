// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/pack/pack.h"

#include <algorithm>
#include <string_view>

#include "mosaic/base/error.h"
#include "mosaic/base/hash.h"
#include "mosaic/pack/pack_bytes.h"

namespace mosaic::pack {
namespace {

RegularFile open_file(const std::string& path) try {
  return RegularFile(path);
} catch (const Error& error) {
  throw Error(error.kind(), "cannot open the pack '" + path + "': " + error.what());
}

bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= kMostNameBytes && name.find('\0') == name.npos;
}

}  // namespace

Pack::Pack(const std::string& path, End end) : path_(path), file_(open_file(path)) {
  const Bytes header = read(0, kHeaderBytes);
  if (header.size() < kHeaderBytes || !has(header, 0, kMagic)) fail("it is no pack");
  if (const uint32_t version = little_endian(header, 8, 4); version != kVersion)
    fail("it is of version " + std::to_string(version) + ", and only version " +
         std::to_string(kVersion) + " can be read");
  read_shape(header);
  HashState hash;
  if (shape_ != Shape{}) hash.add(&header[12], 2);
  while (read_chunk(hash)) continue;
  const XXH128_hash_t digest = hash.digest();
  hash_ = {digest.low64, digest.high64};
  if (end == End::kRequired && (photos_.empty() || !read_end()))
    fail("it is damaged, or was not completed");
}

void Pack::read_shape(FileBytes header) {
  const std::optional<Shape> shape = mosaic::read_shape({header[12], header[13]});
  if (!shape || little_endian(header, 14, 2) != 0) fail("it is damaged");
  shape_ = *shape;
}

void Pack::fail(const std::string& why) const {
  throw Error(Error::Kind::kRead, "cannot read the pack '" + path_ + "': " + why,
              "make it again with mosaic-temporal pack");
}

std::vector<uint8_t> Pack::read(size_t at, size_t size) const try {
  Bytes bytes(at <= file_.size() ? std::min(size, file_.size() - at) : 0);
  bytes.resize(read_at(file_.fd(), bytes.data(), bytes.size(), at));
  return bytes;
} catch (const Error& error) {
  fail(error.what());
}

/// The head of the chunk at end_of_chunks_.
/// @return its list is empty if there is no chunk, or it is damaged
Pack::ChunkHead Pack::read_head() const {
  const Bytes header = read(end_of_chunks_, kChunkHeaderBytes);
  if (header.size() < kChunkHeaderBytes || !has(header, 0, kChunkMagic)) return {};
  ChunkHead head{
      .count = little_endian(header, 4, 4), .bytes = little_endian64(header, 8), .list = {}};
  const uint64_t names = little_endian64(header, 16);
  if (head.count < 1 || head.count > kMostInChunk || names > head.count * kMostNameBytes ||
      head.bytes > file_.size() - end_of_chunks_ || photos_.size() + head.count > kMostPhotos)
    return {};
  const size_t size = head.count * kEntryBytes + names;
  Bytes list = read(end_of_chunks_ + kChunkHeaderBytes, size);
  // The checksum covers all before it, and the list after it.
  Bytes checked(header.begin(), header.begin() + 24);
  checked.insert(checked.end(), list.begin(), list.end());
  if (list.size() == size && hash_of(checked) == little_endian64(header, 24))
    head.list = std::move(list);
  return head;
}

/// Reads the entry of a photo, all but the places of its raw levels.
/// @param entry   kEntryBytes
/// @param names   what follows; the photo's name is taken off
/// @param next    where the photo's first JPEG is in the file; then where its last one ends
/// @return whether the entry is possible
bool Pack::read_entry(FileBytes entry, FileBytes& names, uint64_t& next, Photo& photo) {
  photo.source = little_endian64(entry, 0);
  for (int level = 0; level < kLevels; ++level)
    photo.hashes[level] = little_endian64(entry, 8 + 8 * level);
  for (int level = kRawLevels; level < kLevels; ++level) {
    const uint32_t bytes = little_endian(entry, 64 + 4 * (level - kRawLevels), 4);
    const bool has_gap = level > kRawLevels && bytes > 0 && photo.at[level - 1] == 0;
    const bool has_hash = photo.hashes[level] != 0;
    if (bytes > kMostJpegBytes || has_gap || has_hash != (bytes > 0)) return false;
    photo.bytes[level] = bytes;
    photo.at[level] = bytes > 0 ? next : 0;
    next += bytes;
  }
  const size_t length = little_endian(entry, 80, 4);
  if (length > names.size() || little_endian(entry, 84, 4) != 0) return false;
  photo.name.assign(reinterpret_cast<const char*>(names.data()), length);
  names = names.subspan(length);
  return is_name(photo.name);
}

bool Pack::read_chunk(HashState& hash) {
  const ChunkHead head = read_head();
  if (head.list.empty()) return false;
  uint64_t next = end_of_chunks_ + kChunkHeaderBytes + head.list.size();
  std::vector<Photo> found(head.count);
  for (int level = 0; level < kRawLevels; ++level)
    for (Photo& photo : found) {
      photo.at[level] = next;
      photo.bytes[level] = static_cast<uint32_t>(raw_bytes(kRawSides[level]));
      next += photo.bytes[level];
    }
  const FileBytes list(head.list);
  FileBytes names = list.subspan(head.count * kEntryBytes);
  for (uint32_t i = 0; i < head.count; ++i)
    if (!read_entry(list.subspan(i * kEntryBytes, kEntryBytes), names, next, found[i]))
      return false;
  if (next != end_of_chunks_ + head.bytes || !names.empty()) return false;
  for (uint32_t i = 0; i < head.count; ++i) {
    hash.add(found[i].name.c_str(), found[i].name.size() + 1);
    hash.add(list.data() + i * kEntryBytes + 8, 8 * kLevels);
  }
  std::move(found.begin(), found.end(), std::back_inserter(photos_));
  end_of_chunks_ = next;
  return true;
}

bool Pack::read_end() {
  const Bytes end = read(end_of_chunks_, kEndBytes + 1);
  return end.size() == kEndBytes && has(end, 0, kEndMagic) && little_endian(end, 4, 4) == 0 &&
         little_endian64(end, 8) == photos_.size() && little_endian64(end, 16) == hash_.low &&
         little_endian64(end, 24) == hash_.high &&
         hash_of(FileBytes(end).first(32)) == little_endian64(end, 32);
}

int Pack::levels(int photo) const {
  const auto& bytes = photos_.at(photo).bytes;
  return static_cast<int>(std::find(bytes.begin(), bytes.end(), 0u) - bytes.begin());
}

std::vector<uint8_t> Pack::level(int photo, int level) const {
  const Photo& found = photos_.at(photo);
  Bytes bytes = read(found.at.at(level), found.bytes.at(level));
  if (bytes.size() != found.bytes[level] || hash_of(bytes) != found.hashes[level])
    fail("photo '" + found.name + "' in it is damaged");
  return bytes;
}

}  // namespace mosaic::pack
