// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulated-gpu/nvenc_pipeline.h"

#include <gst/app/app.h>

#include <stdexcept>

#include "tests/emulated-gpu/bin_harness.h"
#include "tests/gst_elements.h"

namespace emulated_gpu {
namespace {

// Nothing takes so long, even on a loaded machine; what does has come to a halt.
constexpr GstClockTime kPatience = 60 * GST_SECOND;
constexpr GstClockTime kStep = 50 * GST_MSECOND;  // between looks at the bus

gboolean accept_seek(GstAppSrc*, guint64, gpointer) {
  return TRUE;
}

GstPadProbeReturn count(GstPad*, GstPadProbeInfo*, gpointer counter) {
  ++*static_cast<std::atomic<int>*>(counter);
  return GST_PAD_PROBE_OK;
}

}  // namespace

Pipeline::Pipeline(const std::string& description) {
  GError* error = nullptr;
  pipeline_ = gst_parse_launch(description.c_str(), &error);
  if (error) throw std::runtime_error(error->message);
  gst_object_ref_sink(pipeline_);
  bus_ = gst_element_get_bus(pipeline_);
  in_ = gst_bin_get_by_name(GST_BIN(pipeline_), "in");
  out_ = gst_bin_get_by_name(GST_BIN(pipeline_), "out");
  if (out_) g_object_set(out_, "sync", FALSE, nullptr);
  if (const test::ElementPtr passed = find("passed")) {
    GstPad* const pad = gst_element_get_static_pad(passed.get(), "src");
    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, count, &passed_, nullptr);
    gst_object_unref(pad);
  }
  if (!in_) return;
  g_object_set(in_, "format", GST_FORMAT_TIME, "stream-type", GST_APP_STREAM_TYPE_SEEKABLE,
               "max-bytes", guint64{0}, nullptr);
  g_signal_connect(in_, "seek-data", G_CALLBACK(accept_seek), nullptr);
}

Pipeline::~Pipeline() {
  stop();
  for (GstElement* element : {in_, out_})
    if (element) gst_object_unref(element);
  gst_object_unref(bus_);
  // A bin whose sink has just got its first buffer or the end goes on to PLAYING in a thread of
  // GStreamer, which holds the bin: without the wait that thread would release everything, at times
  // after the test has counted what is left.
  for (GstClockTime waited = 0; GST_OBJECT_REFCOUNT_VALUE(pipeline_) > 1 && waited < kPatience;
       waited += GST_MSECOND)
    g_usleep(GST_TIME_AS_USECONDS(GST_MSECOND));
  gst_object_unref(pipeline_);
}

