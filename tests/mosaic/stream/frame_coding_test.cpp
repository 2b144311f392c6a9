// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/stream/frame_coding.h"

#include <gtest/gtest.h>

#include <random>

#include "mosaic/base/error.h"
#include "mosaic/stream/stream_reader.h"
#include "mosaic/stream/stream_writer.h"

namespace {

using namespace mosaic::stream;
using mosaic::Continuation;
using mosaic::Look;
using Bytes = std::vector<uint8_t>;

constexpr uint64_t kFrameTime = 40000000, kKeyInterval = 25 * kFrameTime;

StreamHeader header_of(SourceNeeds needs) {
  StreamHeader header{.width = 320, .height = 180, .fps_n = 25, .fps_d = 1, .side = 20};
  header.photos = {1, 2};
  header.photo_count = needs == SourceNeeds::kMeans ? 100000 : 1000;
  header.color_variants = 3;
  if (needs != SourceNeeds::kNothing) header.look.fidelity = 0.5;
  if (needs == SourceNeeds::kPicture) header.look.color_transfer = mosaic::TransferKind::kMkl;
  return header;
}

bool same(const FrameState& a, const FrameState& b) {
  for (size_t i = 0; i < a.cells.size(); ++i) {
    const FrameState::Cell &x = a.cells[i], &y = b.cells[i];
    if (x.tile != y.tile || x.at_once != y.at_once || x.drawn != y.drawn ||
        x.in_region != y.in_region)
      return false;
  }
  return a.continuation == b.continuation && a.blend == b.blend && a.numbers == b.numbers;
}

/// A stream that changes at random.
class Story {
 public:
  Story(const StreamHeader& header, unsigned seed)
      : tiles_(header.tiles()),
        random_(seed),
        frame(header.grid(header.width, header.height).cells(), source_needs(header.look)) {
    for (FrameState::Cell& cell : frame.cells) cell.shown.tile = cell.tile = below(tiles_);
  }

  void go_on(bool all) {
    frame.continuation = all ? Continuation::kStart : Continuation::kContinues;
    frame.blend = below(3) ? 0 : 4;
    const bool still = below(5) == 0;
    for (size_t i = 0; i < frame.cells.size(); ++i) {
      FrameState::Cell& cell = frame.cells[i];
      cell.at_once = cell.drawn = false;
      if (still && !all) continue;
      const bool changes = below(20) == 0;
      if (changes) cell.tile = below(tiles_);
      const bool draws = all || changes || below(4) == 0;
      cell.drawn = draws && frame.source_needs != SourceNeeds::kNothing;
      cell.at_once = frame.blend > 0 && changes && below(2);
      if (below(50) == 0) cell.in_region = !cell.in_region;
      cell.shown = {cell.tile, -1, mt::kWholeShare};
      if (frame.blend > 0 && below(5) == 0)
        cell.shown = {below(tiles_), below(tiles_), 1 + below(65000)};
      if (cell.drawn) change_numbers(static_cast<int>(i));
    }
  }

 private:
  int below(int n) { return static_cast<int>(random_() % n); }
  void change_numbers(int cell) {
    for (int i = 0; i < count_of(frame.source_needs); ++i) {
      const NumberRange range = range_of_number(frame.source_needs, i);
      int32_t& v = frame.numbers_of(cell)[i];
      if (below(10) == 0)
        v = range.low + below(range.high - range.low + 1);
      else
        v = std::clamp(v + below(5) - 2, range.low, range.high);
    }
    if (frame.source_needs != SourceNeeds::kMeans) return;
    // The mean of the cell is a level.
    int32_t* numbers = frame.numbers_of(cell);
    for (int c = 0; c < 3; ++c) {
      const int32_t mean = (numbers[c] + numbers[3 + c] + numbers[6 + c] + numbers[9 + c]) / 4;
      numbers[12 + c] = std::clamp(numbers[12 + c], -mean, mt::kWhite - mean);
    }
  }

  int tiles_;
  std::mt19937 random_;

