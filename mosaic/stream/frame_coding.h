// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mosaic/stream/frame_models.h"
#include "mosaic/stream/frame_state.h"
#include "mosaic/stream/stream_header.h"

namespace mosaic::stream {

/// Codes the frames of a stream, in their order. At a keyframe it begins anew.
class FrameCoding {
 public:
  explicit FrameCoding(const StreamHeader& header);

  /// Appends the code of a frame, which becomes the newest.
  void encode(const FrameState& frame, bool key, std::vector<uint8_t>& to);
  /// Reads a frame, which becomes the newest. The first must be a keyframe.
  /// Throws Error (kRead) if the code is damaged: then only a keyframe may follow.
  void decode(std::span<const uint8_t> code, bool key);

  const FrameState& newest() const { return newest_; }

 private:
  template <class Coder>
  void code(Coder& coder, bool key, const FrameState& wanted);
  template <class Coder>
  void code_cell(Coder& coder, bool key, int cell, const FrameState& wanted);
  template <class Coder>
  int32_t code_tile(Coder& coder, int32_t tile);
  template <class Coder>
  void code_fade(Coder& coder, const Fades::Cell& wanted, FrameState::Cell& cell);
  template <class Coder>
  void code_numbers(Coder& coder, bool key, int cell, const FrameState& wanted);

  int columns_;
  int32_t photos_;
  int variants_;
  FrameModels models_;
  FrameState newest_;
};

}  // namespace mosaic::stream
