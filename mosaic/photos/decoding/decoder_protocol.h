// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// What PhotoDecoder and its process, the program mosaictemporal-decoder, agree on.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mosaic::decoder {

/// Descriptors of the process. The socket keeps the boundaries of messages (SOCK_SEQPACKET). A
/// Request carries the descriptor of the photo's file, since the process can open none itself; the
/// answer is a Reply. If the photo was decoded, the shared memory has its pixels, [height][width]
/// [3: R, G, B], or the pictures that the request asks for, one after the other, and the Reply is
/// followed by Facts. If not, it is followed by the reason.
inline constexpr int kSocket = 3;
inline constexpr int kPixels = 4;

/// TilePictures (tile_pictures.h). If no picture is wanted, all of the photo is.
struct Request {
  int32_t width[2], height[2];    ///< of the pictures; 0: not wanted
  int32_t cut_width, cut_height;  ///< the shape of the cut
  int32_t crop;                   ///< see Crop
};

struct Reply {
  int32_t width, height;  ///< 0: the photo could not be decoded; kNoLoader: here, but elsewhere
};
inline constexpr int32_t kNoLoader = -1;  ///< as width

/// As PhotoFacts (photo_decode.h).
struct Facts {
  int32_t full_width, full_height, is_animated;
  char profile[68];  ///< ends with a zero
};

inline constexpr size_t kMaxReason = 1024;  ///< bytes of a reason

/// What one photo may cost. Decoding a tile's photo of kMaxPhotoPixels (photo_decode.h) line by
/// line takes about 0.4 GB, including its rotation. Some progressive JPEG files of that size take
/// more, and are skipped.
inline constexpr size_t kMaxFileBytes = size_t{512} << 20;
struct Costs {
  size_t memory;     ///< bytes of private memory (RLIMIT_DATA)
  int seconds;       ///< of processor time
  int wait_seconds;  ///< a photo that takes little processor time may still wait for a disk
};
inline constexpr Costs kTileCosts{size_t{512} << 20, 3, 30};
/// The photo that a mosaic is made of may be larger.
inline constexpr Costs kPictureCosts{size_t{4096} << 20, 60, 120};
inline constexpr char kPicture[] = "--picture";      ///< argument of the process that decodes one
inline constexpr char kFrames[] = "--frames";        ///< of the one that decodes numbered ones
inline constexpr char kAnimation[] = "--animation";  ///< of the one that decodes an animation

}  // namespace mosaic::decoder
