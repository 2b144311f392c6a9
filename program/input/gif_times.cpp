// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/input/gif_times.h"

#include <deque>
#include <mutex>

#include "gst/pointers.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

/// The times of the pictures in a decoder. It gives one picture for each that it gets, in their
/// order.
class Times {
 public:
  static GstPadProbeReturn on_coded(GstPad*, GstPadProbeInfo* info, gpointer data) {
    auto& self = *static_cast<Times*>(data);
    const std::lock_guard lock(self.mutex_);
    self.waiting_.push_back(GST_BUFFER_PTS(GST_PAD_PROBE_INFO_BUFFER(info)));
    return GST_PAD_PROBE_OK;
  }

  static GstPadProbeReturn on_decoded(GstPad*, GstPadProbeInfo* info, gpointer data) {
    auto& self = *static_cast<Times*>(data);
    const std::lock_guard lock(self.mutex_);
    if (self.waiting_.empty()) return GST_PAD_PROBE_OK;
    GstBuffer* buffer = gst_buffer_make_writable(GST_PAD_PROBE_INFO_BUFFER(info));
    GST_BUFFER_PTS(buffer) = self.waiting_.front();
    self.waiting_.pop_front();
    GST_PAD_PROBE_INFO_DATA(info) = buffer;
    return GST_PAD_PROBE_OK;
  }

  static void free(gpointer data) { delete static_cast<Times*>(data); }

 private:
  std::mutex mutex_;
  std::deque<GstClockTime> waiting_;
};

void on_element(GstBin*, GstBin*, GstElement* element, gpointer) {
  GstElementFactory* factory = gst_element_get_factory(element);
  if (!factory || g_strcmp0(GST_OBJECT_NAME(factory), "avdec_gif") != 0) return;
  auto* times = new Times;
  const Owned<GstPad> sink(gst_element_get_static_pad(element, "sink"));
  const Owned<GstPad> source(gst_element_get_static_pad(element, "src"));
  gst_pad_add_probe(sink.get(), GST_PAD_PROBE_TYPE_BUFFER, &Times::on_coded, times, nullptr);
  gst_pad_add_probe(source.get(), GST_PAD_PROBE_TYPE_BUFFER, &Times::on_decoded, times, nullptr);
  g_object_set_data_full(G_OBJECT(element), "mosaic-gif-times", times, &Times::free);
}

}  // namespace

void keep_gif_times(GstElement* pipeline) {
  g_signal_connect(pipeline, "deep-element-added", G_CALLBACK(on_element), nullptr);
}

}  // namespace mosaic_program
