// SPDX-License-Identifier: LGPL-2.1-or-later
/// What a parser has to know of H.264, read with the parsers of GStreamer and libavcodec.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "tests/emulated-gpu/libnvcuvid/parameter_sets.h"

namespace emulated_nvdec {

/// A coded picture.
struct CodedPicture {
  std::string slices;             ///< with start codes
  std::vector<unsigned> offsets;  ///< of each slice
  CUVIDPICPARAMS params{};        ///< but for surfaces, references and pointers
  CUVIDEOFORMAT format{};         ///< of its sequence
  std::size_t reordered = 0;   ///< pictures that may precede one in decoding and follow in display
  std::size_t references = 0;  ///< that its sequence holds
  int order = 0;               ///< of display, since the last IDR picture
  bool idr = false;
  bool entry = false;  ///< decoding can start here
};

class H264Stream {
 public:
  /// Throws std::bad_alloc.
  H264Stream();
  ~H264Stream();
  H264Stream(const H264Stream&) = delete;
  H264Stream& operator=(const H264Stream&) = delete;

  /// Reads an access unit. False if it contains no slice whose parameter sets are known.
  bool read(const unsigned char* data, std::size_t size, CodedPicture* picture);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace emulated_nvdec
