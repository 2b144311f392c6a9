// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// What PhotoDecoder and its process, the program mosaictemporal-decoder, agree on.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mosaic::decoder {

/// Descriptors of the process. The socket keeps the boundaries of messages (SOCK_SEQPACKET). A
/// request is the path of a photo; the answer is a Reply, followed by the reason if there is no
/// photo. The pixels are then in the shared memory: [height][width][3: R, G, B].
inline constexpr int kSocket = 3;
inline constexpr int kPixels = 4;

struct Reply {
  int32_t width, height;  ///< 0: the photo could not be decoded
};

inline constexpr size_t kMaxPath = 4096;    ///< bytes of a request, as Linux limits paths
inline constexpr size_t kMaxReason = 1024;  ///< bytes of a reason

/// What one photo may cost. A photo of kMaxPhotoPixels that is read line by line takes 0.4 GB, with
/// what turning it upright needs; few progressive JPEG files of this size need more than is
/// allowed.
inline constexpr size_t kMaxFileBytes = size_t{512} << 20;
inline constexpr size_t kMaxMemory = size_t{512} << 20;  ///< bytes, besides the photo's file
inline constexpr int kMaxSeconds = 2;                    ///< of processor time

}  // namespace mosaic::decoder
