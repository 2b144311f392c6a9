// SPDX-License-Identifier: LGPL-2.1-or-later
/// What a parser has to know of a format of coded video, read with the parsers of GStreamer and
/// libavcodec.
#pragma once

#include <ffnvcodec/dynlink_cuda.h>
// After the types that it needs.
#include <ffnvcodec/dynlink_nvcuvid.h>

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace emulated_nvdec {

/// A coded picture.
struct CodedPicture {
  std::string slices;             ///< with start codes
  std::vector<unsigned> offsets;  ///< of each slice
  CUVIDPICPARAMS params{};        ///< but for surfaces, references and pointers
  CUVIDEOFORMAT format{};         ///< of its sequence
  std::size_t reordered = 0;  ///< pictures that may precede one in decoding and follow in display
  int order = 0;              ///< of display, since the last picture that restarts it
  int frame_num = 0;          ///< in H.264
  bool restarts = false;      ///< the order of display starts anew
  bool entry = false;         ///< decoding can start here

  /// @param unit  a NAL unit, without a start code
  void add_slice(const unsigned char* unit, std::size_t size) {
    offsets.push_back(static_cast<unsigned>(slices.size()));
    slices += std::string{'\0', '\0', '\1'};
    slices.append(reinterpret_cast<const char*>(unit), size);
  }
};

/// A decoded picture to which others may refer.
struct Reference {
  int surface, order, frame_num;
};

class Stream {
 public:
  virtual ~Stream() = default;

  /// Reads an access unit. False if it contains no slice whose parameter sets are known.
  virtual bool read(const unsigned char* data, std::size_t size, CodedPicture* picture) = 0;
  /// For the picture that was read last: drops the references that neither it nor pictures after it
  /// use, and writes the others into its parameters.
  /// @param references  the newest first
  virtual void refer(std::deque<Reference>* references, CodedPicture* picture) const = 0;
};

/// These throw std::bad_alloc.
std::unique_ptr<Stream> h264_stream();
std::unique_ptr<Stream> hevc_stream();

}  // namespace emulated_nvdec
