// SPDX-License-Identifier: LGPL-2.1-or-later
// The properties that choose the profile and change its look.
#include <gst/controller/gstdirectcontrolbinding.h>
#include <gst/controller/gstinterpolationcontrolsource.h>

#include <algorithm>
#include <fstream>

#include "mosaic/settings/profile.h"
#include "tests/gst/harness.h"

namespace {

using element_test::Buffer;
using element_test::bytes_of;
using element_test::Element;
using element_test::make_frame;
using element_test::video_caps;
using element_test::video_info;

template <class T>
T get(Element& element, const char* name) {
  T value{};
  g_object_get(element.get(), name, &value, nullptr);
  return value;
}

std::vector<uint8_t> first_frame(Element& element) {
  EXPECT_TRUE(element.set_caps(video_caps("RGB", 160, 90)));
  const Buffer out = element.process(make_frame(video_info("RGB", 160, 90)));
  return out ? bytes_of(out) : std::vector<uint8_t>();
}

TEST(Look, PropertiesFollowTheProfile) {
  Element element;
  EXPECT_EQ(2.10, get<gdouble>(element, "saturation-boost"));
  EXPECT_EQ(1.74, get<gdouble>(element, "boost-warm"));
  element.set("profile-name", "ultra");
  EXPECT_EQ(0.95, get<gdouble>(element, "gamma"));
  EXPECT_EQ(8, get<gint>(element, "shadow-lift"));
  EXPECT_TRUE(get<gboolean>(element, "laplacian-blend"));
  EXPECT_EQ(static_cast<int>(mosaic::TransferKind::kHybrid), get<gint>(element, "color-transfer"));
}

TEST(Look, PropertiesSetAfterTheProfileOverrideIt) {
  Element element;
  element.set("sharpness", 2.0);
  element.set("profile-name", "natural", "gamma", 1.5);
  EXPECT_EQ(0.23, get<gdouble>(element, "sharpness"));
  EXPECT_EQ(1.5, get<gdouble>(element, "gamma"));
  EXPECT_EQ(1.40, get<gdouble>(element, "saturation-boost"));
}

TEST(Look, SaturationBoostAppliesToAllHues) {
  std::vector<std::vector<uint8_t>> seen;
  for (const double boost : {0.0, 2.1}) {
    Element element;
    element.set("tile-size", 16u, "fidelity", 0.0, "saturation-boost", boost);
    EXPECT_EQ(-1, get<gdouble>(element, "boost-cool"));
    EXPECT_EQ(-1, get<gdouble>(element, "boost-warm"));
    seen.push_back(first_frame(element));
  }
  // Without saturation the picture is grey, except for what later stages add.
  const auto colourfulness = [](const std::vector<uint8_t>& rgb) {
    int64_t sum = 0;
    for (size_t i = 0; i + 2 < rgb.size(); i += 3)
      sum +=
          std::max({rgb[i], rgb[i + 1], rgb[i + 2]}) - std::min({rgb[i], rgb[i + 1], rgb[i + 2]});
    return sum / static_cast<int64_t>(rgb.size() / 3);
  };
  ASSERT_FALSE(seen[1].empty());
  EXPECT_LT(4 * colourfulness(seen[0]), colourfulness(seen[1]));
}

TEST(Look, BoostsSetAfterSaturationBoostOverrideIt) {
  Element element;
  element.set("saturation-boost", 1.5, "boost-warm", 0.5);
  EXPECT_EQ(1.5, get<gdouble>(element, "saturation-boost"));
  EXPECT_EQ(-1, get<gdouble>(element, "boost-cool"));
  EXPECT_EQ(0.5, get<gdouble>(element, "boost-warm"));
  element.set("profile-name", "vivid");
  EXPECT_EQ(1.45, get<gdouble>(element, "boost-warm")) << "a profile keeps its own";
}

TEST(Look, ProfilesGiveDifferentPictures) {
  std::vector<std::vector<uint8_t>> seen;
  for (const std::string& name : mosaic::profile_names()) {
    Element element;
    element.set("tile-size", 16u, "profile-name", name.c_str());
    const auto frame = first_frame(element);
    ASSERT_FALSE(frame.empty()) << name;
    for (const auto& other : seen) EXPECT_NE(other, frame) << name;
    seen.push_back(frame);
  }
}

TEST(Look, ChangesWhilePlaying) {
  Element element;
  element.set("tile-size", 16u, "fidelity", 0.0);
  const auto before = first_frame(element);
  element.set("gamma", 0.4);
  const auto lighter = bytes_of(element.process(make_frame(video_info("RGB", 160, 90))));
  int64_t gained = 0;
  for (size_t i = 0; i < before.size(); ++i) gained += lighter[i] - before[i];
  EXPECT_GT(gained / static_cast<int64_t>(before.size()), 10);
}

TEST(Look, FollowsAController) {
  Element element;
  GstControlSource* ramp = gst_interpolation_control_source_new();
  g_object_set(ramp, "mode", GST_INTERPOLATION_MODE_LINEAR, nullptr);
  auto* times = GST_TIMED_VALUE_CONTROL_SOURCE(ramp);
  gst_timed_value_control_source_set(times, 0, 0.2);
  gst_timed_value_control_source_set(times, 10 * GST_SECOND / 25, 0.8);
  ASSERT_TRUE(gst_object_add_control_binding(
      GST_OBJECT(element.get()),
      gst_direct_control_binding_new(GST_OBJECT(element.get()), "saturation-boost", ramp)));
  gst_object_unref(ramp);
  element.set("tile-size", 16u, "boost-cool", -1.0, "boost-warm", -1.0);
  first_frame(element);
  for (int i = 0; i < 5; ++i) {
    Buffer frame = make_frame(video_info("RGB", 160, 90));
    GST_BUFFER_PTS(frame.get()) = (i + 1) * GST_SECOND / 25;
    ASSERT_TRUE(element.process(std::move(frame)));
  }
  EXPECT_NEAR(5 * 0.5, get<gdouble>(element, "saturation-boost"), 0.01) << "half way, of 0 to 5";
}

// filesrc without a parser sends such segments; a critical message ends the test.
TEST(Look, IsNotAnimatedInASegmentWithoutTimes) {
  Element element;
  ASSERT_TRUE(element.set_caps(video_caps("RGB", 160, 90)));
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_BYTES);
  gst_harness_push_event(element.harness(), gst_event_new_segment(&segment));
  EXPECT_TRUE(element.process(make_frame(video_info("RGB", 160, 90))));
}

