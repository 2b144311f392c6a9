// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/stream/mosaic_render.h"

#include <gmock/gmock.h>
#include <gst/app/gstappsink.h>

#include <algorithm>

#include "mosaic/pack/pack.h"
#include "mosaic/stream/packet.h"
#include "tests/gst/stream/stream_files.h"

namespace {

using namespace element_test;
using testing::HasSubstr;
using Bytes = std::vector<uint8_t>;
constexpr size_t kFrameBytes = size_t{3} * kStreamWidth * kStreamHeight;

std::string to_file(const std::string& path, const std::string& caps = {}) {
  return "video/x-raw,format=RGB" + caps + " ! filesink location=" + path;
}

Bytes part(const Bytes& frame, int width, int x, int y, int w, int h) {
  Bytes out;
  for (int v = y; v < y + h; ++v) {
    const auto row = frame.begin() + (ptrdiff_t(v) * width + x) * 3;
    out.insert(out.end(), row, row + ptrdiff_t{3} * w);
  }
  return out;
}

TEST(MosaicRender, DrawsTheBytesThatMosaictemporalDraws) {
  const TempFolder folder;
  for (const char* settings : {"", "fidelity=0.5", "fidelity=0.5 temporal-blend=3", "lookahead=3",
                               "augment=false size=8x6", "tile-aspect-ratio=2:3",
                               "tile-aspect-ratio=3:2 crop=detail fidelity=0.5"}) {
    const std::string look = std::string("profile-name=plain ") + settings;
    ASSERT_EQ("", run(mosaic_of_a_ball(30, look) + " ! " + to_file(folder.path("drawn"))));
    ASSERT_EQ("", write_stream(folder.path("a.mosaic"), 30, look));
    ASSERT_EQ("", run(drawing_of(folder.path("a.mosaic"), "", to_file(folder.path("received")))));
    const Bytes drawn = read_all(folder.path("drawn"));
    EXPECT_EQ(30 * kFrameBytes, drawn.size());
    EXPECT_TRUE(drawn == read_all(folder.path("received"))) << look;
  }
}

TEST(MosaicRender, DrawsAnySizeAndAnyPart) {
  const TempFolder folder;
  ASSERT_EQ("", write_stream(folder.path("a.mosaic"), 3, "profile-name=plain"));
  ASSERT_EQ("", run(drawing_of(folder.path("a.mosaic"), "",
                               to_file(folder.path("large"), ",width=640,height=480"))));
  ASSERT_EQ("", run(drawing_of(folder.path("a.mosaic"),
                               "crop-x=0.25 crop-y=0.5 crop-width=0.25 crop-height=0.25",
                               to_file(folder.path("part"), ",width=160"))));
  const Bytes large = read_all(folder.path("large")), parts = read_all(folder.path("part"));
  ASSERT_EQ(3 * 16 * kFrameBytes, large.size());
  ASSERT_EQ(3 * kFrameBytes, parts.size());
  for (int i = 0; i < 3; ++i) {
    const auto whole = large.begin() + static_cast<ptrdiff_t>(i * 16 * kFrameBytes);
    const Bytes frame(whole, whole + 16 * kFrameBytes);
    const auto shown = parts.begin() + static_cast<ptrdiff_t>(i * kFrameBytes);
    EXPECT_TRUE(part(frame, 640, 160, 240, 160, 120) == Bytes(shown, shown + kFrameBytes)) << i;
  }
}

TEST(MosaicRender, AnotherPackOrNoneIsAnError) {
  const TempFolder folder;
  ASSERT_EQ("", write_stream(folder.path("a.mosaic"), 2));
  write_photos(folder.path("photos"), 3);
  const std::string other = folder.path("other.mospack");
  {
    mt::WorkerPool workers(1);
    const std::atomic<bool> never = false;
    mosaic::pack::make_pack(
        *mosaic::open_photo_folder(folder.path("photos"), never), other, {64, {}}, workers,
        [](const std::string&) {}, [](int, int) {}, never);
  }
  const std::string needed = mosaic::pack::Pack(built_in_pack()).hash().text();
  const auto draw = [&](const std::string& pack) {
    return run("filesrc location=" + folder.path("a.mosaic") + " ! mosaicparse ! mosaicrender " +
               (pack.empty() ? "" : "pack-location=" + pack) + " ! fakesink");
  };
  EXPECT_THAT(draw(""), testing::AllOf(HasSubstr(needed), HasSubstr("pack-location")));
  EXPECT_THAT(draw(other), testing::AllOf(HasSubstr(needed),
                                          HasSubstr(mosaic::pack::Pack(other).hash().text())));
  EXPECT_THAT(draw(folder.path("none.mospack")), HasSubstr("none.mospack"));
}

TEST(MosaicRender, OnlyAPackCanBeSent) {
  const TempFolder folder;
  write_photos(folder.path("photos"), 3);
  const std::string sent = " ! application/x-mosaic ! fakesink";
  EXPECT_THAT(run(mosaic_of_a_ball(2, "tile-location=" + folder.path("photos")) + sent),
              HasSubstr("mosaic-temporal pack"));
  EXPECT_THAT(run(mosaic_of_a_ball(2, "tile-location=\"" + built_in_pack() + ";" +
                                          folder.path("photos") + "\"") +
                  sent),
              HasSubstr("mosaic-temporal pack"));
}

/// A player of a file that is paused.
class Player {
 public:
  explicit Player(const std::string& path)
      : pipeline_(gst_parse_launch(
            drawing_of(path, "", "video/x-raw,format=RGB ! appsink name=sink sync=false").c_str(),
            nullptr)),
        sink_(gst_bin_get_by_name(GST_BIN(pipeline_.get()), "sink")) {
    pause();
  }
  ~Player() { gst_element_set_state(pipeline_.get(), GST_STATE_NULL); }

