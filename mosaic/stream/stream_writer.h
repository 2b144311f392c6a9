// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "mosaic/stream/frame_coding.h"
#include "mosaic/stream/packet.h"

namespace mosaic::stream {

/// Writes the packets of a stream. docs/mosaic-format.md specifies them.
class StreamWriter {
 public:
  /// All in nanoseconds, or kNoTime.
  struct Timing {
    uint64_t time;          ///< presentation time
    uint64_t duration;      ///< of the frame
    uint64_t key_interval;  ///< the most time between keyframes
  };

  /// Appends a frame's packet. The first one is a keyframe, as are one whose header is not that of
  /// the frame before, one with which a scene begins, and one that comes `key_interval` after the
  /// last.
  /// @param key  whether a keyframe is wanted
  /// @return whether it is a keyframe
  bool write(const StreamHeader& header, const FrameState& frame, const Timing& timing, bool key,
             std::vector<uint8_t>& to);

  /// Appends a packet that shows the last frame again.
  void repeat(const Timing& timing, std::vector<uint8_t>& to);

  /// Whether a frame was written.
  bool started() const { return coding_ != nullptr; }

  /// Appends the index, which ends a file.
  void finish(std::vector<uint8_t>& to);

 private:
  void append(PacketKind kind, const Timing& timing, std::vector<uint8_t>& to);

  StreamHeader header_;
  std::unique_ptr<FrameCoding> coding_;  ///< null: no frame was written
  uint16_t number_ = 0;
  uint64_t last_key_ = kNoTime;
  int frames_since_key_ = 0;
  uint64_t bytes_ = 0;  ///< of all packets
  Index index_;
  std::vector<uint8_t> payload_;
};

}  // namespace mosaic::stream