TEST(Look, ReadsProfileFiles) {
  const element_test::TempFolder folder;
  std::ofstream(folder.path("mine.toml")) << "gamma = 0.5\nsharpness = 3\n";
  Element element;
  element.set("profile-name", folder.path("mine.toml").c_str());
  EXPECT_EQ(0.5, get<gdouble>(element, "gamma"));
  EXPECT_EQ(3.0, get<gdouble>(element, "sharpness"));
}

TEST(Look, AnInvalidProfileIsAnErrorBeforeTheFirstFrame) {
  const element_test::TempFolder folder;
  std::ofstream(folder.path("broken.toml")) << "gamma = 0.5\nsharpness = 300\n";
  Element element;
  element.set("profile-name", folder.path("broken.toml").c_str());
  element.set_caps(video_caps("RGB", 160, 90));
  EXPECT_EQ(GST_FLOW_ERROR, element.push(make_frame(video_info("RGB", 160, 90))));
  const auto report = element.pop_report(GST_MESSAGE_ERROR);
  EXPECT_NE(std::string::npos, report.text.find("broken.toml, line 2: sharpness is 300"))
      << report.text;
}

TEST(Look, AnUnknownProfileIsAnErrorBeforeTheFirstFrame) {
  Element element;
  element.set("profile-name", "sepia");
  element.set_caps(video_caps("RGB", 160, 90));
  EXPECT_EQ(GST_FLOW_ERROR, element.push(make_frame(video_info("RGB", 160, 90))));
  const auto report = element.pop_report(GST_MESSAGE_ERROR);
  EXPECT_NE(std::string::npos, report.text.find("sepia")) << report.text;
  EXPECT_EQ(GST_RESOURCE_ERROR, report.domain);
  EXPECT_EQ(GST_RESOURCE_ERROR_NOT_FOUND, report.code);
}

}  // namespace
