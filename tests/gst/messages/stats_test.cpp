// SPDX-License-Identifier: LGPL-2.1-or-later
// Messages and statistics: every promised field, with its type and a value that makes sense.
#include <map>
#include <set>

#include "tests/gst/harness.h"

namespace {

using namespace element_test;

using Fields = std::map<std::string, std::string>;

Fields fields_of(const GstStructure* structure) {
  Fields fields;
  for (int i = 0; i < gst_structure_n_fields(structure); ++i) {
    const char* name = gst_structure_nth_field_name(structure, i);
    fields[name] = g_type_name(gst_structure_get_field_type(structure, name));
  }
  return fields;
}

Fields with_times(Fields fields) {
  for (const char* stage : {"ms", "unpack", "scene", "analysis", "candidates", "assignment",
                            "drawing", "finishing", "pack"})
    fields[stage] = "gdouble";
  return fields;
}

template <class T>
T value_of(const GstStructure* structure, const char* field) {
  T value{};
  EXPECT_TRUE(gst_structure_get(structure, field, gst_structure_get_field_type(structure, field),
                                &value, nullptr))
      << field;
  return value;
}

TEST(FrameMessage, HasEveryFieldForEveryFrame) {
  Element element;
  element.set("silent", FALSE, "scene-threshold", 100.0);
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  for (int frame = 0; frame < 3; ++frame) {
    ASSERT_TRUE(element.process(make_frame(video_info("I420", 64, 48), frame)));
    const Message message = element.pop(GST_MESSAGE_ELEMENT);
    ASSERT_TRUE(message);
    const GstStructure* s = gst_message_get_structure(message.get());
    EXPECT_STREQ(gst_structure_get_name(s), "mosaictemporal-stats");
    EXPECT_EQ(GST_MESSAGE_SRC(message.get()), GST_OBJECT(element.get()));
    EXPECT_EQ(fields_of(s), with_times({{"frame", "guint64"},
                                        {"pts", "guint64"},
                                        {"cells", "guint"},
                                        {"tiles", "guint"},
                                        {"changed", "guint"},
                                        {"unexplained", "guint"},
                                        {"repainted", "guint"},
                                        {"region-cells", "guint"},
                                        {"keyframe", "gboolean"},
                                        {"cost", "gdouble"},
                                        {"gap", "gdouble"},
                                        {"photos-shown", "guint"},
                                        {"most-uses", "guint"},
                                        {"least-uses", "guint"},
                                        {"never-shown", "guint"},
                                        {"photos-in-time", "guint"},
                                        {"near-repeats", "guint"},
                                        {"extra", "gdouble"}}));
    EXPECT_EQ(value_of<guint64>(s, "frame"), static_cast<guint64>(frame));
    EXPECT_EQ(value_of<guint64>(s, "pts"), frame * GST_SECOND / 25);
    EXPECT_EQ(value_of<guint>(s, "cells"), 48U);
    EXPECT_GT(value_of<guint>(s, "tiles"), 48U);
    EXPECT_LE(value_of<guint>(s, "changed"), 48U);
    EXPECT_LE(value_of<guint>(s, "photos-shown"), 48U);
    EXPECT_GE(value_of<guint>(s, "photos-shown") * value_of<guint>(s, "most-uses"), 48U);
    EXPECT_LE(value_of<guint>(s, "unexplained"), value_of<guint>(s, "changed"));
    EXPECT_EQ(value_of<gboolean>(s, "keyframe"), frame == 0);
    EXPECT_EQ(value_of<gdouble>(s, "gap"), 0) << "unlimited solves are exact";
    EXPECT_GT(value_of<gdouble>(s, "ms"), 0);
    EXPECT_FALSE(element.pop(GST_MESSAGE_ELEMENT)) << "one message a frame";
  }
}

TEST(FrameMessage, IsNotPostedByDefault) {
  Element element;
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  ASSERT_TRUE(element.process(make_frame(video_info("I420", 64, 48))));
  EXPECT_FALSE(element.pop(GST_MESSAGE_ELEMENT));
}

TEST(FrameMessage, KeepsCountingWhenTheGridChanges) {
  Element element;
  element.set("silent", FALSE);
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  ASSERT_TRUE(element.process(make_frame(video_info("I420", 64, 48))));
  element.pop(GST_MESSAGE_ELEMENT);
  element.set("size", "2x2");
  ASSERT_TRUE(element.process(make_frame(video_info("I420", 64, 48))));
  const Message message = element.pop(GST_MESSAGE_ELEMENT);
  ASSERT_TRUE(message);
  const GstStructure* s = gst_message_get_structure(message.get());
  EXPECT_EQ(value_of<guint64>(s, "frame"), 1U);
  EXPECT_EQ(value_of<guint>(s, "cells"), 4U);
}

TEST(Stats, HasEveryFieldBeforeAndAfterFrames) {
  const Fields expected = with_times({{"frames", "guint64"},
                                      {"width", "gint"},
                                      {"height", "gint"},
                                      {"fps", "gdouble"},
                                      {"active-codec", "gchararray"},
                                      {"cells", "guint"},
                                      {"tiles", "guint"},
                                      {"changed", "guint"},
                                      {"region-cells", "guint"},
                                      {"cost", "gdouble"},
                                      {"gap", "gdouble"},
                                      {"extra", "gdouble"},
                                      {"photos-shown", "guint"},
                                      {"most-uses", "guint"},
                                      {"least-uses", "guint"},
                                      {"never-shown", "guint"},
                                      {"photos-in-time", "guint"},
                                      {"near-repeats", "guint"},
                                      {"dropped", "guint64"},
                                      {"repeated", "guint64"},
                                      {"economy", "gint"},
                                      {"skipped", "guint"},
                                      {"device", "gchararray"}});
  Element element;
  EXPECT_EQ(fields_of(element.stats().get()), expected);
  EXPECT_EQ(element.stat<guint64>("frames"), 0U);
  element.set_sink_caps("video/x-raw,width=128,height=96");
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  for (int frame = 0; frame < 4; ++frame)
    ASSERT_TRUE(element.process(make_frame(video_info("I420", 64, 48), frame)));
  const Structure s = element.stats();
  EXPECT_EQ(fields_of(s.get()), expected);
  EXPECT_EQ(value_of<guint64>(s.get(), "frames"), 4U);
  EXPECT_EQ(value_of<gint>(s.get(), "width"), 128);
  EXPECT_EQ(value_of<gint>(s.get(), "height"), 96);
  EXPECT_EQ(value_of<gdouble>(s.get(), "fps"), 25);
  EXPECT_EQ(value_of<guint>(s.get(), "cells"), 48U);
  EXPECT_GT(value_of<gdouble>(s.get(), "ms"), 0);
  EXPECT_STREQ(gst_structure_get_string(s.get(), "device"), "cpu");
}

TEST(Progress, IsPostedFromStartToCompletion) {
  Element element;
  element.set("cache-location", "");
  ASSERT_TRUE(element.set_caps(video_caps("I420", 64, 48)));
  ASSERT_TRUE(element.process(make_frame(video_info("I420", 64, 48))));
  std::vector<GstProgressType> types;
  while (const Message message = element.pop(GST_MESSAGE_PROGRESS)) {
    GstProgressType type;
    gchar *code = nullptr, *text = nullptr;
    gst_message_parse_progress(message.get(), &type, &code, &text);
    EXPECT_STREQ(code, "mosaictemporal-pool");
    EXPECT_STRNE(text, "");
    g_free(code);
    g_free(text);
    types.push_back(type);
  }
  ASSERT_GE(types.size(), 2U);
  EXPECT_EQ(types.front(), GST_PROGRESS_TYPE_START);
  EXPECT_EQ(types.back(), GST_PROGRESS_TYPE_COMPLETE);
  for (size_t i = 1; i + 1 < types.size(); ++i) EXPECT_EQ(types[i], GST_PROGRESS_TYPE_CONTINUE);
}

}  // namespace
