// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/stream/packet.h"

#include <gtest/gtest.h>

#include <random>

namespace {

using namespace mosaic::stream;
using Bytes = std::vector<uint8_t>;

Bytes a_packet() {
  Bytes bytes, payload(1000);
  std::mt19937 random(1);
  for (uint8_t& v : payload) v = static_cast<uint8_t>(random());
  append_packet(bytes, PacketKind::kDelta, 65535, 123456789012345, payload);
  return bytes;
}

TEST(Packet, SaysWhatItHolds) {
  const Bytes bytes = a_packet();
  const auto header = read_packet_header(bytes);
  ASSERT_TRUE(header);
  EXPECT_EQ(PacketKind::kDelta, header->kind);
  EXPECT_EQ(65535, header->number);
  EXPECT_EQ(123456789012345u, header->time);
  EXPECT_EQ(1000u, header->payload_bytes);
  EXPECT_EQ(kPacketHeaderBytes + 1000, bytes.size());
  EXPECT_TRUE(is_intact(bytes));
}

TEST(Packet, EveryChangedByteIsNoticed) {
  const Bytes good = a_packet();
  for (size_t i = 0; i < good.size(); ++i) {
    Bytes bytes = good;
    bytes[i] ^= 1;
    const auto header = read_packet_header(bytes);
    EXPECT_FALSE(header && header->payload_bytes == 1000 && is_intact(bytes)) << i;
  }
}

TEST(Packet, OtherBytesAreNoPacket) {
  Bytes bytes = a_packet();
  EXPECT_FALSE(read_packet_header(std::span(bytes).first(kPacketHeaderBytes - 1)));
  bytes[4] = 2;  // version
  EXPECT_FALSE(read_packet_header(bytes));
  bytes[4] = 1;
  bytes[5] = 9;  // kind
  EXPECT_FALSE(read_packet_header(bytes));
  bytes[5] = 1;
  bytes[19] = 0xff;  // size
  EXPECT_FALSE(read_packet_header(bytes));
}

TEST(Packet, AnIndexIsFoundFromTheEndOfAFile) {
  const Index index{{{0, 0}, {1000, 70}, {90000000000, 1ull << 40}}, 90040000000};
  const Bytes payload = index_payload(index);
  EXPECT_EQ(index, read_index(payload));
  Bytes file(500, 1);
  append_packet(file, PacketKind::kIndex, 0, kNoTime, payload);
  EXPECT_EQ(file.size() - 500, index_packet_bytes(std::span(file).last(kIndexEndBytes)));
  EXPECT_EQ(0u, index_packet_bytes(std::span(file).first(kIndexEndBytes)));
  EXPECT_EQ(Index(), read_index(index_payload({})));
}

TEST(Packet, DamagedIndicesAreRefused) {
  EXPECT_FALSE(read_index({}));
  Bytes payload = index_payload({{{5, 10}, {6, 20}}, 7});
  EXPECT_FALSE(read_index(std::span(payload).first(payload.size() - 1)));
  EXPECT_FALSE(read_index(index_payload({{{5, 10}, {5, 20}}, 7})));
  EXPECT_FALSE(read_index(index_payload({{{5, 10}, {6, 10}}, 7})));
}

}  // namespace
