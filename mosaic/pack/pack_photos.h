// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "mosaic/pack/pack.h"
#include "mosaic/photos/decoding/photo_decoder.h"
#include "mosaic/photos/photo.h"

namespace mosaic::pack {

/// Whether the name of a file ends in .mospack, in upper or lower case.
bool is_pack_name(const std::string& path);

/// The photos of a pack. May be used from several threads at once.
class PackPhotos : public PhotoSource {
 public:
  /// Opens and checks a pack.
  /// @param side of the photos that decode() gives: at least so many pixels, if the pack has that
  /// @param cancelled if it becomes true, decoding gives up; must outlive this object
  /// Throws Error: kNotFound, kRead.
  PackPhotos(const std::string& path, int side, const std::atomic<bool>& cancelled);

  const Pack& pack() const { return pack_; }
  int count() const override { return pack_.count(); }
  std::string name(int index) const override;
  std::string fingerprint(int index) const override;
  Shape shape(int) const override { return pack_.shape(); }
  std::optional<Hash> pack_hash() const override { return pack_.hash(); }
  /// The smallest level whose side is at least that of the constructor, or the largest level.
  /// Throws Error: kRead if the photo is damaged in the pack; kCancelled.
  Photo decode(int index) const override { return decode_at(index, side_); }
  /// The same with another side.
  Photo decode_at(int index, int side) const;

 private:
  Photo decoded(int index, const std::vector<uint8_t>& jpeg) const;

  std::string path_;
  Pack pack_;
  int side_;
  mutable PhotoDecoder decoder_;
};

}  // namespace mosaic::pack
