// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "tests/emulated-gpu/libcuda/driver.h"
#include "tests/emulated-gpu/libnvcuvid/stream.h"

namespace emulated_nvdec {

using emulated_gpu::Result;

/// A parser of H.264 or HEVC (Annex B) that calls a client back: for each sequence, for each
/// picture in decoding order, and for each picture in the order of display. Packets are whole
/// pictures (CUVID_PKT_ENDOFPICTURE), of frames; the operation of memory management of H.264 that
/// restarts the order of output without an IDR picture is not known to it. Pictures of HEVC that
/// refer to some before the point of entry are decoded and displayed like others, whatever becomes
/// of them: clients count on a picture for each packet.
class Parser {
 public:
  /// Throws std::bad_alloc.
  explicit Parser(const CUVIDPARSERPARAMS& params);
  ~Parser();
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  /// kInvalidValue if a callback fails; kNotSupported for what is not emulated.
  Result parse(const CUVIDSOURCEDATAPACKET& packet);

 private:
  /// A picture that was decoded and not yet displayed.
  struct Waiting {
    int index, order;
    bool progressive;
    CUvideotimestamp timestamp;
  };

  Result picture(const CUVIDSOURCEDATAPACKET& packet);
  Result begin_sequence(const CodedPicture& coded);
  Result decode(CodedPicture& coded);
  /// Displays pictures until `reordered` wait for pictures that may precede them, and `delayed` are
  /// ready.
  Result display(std::size_t reordered, std::size_t delayed);
  int free_surface() const;

  CUVIDPARSERPARAMS params_;
  std::unique_ptr<Stream> stream_;
  CUVIDEOFORMAT format_{};
  bool has_format_ = false;
  bool joined_ = false;  ///< whether a picture came from which decoding can start
  int surfaces_, last_surface_ = -1;
  std::deque<Reference> references_;  ///< the newest first
  std::vector<Waiting> waiting_;      ///< in decoding order
  std::deque<Waiting> ready_;         ///< in the order of display
};

}  // namespace emulated_nvdec
