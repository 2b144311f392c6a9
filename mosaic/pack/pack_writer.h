// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>
#include <vector>

#include "mosaic/base/descriptor.h"
#include "mosaic/base/shape.h"
#include "mosaic/pack/pack_bytes.h"
#include "mosaic/pack/pack_format.h"

namespace mosaic::pack {

/// Writes a pack beside the file that it is to become, under a hidden name. If that is interrupted,
/// what was written stays for the next writer of the same pack. Used by one thread at a time. All
/// functions throw Error (kWrite) if the file cannot be written.
class PackWriter {
 public:
  /// Also throws if another process writes the pack.
  /// @param path of the pack
  /// @param shape of the photos, width and height at most 255
  /// @param keep how many bytes of the hidden file stay: its Pack::end_of_chunks(), or 0 for none
  PackWriter(const std::string& path, Shape shape, size_t keep);

  /// The hidden file of a pack.
  static std::string part_of(const std::string& path);

  /// Adds a photo, which must be as PackedPhoto describes.
  void add(PackedPhoto photo);

  /// Completes the pack, which replaces an older one. To be called last, after at least one photo
  /// was added. Returns the pack's hash.
  Hash finish();

  /// Writes the photos that were added so far as a chunk, so that the next writer can go on after
  /// them.
  void flush();

 private:
  void write(FileBytes bytes);
  [[noreturn]] void fail(const std::string& why) const;

  std::string path_, part_;
  Descriptor file_;
  std::vector<PackedPhoto> waiting_;  ///< for the next chunk
};

}  // namespace mosaic::pack
