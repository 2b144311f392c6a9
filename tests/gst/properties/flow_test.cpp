// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// flow=raft and the properties that it uses.
#include "tests/gst/properties/flow.h"

namespace element_test {

TEST_F(FlowRaft, WithoutWeightsIsAnErrorBeforeAnyFrame) {
  Element element;
  element.set("tile-location", photos_.path().c_str());
  gst_util_set_object_arg(G_OBJECT(element.get()), "flow", "raft");
  element.set_caps(video_caps("RGB", kWidth, kHeight));
  EXPECT_EQ(element.push(make_frame(video_info("RGB", kWidth, kHeight), 0)), GST_FLOW_ERROR);
  const std::string text = element.pop_report(GST_MESSAGE_ERROR).text;
  EXPECT_NE(text.find("flow-weights"), std::string::npos) << text;
  EXPECT_NE(text.find("raft_weights.py"), std::string::npos) << text;
}

TEST_F(FlowRaft, WrongWeightsAreAnErrorThatNamesTheFile) {
  std::ofstream(folder_.path("wrong.safetensors")) << "this is no such file";
  Element element;
  element.set("tile-location", photos_.path().c_str(), "flow-weights",
              folder_.path("wrong.safetensors").c_str());
  element.set_caps(video_caps("RGB", kWidth, kHeight));
  EXPECT_EQ(element.push(make_frame(video_info("RGB", kWidth, kHeight), 0)), GST_FLOW_ERROR);
  const std::string text = element.pop_report(GST_MESSAGE_ERROR).text;
  EXPECT_NE(text.find("wrong.safetensors"), std::string::npos) << text;
  EXPECT_NE(text.find("raft_weights.py"), std::string::npos) << text;
}

TEST_F(FlowRaft, DoesNotDependOnThreadsAndBatches) {
  const auto expected = draw({.threads = 1, .batch = 1});
  EXPECT_EQ(expected, draw({.threads = 3}));
  EXPECT_EQ(expected.front(), draw({.flow = "identity"}).front())
      << "the first frame moves nowhere";
}

TEST_F(FlowRaft, WindowsThatAreNotValidAreAWarningWhilePlaying) {
  Element element;
  start(element, {});
  EXPECT_TRUE(element.process(make_frame(video_info("RGB", kWidth, kHeight), 0)));
  element.set("window-overlap", 16384);
  EXPECT_TRUE(element.process(make_frame(video_info("RGB", kWidth, kHeight), 1)))
      << element.pop_report(GST_MESSAGE_ERROR).text;
  const std::string text = element.pop_report(GST_MESSAGE_WARNING).text;
  EXPECT_NE(text.find("window-overlap is 16384"), std::string::npos) << text;
}

}  // namespace element_test