 public:
  FrameState frame;
};

class Needs : public testing::TestWithParam<SourceNeeds> {};
INSTANTIATE_TEST_SUITE_P(All, Needs,
                         testing::Values(SourceNeeds::kNothing, SourceNeeds::kMeans,
                                         SourceNeeds::kPicture));

TEST_P(Needs, StreamsAreReadAsTheyWereWritten) {
  const StreamHeader header = header_of(GetParam());
  Story story(header, 5);
  StreamWriter writer;
  StreamReader reader, late;
  int keys = 0;
  for (int i = 0; i < 60; ++i) {
    story.go_on(i == 0);
    Bytes packet;
    const bool key = writer.write(header, story.frame, {i * kFrameTime, kFrameTime, kKeyInterval},
                                  false, packet);
    EXPECT_EQ(i % 25 == 0, key);
    keys += key;
    ASSERT_EQ(StreamReader::Result::kFrame, reader.read(packet));
    EXPECT_EQ(i == 0, reader.joined());
    EXPECT_TRUE(reader.header() == header);
    ASSERT_TRUE(same(story.frame, reader.frame())) << i;
    // One that joins waits for a keyframe, and then has all of it.
    if (i < 10) continue;
    const auto result = late.read(packet);
    ASSERT_EQ(i < 25 ? StreamReader::Result::kWaiting : StreamReader::Result::kFrame, result);
    if (i < 25) continue;
    EXPECT_EQ(i == 25, late.joined());
    ASSERT_TRUE(same(story.frame, late.frame())) << i;
    for (size_t cell = 0; key && story.frame.blend > 0 && cell < story.frame.cells.size(); ++cell) {
      const auto &want = story.frame.cells[cell].shown, &got = late.frame().cells[cell].shown;
      EXPECT_EQ(want.tile, got.tile);
      EXPECT_EQ(want.old_tile, got.old_tile);
      EXPECT_EQ(want.share, got.share);
    }
  }
  EXPECT_EQ(3, keys);
}

TEST(Stream, AfterALossFramesAreLeftOutUntilAKeyframe) {
  const StreamHeader header = header_of(SourceNeeds::kMeans);
  Story story(header, 6);
  StreamWriter writer;
  StreamReader reader;
  for (int i = 0; i < 60; ++i) {
    story.go_on(false);
    Bytes packet;
    writer.write(header, story.frame, {i * kFrameTime, kFrameTime, kKeyInterval}, false, packet);
    if (i == 10) continue;  // lost
    if (i == 30) packet[packet.size() / 2] ^= 1;
    if (i == 30) {
      EXPECT_THROW(reader.read(packet), mosaic::Error);
      continue;
    }
    const bool waits = (i > 10 && i < 25) || (i > 30 && i < 50);
    ASSERT_EQ(waits ? StreamReader::Result::kWaiting : StreamReader::Result::kFrame,
              reader.read(packet))
        << i;
    if (waits) continue;
    EXPECT_EQ(i == 0 || i == 25 || i == 50, reader.joined()) << i;
    ASSERT_TRUE(same(story.frame, reader.frame())) << i;
  }
}

TEST(Stream, RepeatsTheLastFrameAndEndsWithAnIndex) {
  const StreamHeader header = header_of(SourceNeeds::kNothing);
  Story story(header, 7);
  StreamWriter writer;
  StreamReader reader;
  std::vector<uint64_t> offsets;
  Bytes file;
  for (int i = 0; i < 60; ++i) {
    story.go_on(false);
    const size_t at = file.size();
    const StreamWriter::Timing timing{i * kFrameTime, kFrameTime, kKeyInterval};
    const bool repeats = i % 10 == 9;
    bool key = false;
    if (repeats)
      writer.repeat(timing, file);
    else
      key = writer.write(header, story.frame, timing, i == 12, file);
    if (key) offsets.push_back(at);
    EXPECT_EQ(repeats ? StreamReader::Result::kRepeat : StreamReader::Result::kFrame,
              reader.read(std::span(file).subspan(at)));
  }
  const size_t at = file.size();
  writer.finish(file);
  EXPECT_EQ(StreamReader::Result::kIndex, reader.read(std::span(file).subspan(at)));
  EXPECT_EQ(file.size() - at, index_packet_bytes(std::span(file).last(kIndexEndBytes)));
  const auto index = read_index(std::span(file).subspan(at + kPacketHeaderBytes));
  ASSERT_TRUE(index);
  EXPECT_EQ(60 * kFrameTime, index->end);
  ASSERT_EQ(offsets.size(), index->entries.size());
  EXPECT_EQ(3u, offsets.size());  // frames 0, 12 and 37
  for (size_t i = 0; i < offsets.size(); ++i) EXPECT_EQ(offsets[i], index->entries[i].offset);
  EXPECT_EQ(12 * kFrameTime, index->entries[1].time);
}

TEST(Stream, AnotherHeaderBeginsWithAKeyframe) {
  StreamHeader header = header_of(SourceNeeds::kNothing);
  Story story(header, 8);
  StreamWriter writer;
  StreamReader reader;
  for (int i = 0; i < 4; ++i) {
    if (i == 2) header.look.gamma = 0.9;
    story.go_on(false);
    Bytes packet;
    EXPECT_EQ(i % 2 == 0, writer.write(header, story.frame,
                                       {i * kFrameTime, kFrameTime, kKeyInterval}, false, packet));
    reader.read(packet);
    EXPECT_EQ(i < 2 ? 1u : 2u, reader.headers());
    EXPECT_EQ(i % 2 == 0, reader.joined());
  }
}

// Whatever is in a packet, reading it ends with an error or a frame.
TEST(Stream, SurvivesDamagedCodesWithRightChecksums) {
  for (const SourceNeeds needs : {SourceNeeds::kNothing, SourceNeeds::kPicture}) {
    const StreamHeader header = header_of(needs);
    Story story(header, 9);
    StreamWriter writer;
    Bytes key, delta;
    story.go_on(true);
    writer.write(header, story.frame, {0, kFrameTime, kKeyInterval}, true, key);
    story.go_on(false);
    writer.write(header, story.frame, {kFrameTime, kFrameTime, kKeyInterval}, false, delta);
    std::mt19937 random(11);
    int errors = 0;
    for (int i = 0; i < 400; ++i) {
      StreamReader reader;
      const bool damages_key = i % 2;
      if (!damages_key) reader.read(key);
      const Bytes& packet = damages_key ? key : delta;
      Bytes payload(packet.begin() + kPacketHeaderBytes, packet.end());
      const size_t at = random() % payload.size();
      payload[at] = static_cast<uint8_t>(random());
      if (random() % 3 == 0) payload.resize(at);
      Bytes damaged;
      append_packet(damaged, damages_key ? PacketKind::kKey : PacketKind::kDelta,
                    damages_key ? 0 : 1, 0, payload);
      try {
        reader.read(damaged);
      } catch (const mosaic::Error& error) {
        EXPECT_EQ(mosaic::Error::Kind::kRead, error.kind()) << error.what();
        ++errors;
      }
    }
    EXPECT_GT(errors, 50);
  }
}

}  // namespace
