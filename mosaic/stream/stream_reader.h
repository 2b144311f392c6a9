// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "mosaic/stream/frame_coding.h"
#include "mosaic/stream/packet.h"

namespace mosaic::stream {

/// Reads the packets of a stream, of which some may be missing or damaged.
class StreamReader {
 public:
  enum class Result {
    kFrame,    ///< frame() is new
    kRepeat,   ///< frame() is shown again
    kWaiting,  ///< the frame needs one that was lost or damaged: it is left out until a keyframe
    kIndex,    ///< no frame
  };

  /// Reads a packet, which may hold any bytes.
  /// Throws Error (kRead) if it is damaged; frames are then left out until a keyframe.
  Result read(std::span<const uint8_t> packet);

  /// Forgets what was read: the next frame must be a keyframe.
  void forget() { in_order_ = false; }

  /// After the first keyframe: the newest header and frame.
  const StreamHeader& header() const { return *header_; }
  const FrameState& frame() const { return coding_->newest(); }
  /// Whether the newest frame does not continue the one that was read before.
  bool joined() const { return joined_; }
  /// How often header() has changed, the first included.
  unsigned headers() const { return headers_; }

 private:
  std::optional<StreamHeader> header_;
  std::unique_ptr<FrameCoding> coding_;
  unsigned headers_ = 0;
  uint16_t next_ = 0;      ///< number of the next frame
  bool in_order_ = false;  ///< no frame was lost since the last keyframe
  bool joined_ = true;
};

}  // namespace mosaic::stream