  void seek(GstClockTime to) {
    ASSERT_TRUE(gst_element_seek_simple(
        pipeline_.get(), GST_FORMAT_TIME,
        static_cast<GstSeekFlags>(GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE),
        static_cast<gint64>(to)));
    pause();
  }
  /// The frame that is shown. @param pts receives its time
  Bytes frame(GstClockTime& pts) {
    GstSample* sample = gst_app_sink_pull_preroll(GST_APP_SINK(sink_.get()));
    if (!sample) return {};
    GstBuffer* buffer = gst_sample_get_buffer(sample);
    pts = GST_BUFFER_PTS(buffer);
    Bytes bytes(gst_buffer_get_size(buffer));
    gst_buffer_extract(buffer, 0, bytes.data(), bytes.size());
    gst_sample_unref(sample);
    return bytes;
  }
  gint64 duration() {
    gint64 duration = -1;
    gst_element_query_duration(pipeline_.get(), GST_FORMAT_TIME, &duration);
    return duration;
  }

 private:
  void pause() {
    gst_element_set_state(pipeline_.get(), GST_STATE_PAUSED);
    ASSERT_EQ(GST_STATE_CHANGE_SUCCESS,
              gst_element_get_state(pipeline_.get(), nullptr, nullptr, 30 * GST_SECOND));
  }

