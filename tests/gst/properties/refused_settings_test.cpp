// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Properties that are set to invalid values while the stream runs: the element posts a warning and
/// keeps the last valid setting.
#include <chrono>
#include <fstream>
#include <thread>

#include "tests/gst/harness.h"

namespace {

using namespace element_test;

// If the frame were a single cell, its side would exceed the limit of 256 pixels.
constexpr int kWidth = 300, kHeight = 40;

std::string text_of(Element& element, const char* property) {
  GValue value = G_VALUE_INIT;
  g_object_get_property(G_OBJECT(element.get()), property, &value);
  gchar* text = g_strdup_value_contents(&value);
  const std::string copy = text;
  g_free(text);
  g_value_unset(&value);
  return copy;
}

class InvalidSettings : public testing::Test {
 protected:
  InvalidSettings() {
    write_photos(photos_.path(), 8);
    std::ofstream(photos_.path("broken.toml")) << "beta = 7\n";
  }
  void start(Element& element) {
    element.set("tile-location", photos_.path().c_str(), "size", "20x3");
    ASSERT_TRUE(element.set_caps(video_caps("RGB", kWidth, kHeight)));
  }
  static Buffer frame(int number) { return make_frame(video_info("RGB", kWidth, kHeight), number); }
  static std::vector<uint8_t> draw(Element& element, int number) {
    const Buffer out = element.process(frame(number));
    EXPECT_TRUE(out);
    return out ? bytes_of(out) : std::vector<uint8_t>();
  }
  struct Case {
    const char* property;
    std::string value;
    const char* why;  ///< text in the warning
  };
  std::vector<Case> cases() const {
    return {{"profile-name", "sepia", "there is no profile sepia"},
            {"size", "many", "\"many\" is not a valid number of cells"},
            {"size", "1x1", "cells of 300 pixels"},
            {"flow-size", "480", "WIDTHxHEIGHT"},
            {"flow", "raft", "needs the weights of the network (flow-weights)"},
            {"flow-weights", "/no/such", "flow-weights \"/no/such\""},
            {"window-size", "100", "window-size is 100, but must be a multiple of 32 pixels"},
            {"ssim-impl", "torch", "is not valid (use auto, torch_exact or skimage)"},
            {"config-location", photos_.path("broken.toml"), "line 1: beta is 7"},
            {"config-location", "/no/such.toml", "/no/such.toml"},
            {"keep-intermediate", "true", "set intermediate-location"},
            {"tile-location", "/no/such", "no photos in '/no/such'"}};
  }
  TempFolder photos_;
};

TEST_F(InvalidSettings, AreWarningsWhilePlayingAndTheLastValidOneIsKept) {
  Element usual;
  start(usual);
  std::vector<std::vector<uint8_t>> expected;
  for (int number = 0; number < 4; ++number) expected.push_back(draw(usual, number));
  for (const Case& c : cases()) {
    SCOPED_TRACE(std::string(c.property) + "=" + c.value);
    Element element;
    start(element);
    EXPECT_EQ(draw(element, 0), expected[0]);
    const std::string before = text_of(element, c.property);
    gst_util_set_object_arg(G_OBJECT(element.get()), c.property, c.value.c_str());
    EXPECT_EQ(draw(element, 1), expected[1]);
    EXPECT_EQ(text_of(element, c.property), before);
    const Element::Report warning = element.pop_report(GST_MESSAGE_WARNING);
    EXPECT_NE(warning.text.find(c.why), std::string::npos) << warning.text;
    for (const int number : {2, 3}) EXPECT_EQ(draw(element, number), expected[number]);
    EXPECT_EQ(element.pop_report(GST_MESSAGE_WARNING).text, "") << "one is enough";
    EXPECT_EQ(element.pop_report(GST_MESSAGE_ERROR).text, "");
  }
}

TEST_F(InvalidSettings, AreReportedEachTimeAndValidOnesApply) {
  Element element;
  start(element);
  draw(element, 0);
  for (int attempt = 0; attempt < 2; ++attempt)
    for (const char* property : {"tile-location", "profile-name"}) {
      element.set(property, "/no/such", "gamma", 1.0 + attempt);
      draw(element, 1);
      EXPECT_NE(element.pop_report(GST_MESSAGE_WARNING).text, "");
      gdouble gamma = 0;
      g_object_get(element.get(), "gamma", &gamma, nullptr);
      EXPECT_EQ(gamma, 1.0 + attempt);
    }
}

TEST_F(InvalidSettings, KeepTheLastPhotosAtANewTileSize) {
  Element element, usual;
  start(element), start(usual);
  draw(element, 0), draw(usual, 0);
  element.set("tile-location", "/no/such", "tile-size", 10U);
  usual.set("tile-size", 10U);
  EXPECT_EQ(draw(element, 1), draw(usual, 1));
  EXPECT_EQ(element.stat<guint>("cells"), 30U * 4);
  EXPECT_EQ(text_of(element, "tile-location"), "\"" + photos_.path() + "\"");
}

TEST_F(InvalidSettings, AreWarningsInALivePipeline) {
  Element element(true);
  start(element);
  const auto go_on = [&](const auto& until) {
    for (int n = 0; n < 3000 && !until(); ++n) {
      ASSERT_TRUE(element.process(frame(n)));
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_TRUE(until());
  };
  go_on([&] { return element.stat<guint64>("frames") > 0; });
  for (const Case& c : cases()) {
    SCOPED_TRACE(std::string(c.property) + "=" + c.value);
    gst_util_set_object_arg(G_OBJECT(element.get()), c.property, c.value.c_str());
    std::string warning;
    go_on([&] {
      if (warning.empty()) warning = element.pop_report(GST_MESSAGE_WARNING).text;
      return !warning.empty();
    });
    EXPECT_NE(warning.find(c.why), std::string::npos) << warning;
  }
  EXPECT_EQ(element.pop_report(GST_MESSAGE_ERROR).text, "");
}

TEST_F(InvalidSettings, AreErrorsBeforeTheFirstFrame) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(std::string(c.property) + "=" + c.value);
    Element element;
    start(element);
    gst_util_set_object_arg(G_OBJECT(element.get()), c.property, c.value.c_str());
    EXPECT_EQ(element.push(frame(0)), GST_FLOW_ERROR);
    EXPECT_NE(element.pop_report(GST_MESSAGE_ERROR).text.find(c.why), std::string::npos);
    EXPECT_EQ(gst_harness_buffers_received(element.harness()), 0U);
  }
}

}  // namespace