bool Pipeline::play() {
  return gst_element_set_state(pipeline_, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE;
}

void Pipeline::push(const GstVideoInfo& info, int number) {
  const test::Caps caps(gst_video_info_to_caps(&info));
  gst_app_src_set_caps(GST_APP_SRC(in_), caps.get());
  gst_app_src_push_buffer(GST_APP_SRC(in_), make_frame(info, number).release());
}

void Pipeline::end_stream() {
  gst_app_src_end_of_stream(GST_APP_SRC(in_));
}

bool Pipeline::seek() {
  return gst_element_seek_simple(pipeline_, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, 0);
}

std::vector<Frame> Pipeline::take() {
  GstAppSink* const out = GST_APP_SINK(out_);
  GstSample* sample = nullptr;
  for (GstClockTime waited = 0; !sample && waited < kPatience; waited += kStep) {
    sample = gst_app_sink_try_pull_sample(out, kStep);
    if (!sample && (gst_app_sink_is_eos(out) || !errors().empty())) return {};
  }
  if (!sample) return {};
  GstVideoInfo info;
  gst_video_info_from_caps(&info, gst_sample_get_caps(sample));
  const test::Buffer buffer(gst_buffer_ref(gst_sample_get_buffer(sample)));
  const GstClockTime time = gst_segment_to_running_time(
      gst_sample_get_segment(sample), GST_FORMAT_TIME, GST_BUFFER_PTS(buffer.get()));
  gst_sample_unref(sample);
  return {{GST_VIDEO_INFO_WIDTH(&info), GST_VIDEO_INFO_HEIGHT(&info), time,
           GST_BUFFER_DURATION(buffer.get()), visible_bytes(info, buffer)}};
}

std::vector<Frame> Pipeline::take_all() {
  std::vector<Frame> all;
  for (std::vector<Frame> one = take(); !one.empty(); one = take())
    all.push_back(std::move(one.front()));
  return all;
}

bool Pipeline::wait_until_passed(int buffers) {
  for (GstClockTime waited = 0; passed_ < buffers && waited < kPatience; waited += kStep)
    g_usleep(GST_TIME_AS_USECONDS(kStep));
  return passed_ >= buffers;
}

bool Pipeline::wait_for_end() {
  const auto types = static_cast<GstMessageType>(GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  const test::Message message(gst_bus_timed_pop_filtered(bus_, kPatience, types));
  if (message && GST_MESSAGE_TYPE(message.get()) == GST_MESSAGE_EOS) return true;
  if (message) note(message.get());
  return false;
}

bool Pipeline::stop() {
  return gst_element_set_state(pipeline_, GST_STATE_NULL) == GST_STATE_CHANGE_SUCCESS;
}

void Pipeline::note(GstMessage* message) {
  GError* error = nullptr;
  gchar* debug = nullptr;
  gst_message_parse_error(message, &error, &debug);
  errors_.push_back(std::string(GST_OBJECT_NAME(GST_MESSAGE_SRC(message))) + ": " + error->message +
                    " (" + (debug ? debug : "") + ")");
  g_error_free(error);
  g_free(debug);
}

const std::vector<std::string>& Pipeline::errors() {
  while (GstMessage* popped = gst_bus_pop_filtered(bus_, GST_MESSAGE_ERROR)) {
    const test::Message message(popped);
    note(popped);
  }
  return errors_;
}

test::ElementPtr Pipeline::find(const char* name) {
  return test::ElementPtr(gst_bin_get_by_name(GST_BIN(pipeline_), name));
}

test::Buffer make_frame(const GstVideoInfo& info, int number) {
  test::Buffer buffer(gst_buffer_new_allocate(nullptr, info.size, nullptr));
  GstMapInfo map;
  gst_buffer_map(buffer.get(), &map, GST_MAP_WRITE);
  for (gsize i = 0; i < map.size; ++i)
    map.data[i] = static_cast<guint8>(i / 9 * 7 + static_cast<gsize>(number) * 23);
  gst_buffer_unmap(buffer.get(), &map);
  GST_BUFFER_PTS(buffer.get()) = static_cast<GstClockTime>(number) * 40 * GST_MSECOND;
  GST_BUFFER_DURATION(buffer.get()) = 40 * GST_MSECOND;
  return buffer;
}

void Encoder::start(bool deferred) {
  for (const char* name : {"cudaupload", "nvh264enc", "nvcudah264enc", "h264parse", "avdec_h264"}) {
    if (!test::has_element(name))
      GTEST_SKIP() << "there is no element " << name
                   << " (an encoder needs libx264 and NVIDIA's header of version 11.1)";
  }
  abort_on_mistake(true);
  ASSERT_TRUE(set_deferred(deferred));
  before_ = encoder_counts();
}

void Encoder::TearDown() {
  if (IsSkipped()) return;
  clear_faults();
  const EmulatedGpuCounts now = counts();
  EXPECT_EQ(now.contexts + now.device_blocks + now.pinned_blocks + now.streams + now.events +
                now.modules + now.pending,
            0u);
  const EmulatedNvencCounts encoder = encoder_counts();
  EXPECT_EQ(encoder.sessions + encoder.resources + encoder.inputs + encoder.outputs, 0u);
  EXPECT_EQ(encoder.abandoned, before_.abandoned);
}

EmulatedNvencCounts encoder_counts() {
  static void* const library = dlopen("libnvidia-encode.so.1", RTLD_NOW);
  static const auto ask = reinterpret_cast<decltype(emulated_nvenc_counts)*>(
      library ? dlsym(library, "emulated_nvenc_counts") : nullptr);
  EmulatedNvencCounts now{};
  if (ask) ask(&now);
  return now;
}

}  // namespace emulated_gpu