  ElementPtr pipeline_, sink_;
};

TEST(MosaicRender, SeeksToAnyFrame) {
  const TempFolder folder;
  constexpr int kFrames = 170;  // with a keyframe after 6 seconds
  const std::string look = "profile-name=plain fidelity=0.5";
  ASSERT_EQ("", write_stream(folder.path("a.mosaic"), kFrames, look));
  ASSERT_EQ("", run(drawing_of(folder.path("a.mosaic"), "", to_file(folder.path("all")))));
  const Bytes all = read_all(folder.path("all"));
  ASSERT_EQ(kFrames * kFrameBytes, all.size());
  Player player(folder.path("a.mosaic"));
  EXPECT_EQ(kFrames * 40 * GST_MSECOND, static_cast<GstClockTime>(player.duration()));
  for (const int number : {0, 160, 13, 169, 150, 149, 151}) {
    player.seek(number * 40 * GST_MSECOND);
    GstClockTime pts = 0;
    const Bytes frame = player.frame(pts);
    EXPECT_EQ(number * 40 * GST_MSECOND, pts);
    EXPECT_TRUE(std::equal(frame.begin(), frame.end(),
                           all.begin() + static_cast<ptrdiff_t>(number * kFrameBytes)))
        << number;
  }
}

TEST(MosaicRender, AfterADamagedPacketTheLastPictureStays) {
  const TempFolder folder;
  ASSERT_EQ("", write_stream(folder.path("a.mosaic"), 160, "profile-name=plain"));
  Bytes file = read_all(folder.path("a.mosaic"));
  // In the packet number 20.
  size_t at = 0;
  for (int i = 0; i < 20; ++i)
    at += mosaic::stream::kPacketHeaderBytes +
          mosaic::stream::read_packet_header(std::span(file).subspan(at))->payload_bytes;
  file[at + mosaic::stream::kPacketHeaderBytes] ^= 0x55;
  write_all(folder.path("damaged.mosaic"), file);
  ASSERT_EQ("", run(drawing_of(folder.path("a.mosaic"), "", to_file(folder.path("whole")))));
  ASSERT_EQ("", run(drawing_of(folder.path("damaged.mosaic"), "", to_file(folder.path("rest")))));
  const Bytes whole = read_all(folder.path("whole")), rest = read_all(folder.path("rest"));
  ASSERT_EQ(159 * kFrameBytes, rest.size());
  const auto same = [&](int drawn, int of_whole) {
    return std::equal(rest.begin() + static_cast<ptrdiff_t>(drawn * kFrameBytes),
                      rest.begin() + static_cast<ptrdiff_t>((drawn + 1) * kFrameBytes),
                      whole.begin() + static_cast<ptrdiff_t>(of_whole * kFrameBytes));
  };
  EXPECT_TRUE(same(19, 19));
  EXPECT_TRUE(same(60, 19));    // stays
  EXPECT_TRUE(same(158, 159));  // after a keyframe all is well
}

TEST(MosaicRender, DrawsTheFirstFramesOfATruncatedFile) {
  const TempFolder folder;
  ASSERT_EQ("", write_stream(folder.path("a.mosaic"), 50, "profile-name=plain"));
  Bytes file = read_all(folder.path("a.mosaic"));
  for (const double share : {0.9, 0.7, 0.55}) {
    file.resize(static_cast<size_t>(static_cast<double>(file.size()) * share));
    write_all(folder.path("b.mosaic"), file);
    ASSERT_EQ("", run(drawing_of(folder.path("b.mosaic"), "", to_file(folder.path("frames")))));
    const size_t frames = read_all(folder.path("frames")).size() / kFrameBytes;
    EXPECT_GT(frames, 0u);
    EXPECT_LT(frames, 50u);
  }
}

TEST(MosaicRender, AnimatesThePart) {
  const TempFolder folder;
  ASSERT_EQ("", write_stream(folder.path("a.mosaic"), 5, "profile-name=plain"));
  // Each frame has another part, so another scale.
  ElementPtr pipeline(gst_parse_launch(
      drawing_of(folder.path("a.mosaic"), "", to_file(folder.path("flight"))).c_str(), nullptr));
  ElementPtr render(gst_bin_get_by_name(GST_BIN(pipeline.get()), "r"));
  GstPad* pad = gst_element_get_static_pad(render.get(), "sink");
  gst_pad_add_probe(
      pad, GST_PAD_PROBE_TYPE_BUFFER,
      [](GstPad*, GstPadProbeInfo* info, gpointer render) {
        const GstClockTime pts = GST_BUFFER_PTS(GST_PAD_PROBE_INFO_BUFFER(info));
        const double share = 1.0 / (1.0 + static_cast<double>(pts / (40 * GST_MSECOND)));
        g_object_set(render, "crop-width", share, "crop-height", share, nullptr);
        return GST_PAD_PROBE_OK;
      },
      render.get(), nullptr);
  gst_object_unref(pad);
  gst_element_set_state(pipeline.get(), GST_STATE_PLAYING);
  GstBus* bus = gst_element_get_bus(pipeline.get());
  const Message end(gst_bus_timed_pop_filtered(
      bus, 30 * GST_SECOND, static_cast<GstMessageType>(GST_MESSAGE_EOS | GST_MESSAGE_ERROR)));
  gst_object_unref(bus);
  gst_element_set_state(pipeline.get(), GST_STATE_NULL);
  ASSERT_TRUE(end);
  EXPECT_EQ(GST_MESSAGE_EOS, GST_MESSAGE_TYPE(end.get()));
  const Bytes flight = read_all(folder.path("flight"));
  ASSERT_EQ(5 * kFrameBytes, flight.size());
  ASSERT_EQ("", run(drawing_of(folder.path("a.mosaic"), "crop-width=0.2 crop-height=0.2",
                               to_file(folder.path("last")))));
  const Bytes last = read_all(folder.path("last"));
  EXPECT_TRUE(std::equal(flight.end() - static_cast<ptrdiff_t>(kFrameBytes), flight.end(),
                         last.end() - static_cast<ptrdiff_t>(kFrameBytes)));
}

}  // namespace
