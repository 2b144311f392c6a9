// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/stream/stream_reader.h"

#include "mosaic/base/error.h"

namespace mosaic::stream {

StreamReader::Result StreamReader::read(std::span<const uint8_t> packet) {
  const auto head = read_packet_header(packet);
  if (!head || packet.size() != kPacketHeaderBytes + head->payload_bytes || !is_intact(packet)) {
    in_order_ = false;
    throw Error(Error::Kind::kRead, "a packet of the mosaic stream is damaged");
  }
  if (head->kind == PacketKind::kIndex) return Result::kIndex;
  std::span<const uint8_t> code = packet.subspan(kPacketHeaderBytes);
  const bool key = head->kind == PacketKind::kKey;
  const bool follows = in_order_ && head->number == next_;
  in_order_ = false;  // until the frame is read
  if (!key && !follows) return Result::kWaiting;
  if (head->kind == PacketKind::kRepeat) {
    next_ = static_cast<uint16_t>(head->number + 1);
    in_order_ = true;
    return Result::kRepeat;
  }
  joined_ = !follows;
  if (key) {
    size_t size = 0;
    const StreamHeader header = read_header(code, size);
    code = code.subspan(size);
    if (!header_ || !(*header_ == header)) {
      header_ = header;
      coding_ = std::make_unique<FrameCoding>(header);
      ++headers_;
      joined_ = true;
    }
  }
  coding_->decode(code, key);
  next_ = static_cast<uint16_t>(head->number + 1);
  in_order_ = true;
  return Result::kFrame;
}

}  // namespace mosaic::stream
