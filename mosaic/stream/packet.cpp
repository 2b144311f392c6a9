// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/stream/packet.h"

#include <xxhash.h>

#include "mosaic/base/bytes.h"

namespace mosaic::stream {
namespace {

constexpr size_t kVersionAt = 4, kKindAt = 5, kNumberAt = 6, kTimeAt = 8, kSizeAt = 16,
                 kChecksumAt = 20;
constexpr size_t kEntryBytes = 16, kIndexTailBytes = 8 + kIndexEndBytes;
constexpr std::string_view kIndexMagic = "MOSI";

/// Of everything but the checksum itself.
uint32_t checksum(std::span<const uint8_t> packet) {
  const uint64_t header = XXH3_64bits(packet.data(), kChecksumAt);
  return static_cast<uint32_t>(XXH3_64bits_withSeed(packet.data() + kPacketHeaderBytes,
                                                    packet.size() - kPacketHeaderBytes, header));
}

}  // namespace

void append_packet(std::vector<uint8_t>& to, PacketKind kind, uint16_t number, uint64_t time,
                   std::span<const uint8_t> payload) {
  const size_t start = to.size();
  append(to, kPacketMagic);
  append(to, kVersion, 1);
  append(to, static_cast<uint64_t>(kind), 1);
  append(to, number, 2);
  append(to, time, 8);
  append(to, payload.size(), 4);
  append(to, 0, 4);
  to.insert(to.end(), payload.begin(), payload.end());
  const uint32_t sum = checksum(std::span(to).subspan(start));
  for (size_t i = 0; i < 4; ++i) to[start + kChecksumAt + i] = static_cast<uint8_t>(sum >> 8 * i);
}

std::optional<PacketHeader> read_packet_header(std::span<const uint8_t> bytes) {
  if (bytes.size() < kPacketHeaderBytes || !has(bytes, 0, kPacketMagic) ||
      bytes[kVersionAt] != kVersion)
    return {};
  const PacketHeader header{.kind = static_cast<PacketKind>(bytes[kKindAt]),
                            .number = static_cast<uint16_t>(little_endian(bytes, kNumberAt, 2)),
                            .time = little_endian64(bytes, kTimeAt),
                            .payload_bytes = little_endian(bytes, kSizeAt, 4)};
  const bool known = header.kind == PacketKind::kKey || header.kind == PacketKind::kDelta ||
                     header.kind == PacketKind::kRepeat || header.kind == PacketKind::kIndex;
  if (!known || header.payload_bytes > kMostPayloadBytes) return {};
  return header;
}

bool is_intact(std::span<const uint8_t> packet) {
  return packet.size() >= kPacketHeaderBytes &&
         checksum(packet) == little_endian(packet, kChecksumAt, 4);
}

std::vector<uint8_t> index_payload(const Index& index) {
  std::vector<uint8_t> payload;
  payload.reserve(index.entries.size() * kEntryBytes + kIndexTailBytes);
  for (const IndexEntry& entry : index.entries) {
    append(payload, entry.time, 8);
    append(payload, entry.offset, 8);
  }
  append(payload, index.end, 8);
  append(payload, kPacketHeaderBytes + payload.size() + kIndexEndBytes, 4);
  append(payload, kIndexMagic);
  return payload;
}

std::optional<Index> read_index(std::span<const uint8_t> payload) {
  if (payload.size() < kIndexTailBytes || (payload.size() - kIndexTailBytes) % kEntryBytes != 0)
    return {};
  const size_t count = (payload.size() - kIndexTailBytes) / kEntryBytes;
  if (count > kMostIndexEntries) return {};
  Index index;
  index.entries.reserve(count);
  for (size_t at = 0; at < count * kEntryBytes; at += kEntryBytes) {
    const IndexEntry entry{little_endian64(payload, at), little_endian64(payload, at + 8)};
    if (!index.entries.empty() &&
        (entry.time <= index.entries.back().time || entry.offset <= index.entries.back().offset))
      return {};
    index.entries.push_back(entry);
  }
  index.end = little_endian64(payload, count * kEntryBytes);
  return index;
}

size_t index_packet_bytes(std::span<const uint8_t> end) {
  if (end.size() != kIndexEndBytes || !has(end, 4, kIndexMagic)) return 0;
  const size_t bytes = little_endian(end, 0, 4);
  const bool possible = bytes >= kPacketHeaderBytes + kIndexTailBytes &&
                        bytes <= kPacketHeaderBytes + kMostPayloadBytes;
  return possible ? bytes : 0;
}

}  // namespace mosaic::stream
