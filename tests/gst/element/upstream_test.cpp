// SPDX-License-Identifier: LGPL-2.1-or-later
// Which decoder feeds the element, and what require-hardware does if it decodes in software.
#include "tests/gst/test_decoders.h"

namespace {

using namespace element_test;

class Decoders : public testing::Test {
 protected:
  // A hardware decoder whose frames lie in system memory.
  void SetUp() override {
    register_decoders(
        {[] { return video_caps("NV12", 160, 120); },
         [](const GstVideoInfo& info, int number) { return make_frame(info, number); }});
  }

  static std::string decode(const std::string& how) { return "fakesrc num-buffers=3 ! " + how; }
};

TEST_F(Decoders, AreFoundThroughOtherElements) {
  for (const char* between : {"", "! queue ", "! capsfilter caps=video/x-raw ! identity ! queue ",
                              "! tee ! queue ", "! videoconvert ! videoscale "}) {
    SCOPED_TRACE(between);
    const DecodedRun run = run_decoded(
        decode(std::string("testdecoder ") + between + "! mosaictemporal name=m ! fakesink"));
    expect_decoded_by(run, "testdecoder");
    EXPECT_EQ(run.frames, 3U);
  }
}

TEST_F(Decoders, AreFoundInsideAndOutsideBins) {
  for (const bool around_element : {false, true}) {
    GstElement* inner = gst_parse_bin_from_description(
        around_element ? "queue ! mosaictemporal name=m ! identity" : "testdecoder ! queue", TRUE,
        nullptr);
    GstElement* outer = gst_bin_new(nullptr);
    gst_bin_add(GST_BIN(outer), inner);
    for (const char* name : {"sink", "src"}) {
      GstPad* pad = gst_element_get_static_pad(inner, name);
      gst_element_add_pad(outer, gst_ghost_pad_new(name, pad));
      gst_object_unref(pad);
    }
    const ElementPtr pipeline(GST_ELEMENT(gst_object_ref_sink(gst_pipeline_new(nullptr))));
    GstElement* source = gst_element_factory_make("fakesrc", nullptr);
    g_object_set(source, "num-buffers", 2, nullptr);
    GstElement* other = gst_parse_bin_from_description(
        around_element ? "testdecoder" : "mosaictemporal name=m", TRUE, nullptr);
    GstElement* sink = gst_element_factory_make("fakesink", nullptr);
    gst_bin_add_many(GST_BIN(pipeline.get()), source, outer, other, sink, nullptr);
    if (around_element)
      ASSERT_TRUE(gst_element_link_many(source, other, outer, sink, nullptr));
    else
      ASSERT_TRUE(gst_element_link_many(source, outer, other, sink, nullptr));
    gst_element_set_state(pipeline.get(), GST_STATE_PAUSED);
    EXPECT_EQ(gst_element_get_state(pipeline.get(), nullptr, nullptr, 60 * GST_SECOND),
              GST_STATE_CHANGE_SUCCESS);
    GstElement* element = gst_bin_get_by_name(GST_BIN(pipeline.get()), "m");
    gchar* codec = nullptr;
    g_object_get(element, "active-codec", &codec, nullptr);
    EXPECT_STREQ(codec, "testdecoder") << (around_element ? "around the element" : "around it");
    g_free(codec);
    gst_object_unref(element);
    gst_element_set_state(pipeline.get(), GST_STATE_NULL);
  }
}

TEST_F(Decoders, AreNotFoundForARawSource) {
  expect_decoded_by(run_decoded("videotestsrc num-buffers=2 ! video/x-raw,width=160,height=120 ! "
                                "mosaictemporal name=m ! fakesink"),
                    "(null)");
}

TEST_F(Decoders, InSoftwareAreRejectedIfHardwareIsRequired) {
  expect_refused(run_decoded(decode("testdecoder ! queue ! mosaictemporal require-hardware=true "
                                    "name=m ! fakesink")),
                 "testdecoder does not decode in hardware");
}

TEST_F(Decoders, InHardwareAreRejectedIfFramesAreInSystemMemory) {
  expect_refused(run_decoded(decode("testhwdecoder ! mosaictemporal require-hardware=true name=m ! "
                                    "fakesink")),
                 "testhwdecoder's frames do not arrive in CUDA memory");
}

TEST_F(Decoders, MustExistIfHardwareIsRequired) {
  expect_refused(run_decoded("videotestsrc ! mosaictemporal require-hardware=true name=m ! "
                             "fakesink"),
                 "no decoder was found");
}

}  // namespace
