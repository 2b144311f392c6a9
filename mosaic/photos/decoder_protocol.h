// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// What PhotoDecoder and its process, the program mosaictemporal-decoder, agree on.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mosaic::decoder {

/// Descriptors of the process. The socket keeps the boundaries of messages (SOCK_SEQPACKET). A
/// request is the path of a photo, the answer a Reply. If the photo was decoded, its pixels are in
/// the shared memory: [height][width][3: R, G, B]. If not, the Reply is followed by the reason.
inline constexpr int kSocket = 3;
inline constexpr int kPixels = 4;

struct Reply {
  int32_t width, height;  ///< 0: the photo could not be decoded
};

inline constexpr size_t kMaxPath = 4096;    ///< bytes of a request, as Linux limits paths
inline constexpr size_t kMaxReason = 1024;  ///< bytes of a reason

/// What one photo may cost. Decoding a photo of kMaxPhotoPixels (photo_decode.h) line by line takes
/// about 0.4 GB, including its rotation. Some progressive JPEG files of that size take more, and
/// are skipped.
inline constexpr size_t kMaxFileBytes = size_t{512} << 20;
inline constexpr size_t kMaxMemory = size_t{512} << 20;  ///< bytes of private memory (RLIMIT_DATA)
inline constexpr int kMaxSeconds = 2;                    ///< of processor time

}  // namespace mosaic::decoder
