// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/stream/mosaic_parse.h"

#include <random>

#include "mosaic/stream/packet.h"
#include "tests/gst/stream/stream_files.h"

namespace {

using namespace element_test;
using namespace mosaic::stream;
using Bytes = std::vector<uint8_t>;
constexpr int kFrames = 60;

const Bytes& a_stream() {
  static const Bytes stream = [] {
    const TempFolder folder;
    EXPECT_EQ("", write_stream(folder.path("a.mosaic"), kFrames, "profile-name=plain"));
    return read_all(folder.path("a.mosaic"));
  }();
  return stream;
}

/// Where the packets of the stream begin, and where it ends.
std::vector<size_t> packets() {
  std::vector<size_t> begins = {0};
  while (begins.back() < a_stream().size())
    begins.push_back(
        begins.back() + kPacketHeaderBytes +
        read_packet_header(std::span(a_stream()).subspan(begins.back()))->payload_bytes);
  return begins;
}

struct Parsed {
  std::vector<Bytes> packets;
  std::vector<GstClockTime> times;
  std::vector<bool> keys;
  std::string caps;
};

/// What the parser makes of bytes that arrive in pieces.
Parsed parse(const Bytes& bytes, size_t piece) {
  GstHarness* harness = gst_harness_new("mosaicparse");
  gst_harness_set_src_caps_str(harness, "application/x-mosaic");
  // As a file sends it. Upstream that sends times has them in its buffers.
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_BYTES);
  gst_harness_push_event(harness, gst_event_new_segment(&segment));
  for (size_t at = 0; at < bytes.size(); at += piece) {
    const size_t size = std::min(piece, bytes.size() - at);
    EXPECT_EQ(GST_FLOW_OK,
              gst_harness_push(harness, gst_buffer_new_memdup(bytes.data() + at, size)));
  }
  gst_harness_push_event(harness, gst_event_new_eos());
  Parsed parsed;
  while (GstBuffer* buffer = gst_harness_try_pull(harness)) {
    parsed.packets.emplace_back(gst_buffer_get_size(buffer));
    gst_buffer_extract(buffer, 0, parsed.packets.back().data(), parsed.packets.back().size());
    parsed.times.push_back(GST_BUFFER_PTS(buffer));
    parsed.keys.push_back(!GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_DELTA_UNIT));
    gst_buffer_unref(buffer);
  }
  GstPad* pad = gst_element_get_static_pad(harness->element, "src");
  if (GstCaps* caps = gst_pad_get_current_caps(pad)) {
    gchar* text = gst_caps_to_string(caps);
    parsed.caps = text;
    g_free(text);
    gst_caps_unref(caps);
  }
  gst_object_unref(pad);
  gst_harness_teardown(harness);
  return parsed;
}

TEST(MosaicParse, DividesTheStreamIntoItsPackets) {
  const std::vector<size_t> begins = packets();
  ASSERT_EQ(kFrames + 2u, begins.size());  // with the index and the end
  for (const size_t piece : {size_t{1}, size_t{7}, size_t{1000}, a_stream().size()}) {
    const Parsed parsed = parse(a_stream(), piece);
    ASSERT_EQ(size_t{kFrames}, parsed.packets.size()) << piece;
    for (int i = 0; i < kFrames; ++i) {
      const auto begin = a_stream().begin() + static_cast<ptrdiff_t>(begins[i]);
      EXPECT_EQ(Bytes(begin, a_stream().begin() + static_cast<ptrdiff_t>(begins[i + 1])),
                parsed.packets[i]);
      EXPECT_EQ(i * 40 * GST_MSECOND, parsed.times[i]) << piece;
      EXPECT_EQ(i == 0, parsed.keys[i]) << i;
    }
    EXPECT_EQ(
        "application/x-mosaic, parsed=(boolean)true, width=(int)160, height=(int)120, "
        "pixel-aspect-ratio=(fraction)1/1, framerate=(fraction)25/1",
        parsed.caps);
  }
}

TEST(MosaicParse, LeavesOutWhatIsDamaged) {
  const std::vector<size_t> begins = packets();
  Bytes damaged(a_stream());
  damaged[begins[10] + 30] ^= 1;
  const Parsed parsed = parse(damaged, 100);
  ASSERT_EQ(kFrames - 1u, parsed.packets.size());
  EXPECT_EQ(11 * 40 * GST_MSECOND, parsed.times[10]);
}

TEST(MosaicParse, BeginsWithAKeyframe) {
  const std::vector<size_t> begins = packets();
  Bytes late(a_stream().begin() + static_cast<ptrdiff_t>(begins[20]) + 5, a_stream().end());
  EXPECT_EQ(0u, parse(late, 100).packets.size());
  late.insert(late.end(), a_stream().begin(), a_stream().end());
  EXPECT_EQ(size_t{kFrames}, parse(late, 100).packets.size());
}

TEST(MosaicParse, SurvivesAnyBytes) {
  std::mt19937 random(5);
  for (int round = 0; round < 30; ++round) {
    Bytes bytes(a_stream());
    for (int i = 0; i < 20; ++i) bytes[random() % bytes.size()] = static_cast<uint8_t>(random());
    EXPECT_LE(parse(bytes, 1 + random() % 500).packets.size(), size_t{kFrames});
  }
  Bytes noise(5000);
  for (uint8_t& v : noise) v = static_cast<uint8_t>(random());
  EXPECT_EQ(0u, parse(noise, 100).packets.size());
}

TEST(MosaicParse, StreamsAreFound) {
  const TempFolder folder;
  write_all(folder.path("film"), a_stream());  // without an extension
  EXPECT_EQ("", run("filesrc location=" + folder.path("film") +
                    " ! typefind ! application/x-mosaic ! fakesink"));
}

}  // namespace
