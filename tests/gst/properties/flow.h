// SPDX-License-Identifier: LGPL-2.1-or-later
// Mosaics with flow=raft.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "tests/gst/harness.h"
#include "tests/mosaic/motion_network/random_weights.h"

namespace element_test {

class FlowRaft : public testing::Test {
 protected:
  static constexpr int kWidth = 160, kHeight = 96;

  FlowRaft() {
    write_photos(photos_.path(), 40);
    const std::vector<uint8_t> bytes = test::RandomWeights(5).bytes();
    std::ofstream(weights()).write(reinterpret_cast<const char*>(bytes.data()),
                                   static_cast<std::streamsize>(bytes.size()));
  }
  std::string weights() const { return folder_.path("random.safetensors"); }

  struct Options {
    const char* flow = "raft";
    guint threads = 2, batch = 8;
    const char* device = "cpu";
  };
  /// Sets the element up for frames that are cut into windows to estimate motion.
  void start(Element& element, const Options& options) {
    element.set("tile-location", photos_.path().c_str(), "tile-size", 16U, "flow-weights",
                weights().c_str(), "flow-iterations", 2U, "n-threads", options.threads,
                "window-size", 64, "window-overlap", 32, "window-batch", options.batch);
    for (const auto& [name, value] : {std::pair("flow", options.flow), {"device", options.device}})
      gst_util_set_object_arg(G_OBJECT(element.get()), name, value);
    EXPECT_TRUE(element.set_caps(video_caps("RGB", kWidth, kHeight)));
  }
  /// The pixels of some frames.
  std::vector<std::vector<uint8_t>> draw(const Options& options) {
    Element element;
    start(element, options);
    std::vector<std::vector<uint8_t>> frames;
    for (int number = 0; number < 4; ++number) {
      const Buffer out = element.process(make_frame(video_info("RGB", kWidth, kHeight), number));
      EXPECT_TRUE(out) << element.pop_report(GST_MESSAGE_ERROR).text;
      frames.push_back(out ? bytes_of(out) : std::vector<uint8_t>());
    }
    GstStructure* stats = nullptr;
    g_object_get(element.get(), "stats", &stats, nullptr);
    EXPECT_STREQ(gst_structure_get_string(stats, "device"), options.device);
    gst_structure_free(stats);
    return frames;
  }

  TempFolder photos_, folder_;
};

}  // namespace element_test
