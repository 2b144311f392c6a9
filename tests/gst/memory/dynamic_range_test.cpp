// SPDX-License-Identifier: LGPL-2.1-or-later
// Video with a high dynamic range is refused, with a reason and a hint; other video is drawn.
#include <gmock/gmock.h>

#include "tests/gst/harness.h"

namespace {

using namespace element_test;
using testing::HasSubstr;

void expect_refused(Element& element, const std::string& colorimetry, const std::string& name) {
  const std::string more = "colorimetry=" + colorimetry;
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48, more)));
  EXPECT_EQ(element.push(make_frame(video_info("I420", 64, 48, more))), GST_FLOW_ERROR);
  const Element::Report error = element.pop_report(GST_MESSAGE_ERROR);
  EXPECT_EQ(error.domain, GST_STREAM_ERROR);
  EXPECT_EQ(error.code, GST_STREAM_ERROR_FORMAT);
  EXPECT_THAT(error.text, HasSubstr("high dynamic range (" + name + ")"));
  EXPECT_THAT(error.text, HasSubstr("tonemap"));
  EXPECT_EQ(element.pop_report(GST_MESSAGE_ERROR).text, "") << "a second error";
}

TEST(DynamicRange, HighIsRefused) {
  for (const auto& [colorimetry, name] :
       {std::pair{"bt2100-pq", "PQ"}, std::pair{"bt2100-hlg", "HLG"}}) {
    SCOPED_TRACE(colorimetry);
    Element element;
    expect_refused(element, colorimetry, name);
    EXPECT_EQ(gst_harness_buffers_received(element.harness()), 0U);
  }
}

TEST(DynamicRange, HighIsRefusedInTheMiddleOfAStream) {
  Element element;
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  ASSERT_EQ(element.push(make_frame(video_info("I420", 64, 48))), GST_FLOW_OK);
  expect_refused(element, "bt2100-pq", "PQ");
  EXPECT_EQ(gst_harness_buffers_received(element.harness()), 1U);
}

TEST(DynamicRange, OtherVideoIsDrawn) {
  for (const std::string colorimetry : {"bt601", "bt709", "bt2020", "bt2020-10", "sRGB"}) {
    SCOPED_TRACE(colorimetry);
    const std::string more = "colorimetry=" + colorimetry;
    const std::string format = colorimetry == "sRGB" ? "RGB" : "I420";
    Element element;
    ASSERT_TRUE(element.set_caps(video_caps(format, 64, 48, more)));
    EXPECT_EQ(element.push(make_frame(video_info(format, 64, 48, more))), GST_FLOW_OK);
  }
}

}  // namespace
