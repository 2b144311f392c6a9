// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <ffnvcodec/dynlink_cuda.h>
// After the types that it needs.
#include <ffnvcodec/dynlink_nvcuvid.h>

#include <cstddef>

struct AVCodecContext;
struct AVCodecParserContext;

namespace emulated_nvdec {

/// Finds the order of display of pictures, with libavcodec's parser.
class PictureOrder {
 public:
  /// Throws std::bad_alloc.
  explicit PictureOrder(cudaVideoCodec codec);
  ~PictureOrder();
  PictureOrder(const PictureOrder&) = delete;
  PictureOrder& operator=(const PictureOrder&) = delete;

  struct Place {
    int order;
    bool entry;  ///< decoding can start here
  };
  /// Reads an access unit, the next in decoding order.
  Place read(const unsigned char* data, std::size_t size);

 private:
  AVCodecContext* context_;
  AVCodecParserContext* parser_;
};

}  // namespace emulated_nvdec
