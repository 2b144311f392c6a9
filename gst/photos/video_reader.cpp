// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/photos/video_reader.h"

#include <gio/gio.h>

#include <optional>

#include "gst/photos/frame_limits.h"
#include "gst/photos/source_guard.h"
#include "gst/photos/video_error.h"

namespace mosaic_gst {
namespace {

constexpr GstClockTime kPoll = 50 * GST_MSECOND;  // interval at which cancellation is checked
constexpr GstClockTime kPatience =
    20 * GST_SECOND;                  // time without a frame after which the video is an error
constexpr guint kConnectSeconds = 5;  // time limit of connection_error()

void link_video(GstElement*, GstPad* pad, GstPad* sink_pad) {
  const Owned<GstCaps> caps(gst_pad_query_caps(pad, nullptr));
  const bool video = !gst_caps_is_empty(caps.get()) && !gst_caps_is_any(caps.get()) &&
                     gst_structure_has_name(gst_caps_get_structure(caps.get(), 0), "video/x-raw");
  if (video && !gst_pad_is_linked(sink_pad)) gst_pad_link(pad, sink_pad);
}

void report_missing_video(GstElement* decoder, GstPad* sink_pad) {
  if (!gst_pad_is_linked(sink_pad))
    GST_ELEMENT_ERROR(decoder, STREAM, WRONG_TYPE, ("it has no video stream that can be decoded"),
                      (nullptr));
}

/// Why the server of a URI cannot be connected to; nullopt: it can.
std::optional<std::string> connection_error(const std::string& uri) {
  GSocketClient* client = g_socket_client_new();
  const Owned<GObject> keep_client(G_OBJECT(client));
  g_socket_client_set_timeout(client, kConnectSeconds);
  GError* failure = nullptr;
  const guint16 port = gst_uri_has_protocol(uri.c_str(), "https") ? 443 : 80;
  GSocketConnection* connection =
      g_socket_client_connect_to_uri(client, uri.c_str(), port, nullptr, &failure);
  const Owned<GError> error(failure);
  if (!connection) return error->message;
  g_object_unref(connection);
  return std::nullopt;
}

/// The cause that an error message gives. GStreamer's HTTP sources say only that the data stream
/// failed if they cannot connect. Then a connection is tried here to find out why.
std::string cause_of(GstMessage* message, const std::string& uri) {
  GError* parsed = nullptr;
  gst_message_parse_error(message, &parsed, nullptr);
  const Owned<GError> error(parsed);
  std::string cause = error->message;
  const bool unexplained =
      g_error_matches(error.get(), GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED) &&
      GST_OBJECT_FLAG_IS_SET(GST_MESSAGE_SRC(message), GST_ELEMENT_FLAG_SOURCE);
  const bool http =
      gst_uri_has_protocol(uri.c_str(), "http") || gst_uri_has_protocol(uri.c_str(), "https");
  if (unexplained && http) cause = connection_error(uri).value_or(cause);
  return cause;
}

}  // namespace

VideoReader::VideoReader(const std::string& uri, std::string label,
                         const std::atomic<bool>& cancelled)
    : uri_(uri), label_(std::move(label)), cancelled_(cancelled) {
  pipeline_.reset(GST_ELEMENT(gst_object_ref_sink(gst_pipeline_new(nullptr))));
  limit_frames(GST_BIN(pipeline_.get()));
  GstElement *decoder = add("uridecodebin"), *sink = add("appsink");
  sink_ = GST_APP_SINK(sink);
  // Software decoders give the same frames on every machine, in system memory.
  g_object_set(decoder, "uri", uri.c_str(), "force-sw-decoders", TRUE, nullptr);
  guard_sources(decoder, uri);
  const Owned<GstCaps> raw(gst_caps_new_empty_simple("video/x-raw"));
  g_object_set(sink, "caps", raw.get(), "sync", FALSE, "max-buffers", 4, nullptr);
  const Owned<GstPad> sink_pad(gst_element_get_static_pad(sink, "sink"));
  const auto connect = [&](const char* signal, GCallback callback) {
    g_signal_connect_data(
        decoder, signal, callback, gst_object_ref(sink_pad.get()),
        [](gpointer pad, GClosure*) { gst_object_unref(pad); }, static_cast<GConnectFlags>(0));
  };
  connect("pad-added", G_CALLBACK(link_video));
  connect("no-more-pads", G_CALLBACK(report_missing_video));

  try {
    const GstStateChangeReturn change = gst_element_set_state(pipeline_.get(), GST_STATE_PAUSED);
    if (change == GST_STATE_CHANGE_NO_PREROLL) fail("it is a live source, which does not end");
    const Sample first = wait_for([this] { return gst_app_sink_try_pull_preroll(sink_, kPoll); });
    if (!first) fail("it has no frames");
    const GstCaps* caps = gst_sample_get_caps(first.get());
    if (!caps || !gst_video_info_from_caps(&info_, caps)) fail("its frames cannot be converted");
    gint64 duration = 0;
    if (!gst_element_query_duration(pipeline_.get(), GST_FORMAT_TIME, &duration) || duration <= 0)
      fail("its duration is unknown");
    duration_ = static_cast<GstClockTime>(duration);
  } catch (...) {
    gst_element_set_state(pipeline_.get(), GST_STATE_NULL);
    throw;
  }
}

/// Adds a new element to the pipeline.
GstElement* VideoReader::add(const char* factory) {
  GstElement* element = gst_element_factory_make(factory, nullptr);
  if (!element)
    throw mosaic::Error(mosaic::Error::Kind::kRead,
                        std::string("The GStreamer element ") + factory + " is missing",
                        "install GStreamer's base plugins to take tiles from a video");
  gst_bin_add(GST_BIN(pipeline_.get()), element);
  return element;
}

VideoReader::~VideoReader() {
  gst_element_set_state(pipeline_.get(), GST_STATE_NULL);
}

double VideoReader::frame_rate() const {
  if (GST_VIDEO_INFO_FPS_N(&info_) <= 0) return 0;
  return static_cast<double>(GST_VIDEO_INFO_FPS_N(&info_)) / GST_VIDEO_INFO_FPS_D(&info_);
}

Sample VideoReader::frame_at(GstClockTime time, bool exact) {
  const int how = GST_SEEK_FLAG_FLUSH | (exact ? GST_SEEK_FLAG_ACCURATE : GST_SEEK_FLAG_KEY_UNIT);
  if (!gst_element_seek_simple(pipeline_.get(), GST_FORMAT_TIME, static_cast<GstSeekFlags>(how),
                               static_cast<gint64>(time)))
    fail("it is not seekable");
  return wait_for([this] { return gst_app_sink_try_pull_preroll(sink_, kPoll); });
}

Sample VideoReader::next() {
  if (!playing_) {
    gst_element_set_state(pipeline_.get(), GST_STATE_PLAYING);
    playing_ = true;
  }
  return wait_for([this] { return gst_app_sink_try_pull_sample(sink_, kPoll); });
}

GstClockTime VideoReader::time_of(const Sample& sample) {
  const GstBuffer* buffer = gst_sample_get_buffer(sample.get());
  const GstSegment* segment = gst_sample_get_segment(sample.get());
  const guint64 time = gst_segment_to_stream_time(segment, GST_FORMAT_TIME, GST_BUFFER_PTS(buffer));
  return GST_CLOCK_TIME_IS_VALID(time) ? time : 0;
}

Sample VideoReader::wait_for(const std::function<GstSample*()>& try_pull) {
  const Owned<GstBus> bus(gst_element_get_bus(pipeline_.get()));
  for (GstClockTime waited = 0; waited < kPatience; waited += kPoll) {
    if (cancelled_) throw mosaic::Error(mosaic::Error::Kind::kCancelled, "Cancelled");
    Sample sample(try_pull());
    if (sample) return sample;
    if (const Owned<GstMessage> message{gst_bus_pop_filtered(bus.get(), GST_MESSAGE_ERROR)})
      fail(cause_of(message.get(), uri_));
    if (gst_app_sink_is_eos(sink_)) return nullptr;
  }
  fail("it delivered no frame for " + std::to_string(kPatience / GST_SECOND) + " seconds");
}

void VideoReader::fail(const std::string& why) const {
  throw video_error(label_, why);
}

}  // namespace mosaic_gst
