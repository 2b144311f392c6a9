// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <ffnvcodec/dynlink_cuda.h>
// After the types that it needs.
#include <ffnvcodec/dynlink_nvcuvid.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace emulated_nvdec {

/// A surface in NV12: rows of luma, then rows of chroma, of `pitch` bytes. Width and height are
/// even.
struct Nv12 {
  std::uint8_t* memory;
  std::size_t pitch;
  int width, height;

  std::uint8_t* chroma() const { return memory + pitch * static_cast<std::size_t>(height); }
};

/// Decodes pictures of a stream in decoding order, with libavcodec. A picture is complete when
/// decode() returns, whatever the order of output, because libavcodec's buffers are looked at
/// instead of its output.
class Codec {
 public:
  /// Throws std::bad_alloc.
  explicit Codec(cudaVideoCodec codec);
  ~Codec();
  Codec(const Codec&) = delete;
  Codec& operator=(const Codec&) = delete;

  /// Forgets all references.
  void flush();
  /// Decodes one picture of frames (Annex B).
  /// @return whether there was a picture that fits to the surface, and no error
  bool decode(const std::string& data, const Nv12& to);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace emulated_nvdec
