// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/farm/video/encoded_piece.h"

#include <gst/app/gstappsink.h>
#include <gst/video/video.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "mosaic/base/content_hash.h"
#include "mosaic/base/hash.h"
#include "program/failure.h"
#include "program/pipeline/pipeline_line.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

struct FreeChecksum {
  void operator()(GChecksum* sum) const { g_checksum_free(sum); }
};

/// What a pipeline with an appsink "sink" gives, sample by sample. Throws Failure on its error.
class Samples {
 public:
  explicit Samples(const PipelineLine& line) : pipeline_(line.make()) {
    sink_.reset(gst_bin_get_by_name(GST_BIN(pipeline_.get()), "sink"));
    gst_element_set_state(pipeline_.get(), GST_STATE_PLAYING);
  }
  ~Samples() { gst_element_set_state(pipeline_.get(), GST_STATE_NULL); }
  Samples(const Samples&) = delete;
  Samples& operator=(const Samples&) = delete;

  /// @return null: the end
  Owned<GstSample> next() {
    const Owned<GstBus> bus(gst_element_get_bus(pipeline_.get()));
    for (;;) {
      auto* sink = reinterpret_cast<GstAppSink*>(sink_.get());
      if (GstSample* sample = gst_app_sink_try_pull_sample(sink, GST_SECOND / 10))
        return Owned<GstSample>(sample);
      if (const Owned<GstMessage> message(gst_bus_pop_filtered(bus.get(), GST_MESSAGE_ERROR));
          message) {
        GError* told = nullptr;
        gst_message_parse_error(message.get(), &told, nullptr);
        throw Failure(Owned<GError>(told)->message);
      }
      if (gst_app_sink_is_eos(sink)) return nullptr;
    }
  }

 private:
  Owned<GstElement> pipeline_, sink_;
};

PipelineLine& begin(PipelineLine& line, const std::string& path) {
  return line.link("filesrc").set("location", path).link("matroskademux");
}

void end(PipelineLine& line) {
  line.link("appsink").set("name", "sink").set("sync", "false").set("max-buffers", 4);
}

void add(GChecksum* sum, GstVideoFrame& frame) {
  for (guint plane = 0; plane < GST_VIDEO_FRAME_N_COMPONENTS(&frame); ++plane) {
    const auto* row = static_cast<const guchar*>(GST_VIDEO_FRAME_COMP_DATA(&frame, plane));
    for (int y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT(&frame, plane); ++y) {
      g_checksum_update(sum, row, GST_VIDEO_FRAME_COMP_WIDTH(&frame, plane));
      row += GST_VIDEO_FRAME_COMP_STRIDE(&frame, plane);
    }
  }
}

}  // namespace

int64_t EncodedPiece::delay() const {
  int64_t delay = 0;
  for (int64_t i = 0; i < std::ssize(places); ++i) delay = std::max(delay, i - places[i]);
  return delay;
}

std::string EncodedPiece::hash() const {
  mosaic::HashState hash;
  const auto add = [&](GstBuffer* buffer) {
    GstMapInfo map;
    if (!gst_buffer_map(buffer, &map, GST_MAP_READ)) throw Failure("a packet cannot be read");
    const uint64_t size = map.size;
    hash.add(&size, sizeof size);
    hash.add(map.data, map.size);
    gst_buffer_unmap(buffer, &map);
  };
  if (caps)
    if (const GValue* data =
            gst_structure_get_value(gst_caps_get_structure(caps.get(), 0), "codec_data"))
      add(gst_value_get_buffer(data));
  for (const Owned<GstBuffer>& packet : packets) add(packet.get());
  const XXH128_hash_t digest = hash.digest();
  return mosaic::ContentHash{digest.low64, digest.high64}.text();
}

EncodedPiece read_piece(const std::string& path) {
  PipelineLine line;
  end(begin(line, path));
  Samples samples(line);
  EncodedPiece piece;
  try {
    while (const Owned<GstSample> sample = samples.next()) {
      if (!piece.caps) piece.caps.reset(gst_caps_ref(gst_sample_get_caps(sample.get())));
      piece.packets.emplace_back(gst_buffer_ref(gst_sample_get_buffer(sample.get())));
    }
  } catch (const Failure& failure) {
    throw Failure(path + ": " + failure.what());
  }
  std::vector<int64_t> order(piece.packets.size());
  std::iota(order.begin(), order.end(), int64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return GST_BUFFER_PTS(piece.packets[a].get()) < GST_BUFFER_PTS(piece.packets[b].get());
  });
  for (size_t i = 1; i < order.size(); ++i)
    if (GST_BUFFER_PTS(piece.packets[order[i - 1]].get()) ==
        GST_BUFFER_PTS(piece.packets[order[i]].get()))
      throw Failure(path + ": two frames are shown within a millisecond");
  piece.places.resize(order.size());
  for (size_t place = 0; place < order.size(); ++place)
    piece.places[order[place]] = static_cast<int64_t>(place);
  return piece;
}

std::string md5_of_frames(const std::string& path, int64_t& frames) {
  PipelineLine line;
  begin(line, path).link("decodebin").link("videoconvert").link("video/x-raw,format=I420");
  end(line);
  Samples samples(line);
  const std::unique_ptr<GChecksum, FreeChecksum> sum(g_checksum_new(G_CHECKSUM_MD5));
  frames = 0;
  while (const Owned<GstSample> sample = samples.next()) {
    GstVideoInfo info;
    GstVideoFrame frame;
    if (!gst_video_info_from_caps(&info, gst_sample_get_caps(sample.get())) ||
        !gst_video_frame_map(&frame, &info, gst_sample_get_buffer(sample.get()), GST_MAP_READ))
      throw Failure(path + ": a frame cannot be read");
    add(sum.get(), frame);
    gst_video_frame_unmap(&frame);
    ++frames;
  }
  return g_checksum_get_string(sum.get());
}

}  // namespace mosaic_program
