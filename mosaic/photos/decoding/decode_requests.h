// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "mosaic/photos/decoding/decoder_protocol.h"
#include "mosaic/photos/formats/photo_limits.h"

namespace mosaic::decoder {

/// What one kind of photo may cost, and how large it may be.
struct Kind {
  const PhotoLimits& limits;
  const Costs& costs;
};
inline constexpr Kind kTileKind{kTileLimits, kTileCosts};
inline constexpr Kind kPictureKind{kPictureLimits, kPictureCosts};

/// The contents of an open file, mapped into memory. If someone truncates it meanwhile, this
/// process ends.
class PhotoFile {
 public:
  /// Throws Error (kRead) if it is too large, or cannot be mapped.
  explicit PhotoFile(int file);
  ~PhotoFile();
  PhotoFile(const PhotoFile&) = delete;
  PhotoFile& operator=(const PhotoFile&) = delete;
  std::span<const uint8_t> bytes() const { return {static_cast<const uint8_t*>(data_), size_}; }

 private:
  void* data_ = nullptr;
  size_t size_ = 0;
};

/// Limits the memory of this process for photos of a kind, and takes from it the rights that
/// decoding does not need (confinement.h).
void limit_rights_and_memory(const Kind& kind);

/// After so much processor time the kernel ends this process with SIGPROF; 0: no limit.
void limit_time(int seconds);

/// Answers requests until the other process has no more photos. @param pixels shared memory
void serve(const Kind& kind, int socket, int pixels);

}  // namespace mosaic::decoder
