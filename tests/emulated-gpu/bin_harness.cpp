// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulated-gpu/bin_harness.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace emulated_gpu {
namespace {

// A pad without a template would accept no other caps than its current ones.
GstStaticPadTemplate source_template =
    GST_STATIC_PAD_TEMPLATE("source", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);
GstStaticPadTemplate sink_template =
    GST_STATIC_PAD_TEMPLATE("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

}  // namespace

BinHarness::BinHarness(const std::string& description) : bus_(gst_bus_new()) {
  GError* error = nullptr;
  bin_ = gst_parse_bin_from_description(description.c_str(), TRUE, &error);
  if (error) throw std::runtime_error(error->message);
  gst_object_ref_sink(bin_);
  gst_element_set_bus(bin_, bus_);

  source_ = gst_pad_new_from_static_template(&source_template, "source");
  sink_ = gst_pad_new_from_static_template(&sink_template, "sink");
  gst_pad_set_chain_function_full(sink_, on_buffer, this, nullptr);
  gst_pad_set_event_function_full(sink_, on_event, this, nullptr);
  GstPad* first = gst_element_get_static_pad(bin_, "sink");
  GstPad* last = gst_element_get_static_pad(bin_, "src");
  gst_pad_link(source_, first);
  gst_pad_link(last, sink_);
  gst_object_unref(first);
  gst_object_unref(last);
  gst_pad_set_active(sink_, TRUE);
  gst_pad_set_active(source_, TRUE);

  playing_ = gst_element_set_state(bin_, GST_STATE_PLAYING) == GST_STATE_CHANGE_SUCCESS;
  if (playing_) send(gst_event_new_stream_start("test"));
}

BinHarness::~BinHarness() {
  stop();
  out_.clear();
  for (GstPad* pad : {source_, sink_}) {
    gst_pad_set_active(pad, FALSE);
    gst_object_unref(pad);
  }
  gst_element_set_bus(bin_, nullptr);
  gst_object_unref(bin_);
  gst_object_unref(bus_);
}

Element BinHarness::find(const std::string& name) {
  return Element(gst_bin_get_by_name(GST_BIN(bin_), name.c_str()));
}

bool BinHarness::set_caps(const GstVideoInfo& info) {
  const Caps caps(gst_video_info_to_caps(&info));
  if (!gst_pad_push_event(source_, gst_event_new_caps(caps.get()))) return false;
  begin_segment();
  return true;
}

GstFlowReturn BinHarness::push(Buffer buffer) {
  return gst_pad_push(source_, buffer.release());
}

void BinHarness::flush() {
  send(gst_event_new_flush_start());
  send(gst_event_new_flush_stop(TRUE));
  begin_segment();
}

void BinHarness::end_stream() {
  send(gst_event_new_eos());
}

Buffer BinHarness::take() {
  if (out_.empty()) return nullptr;
  Buffer buffer = std::move(out_.front().first);
  taken_ = out_.front().second;
  out_.pop_front();
  return buffer;
}

bool BinHarness::stop() {
  return gst_element_set_state(bin_, GST_STATE_NULL) == GST_STATE_CHANGE_SUCCESS;
}

std::vector<Error> BinHarness::errors() {
  std::vector<Error> list;
  while (GstMessage* popped = gst_bus_pop_filtered(bus_, GST_MESSAGE_ERROR)) {
    const test::Message message(popped);
    GError* error = nullptr;
    gchar* debug = nullptr;
    gst_message_parse_error(popped, &error, &debug);
    list.push_back({GST_OBJECT_NAME(GST_MESSAGE_SRC(popped)),
                    std::string(error->message) + " (" + (debug ? debug : "") + ")"});
    g_error_free(error);
    g_free(debug);
  }
  return list;
}

GstFlowReturn BinHarness::on_buffer(GstPad* pad, GstObject*, GstBuffer* buffer) {
  auto& self = *static_cast<BinHarness*>(pad->chaindata);
  self.out_.emplace_back(buffer, self.info_);
  return GST_FLOW_OK;
}

gboolean BinHarness::on_event(GstPad* pad, GstObject*, GstEvent* event) {
  auto& self = *static_cast<BinHarness*>(pad->eventdata);
  if (GST_EVENT_TYPE(event) == GST_EVENT_CAPS) {
    GstCaps* caps = nullptr;
    gst_event_parse_caps(event, &caps);
    gst_video_info_from_caps(&self.info_, caps);
  }
  gst_event_unref(event);
  return TRUE;
}

void BinHarness::send(GstEvent* event) {
  gst_pad_push_event(source_, event);
}

void BinHarness::begin_segment() {
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  send(gst_event_new_segment(&segment));
}

GstVideoInfo video_info(GstVideoFormat format, int width, int height) {
  GstVideoInfo info;
  gst_video_info_set_format(&info, format, static_cast<guint>(width), static_cast<guint>(height));
  info.fps_n = 25;
  info.fps_d = 1;
  return info;
}

std::vector<unsigned char> visible_bytes(const GstVideoInfo& info, const Buffer& buffer) {
  std::vector<unsigned char> bytes;
  GstVideoFrame frame;
  if (!gst_video_frame_map(&frame, &info, buffer.get(), GST_MAP_READ)) return bytes;
  for (guint c = 0; c < GST_VIDEO_FRAME_N_COMPONENTS(&frame); ++c) {
    const auto step = static_cast<size_t>(GST_VIDEO_FRAME_COMP_PSTRIDE(&frame, c));
    const auto width = static_cast<size_t>(GST_VIDEO_FRAME_COMP_WIDTH(&frame, c));
    for (int y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT(&frame, c); ++y) {
      const guint8* row =
          GST_VIDEO_FRAME_COMP_DATA(&frame, c) + y * GST_VIDEO_FRAME_COMP_STRIDE(&frame, c);
      const size_t at = bytes.size();
      bytes.resize(at + width);
      for (size_t x = 0; x < width; ++x) bytes[at + x] = row[x * step];
    }
  }
  gst_video_frame_unmap(&frame);
  return bytes;
}

}  // namespace emulated_gpu

int main(int argc, char** argv) {
  gst_init(&argc, &argv);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
