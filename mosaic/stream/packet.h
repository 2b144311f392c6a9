// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace mosaic::stream {

inline constexpr std::string_view kPacketMagic = "MOSP";
inline constexpr int kVersion = 1;
inline constexpr size_t kPacketHeaderBytes = 24;
/// Of the largest payload: far more than any frame of 16384 x 16384 cells that a header may name.
inline constexpr size_t kMostPayloadBytes = size_t{64} << 20;
inline constexpr uint64_t kNoTime = UINT64_MAX;

enum class PacketKind : uint8_t {
  kKey = 1,     ///< a frame that needs no other
  kDelta = 2,   ///< a frame that needs the one before it
  kRepeat = 3,  ///< shows the frame before it again; without payload
  kIndex = 4,   ///< where the keyframes of a file are; its last packet
};

/// What the first bytes of a packet say of it, checked.
struct PacketHeader {
  PacketKind kind;
  uint16_t number;  ///< of the frame, modulo 2^16; 0 in an index
  uint64_t time;    ///< presentation time, nanoseconds, or kNoTime
  uint32_t payload_bytes;
};

/// Appends a packet. @param payload at most kMostPayloadBytes
void append_packet(std::vector<uint8_t>& to, PacketKind kind, uint16_t number, uint64_t time,
                   std::span<const uint8_t> payload);

/// Reads the header of the packet that begins at the first of these bytes.
/// @param bytes at least kPacketHeaderBytes
/// @return nullopt: no packet begins there, or one of another version
std::optional<PacketHeader> read_packet_header(std::span<const uint8_t> bytes);

/// Whether a packet has the checksum that its header names.
/// @param packet header and payload, of the size that the header says
bool is_intact(std::span<const uint8_t> packet);

/// Where a keyframe begins.
struct IndexEntry {
  uint64_t time;    ///< presentation time, nanoseconds
  uint64_t offset;  ///< of its packet, bytes from the first packet
  bool operator==(const IndexEntry&) const = default;
};

/// At most so many entries are in an index.
inline constexpr size_t kMostIndexEntries = size_t{1} << 20;

/// The end of a file.
struct Index {
  std::vector<IndexEntry> entries;  ///< times and offsets increase
  uint64_t end = 0;                 ///< when the last frame ends, nanoseconds
  bool operator==(const Index&) const = default;
};

/// The payload of an index: at its end is its own size, so that it is found from the end of a file.
std::vector<uint8_t> index_payload(const Index& index);

/// Reads the payload of an index. nullopt: it is damaged, or times or offsets do not increase.
std::optional<Index> read_index(std::span<const uint8_t> payload);

/// The size of the packet of an index at the end of a file. @param end the last kIndexEndBytes of
/// the file
/// @return 0: the file ends with something else
inline constexpr size_t kIndexEndBytes = 8;
size_t index_packet_bytes(std::span<const uint8_t> end);

}  // namespace mosaic::stream
