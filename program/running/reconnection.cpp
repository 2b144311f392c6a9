// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/running/reconnection.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

bool is_video(GstPad* pad) {
  const Owned<GstCaps> caps(gst_pad_query_caps(pad, nullptr));
  return gst_caps_get_size(caps.get()) > 0 &&
         g_str_has_prefix(gst_structure_get_name(gst_caps_get_structure(caps.get(), 0)), "video/");
}

}  // namespace

Reconnection::Reconnection(GstElement* pipeline)
    : pipeline_(pipeline), source_(gst_bin_get_by_name(GST_BIN(pipeline), "in")) {
  gchar* uri = nullptr;
  g_object_get(source_.get(), "uri", &uri, nullptr);
  uri_ = Owned<gchar>(uri).get();
  // The clock of the source would be lost with it.
  const Owned<GstClock> clock(gst_system_clock_obtain());
  gst_pipeline_use_clock(GST_PIPELINE(pipeline), clock.get());
  watch();
}

void Reconnection::watch() {
  g_signal_connect(source_.get(), "pad-added",
                   G_CALLBACK(+[](GstElement*, GstPad* pad, gpointer self) {
                     static_cast<Reconnection*>(self)->add(pad);
                   }),
                   this);
}

/// The first time, the pipeline has linked the pad.
void Reconnection::add(GstPad* source) {
  const std::lock_guard lock(mutex_);
  if (again_) {
    for (Stream& stream : streams_)
      if (stream.is_video == is_video(source) && !gst_pad_is_linked(stream.entry.get())) {
        gst_pad_link(source, stream.entry.get());
        return;
      }
  } else if (Owned<GstPad> entry(gst_pad_get_peer(source)); entry) {
    Stream& stream = streams_.emplace_back();
    stream.all = this;
    stream.is_video = is_video(source);
    for (GstSegment* segment : {&stream.first, &stream.later})
      gst_segment_init(segment, GST_FORMAT_UNDEFINED);
    gst_pad_add_probe(entry.get(),
                      static_cast<GstPadProbeType>(GST_PAD_PROBE_TYPE_BUFFER |
                                                   GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM),
                      &Reconnection::on_data, &stream, nullptr);
    stream.entry = std::move(entry);
  }
}

void Reconnection::disconnect() {
  connected_ = false;
  if (!source_) return;
  gst_element_set_state(source_.get(), GST_STATE_NULL);
  gst_bin_remove(GST_BIN(pipeline_), source_.get());
  source_ = nullptr;
}

void Reconnection::connect() {
  {
    const std::lock_guard lock(mutex_);
    again_ = true;
    shift_.reset();
  }
  has_ended_ = false;
  // One that had an error does not start again.
  source_.reset(
      GST_ELEMENT(gst_object_ref_sink(gst_element_factory_make("uridecodebin", nullptr))));
  g_object_set(source_.get(), "uri", uri_.c_str(), nullptr);
  watch();
  gst_bin_add(GST_BIN(pipeline_), source_.get());
  urge();
}

void Reconnection::urge() {
  if (source_) gst_element_set_state(source_.get(), GST_STATE_PLAYING);
}

GstClockTime Reconnection::now() const {
  const Owned<GstClock> clock(gst_element_get_clock(pipeline_));
  return clock ? gst_clock_get_time(clock.get()) - gst_element_get_base_time(pipeline_) : 0;
}

GstPadProbeReturn Reconnection::on_data(GstPad*, GstPadProbeInfo* info, gpointer data) {
  auto& stream = *static_cast<Stream*>(data);
  if (GST_PAD_PROBE_INFO_TYPE(info) & GST_PAD_PROBE_TYPE_BUFFER) {
    stream.all->move(stream, info);
    return GST_PAD_PROBE_OK;
  }
  return stream.all->on_event(stream, GST_PAD_PROBE_INFO_EVENT(info));
}

/// What comes after the source sees only one stream.
GstPadProbeReturn Reconnection::on_event(Stream& stream, GstEvent* event) {
  if (GST_EVENT_TYPE(event) == GST_EVENT_EOS) {
    has_ended_ = true;
    return GST_PAD_PROBE_DROP;
  }
  const std::lock_guard lock(mutex_);
  if (GST_EVENT_TYPE(event) == GST_EVENT_SEGMENT)
    gst_event_copy_segment(event, again_ ? &stream.later : &stream.first);
  const bool is_beginning =
      GST_EVENT_TYPE(event) == GST_EVENT_SEGMENT || GST_EVENT_TYPE(event) == GST_EVENT_STREAM_START;
  return again_ && is_beginning ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
}

/// Gives a buffer the time at which it comes, after what came before.
void Reconnection::move(Stream& stream, GstPadProbeInfo* info) {
  connected_ = true;
  const std::lock_guard lock(mutex_);
  if (!again_ || stream.later.format != GST_FORMAT_TIME) return;
  GstBuffer* buffer = gst_buffer_make_writable(GST_PAD_PROBE_INFO_BUFFER(info));
  GST_PAD_PROBE_INFO_DATA(info) = buffer;
  const GstClockTime time =
      gst_segment_to_running_time(&stream.later, GST_FORMAT_TIME, GST_BUFFER_PTS(buffer));
  if (!GST_CLOCK_TIME_IS_VALID(time)) return;
  if (!shift_) shift_ = GST_CLOCK_DIFF(time, now());
  GST_BUFFER_PTS(buffer) =
      gst_segment_position_from_running_time(&stream.first, GST_FORMAT_TIME, time + *shift_);
}

}  // namespace mosaic_program
