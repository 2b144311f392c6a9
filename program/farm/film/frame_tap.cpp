// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/farm/film/frame_tap.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

/// The sink pad of the only element that a factory has made.
Owned<GstPad> input_of(GstElement* pipeline, const std::string& factory) {
  const Owned<GstIterator> elements(
      gst_bin_iterate_all_by_element_factory_name(GST_BIN(pipeline), factory.c_str()));
  GValue value = G_VALUE_INIT;
  if (gst_iterator_next(elements.get(), &value) != GST_ITERATOR_OK) return nullptr;
  Owned<GstPad> pad(
      gst_element_get_static_pad(static_cast<GstElement*>(g_value_get_object(&value)), "sink"));
  g_value_unset(&value);
  return pad;
}

}  // namespace

void FrameTap::attach(GstElement* pipeline, const std::string& encoder) {
  read_ = drawn_ = part_.drawn.begin;
  mosaic_.reset(gst_bin_get_by_name(GST_BIN(pipeline), "mosaic"));
  const Owned<GstPad> input(gst_element_get_static_pad(mosaic_.get(), "sink"));
  gst_pad_add_probe(input.get(), GST_PAD_PROBE_TYPE_BUFFER, &FrameTap::on_input, this, nullptr);
  const Owned<GstPad> drawn = input_of(pipeline, encoder);
  gst_pad_add_probe(drawn.get(), GST_PAD_PROBE_TYPE_BUFFER, &FrameTap::on_drawn, this, nullptr);
}

GstPadProbeReturn FrameTap::on_input(GstPad* pad, GstPadProbeInfo* info, gpointer data) {
  auto& self = *static_cast<FrameTap*>(data);
  if (self.has_other_frames_) return GST_PAD_PROBE_DROP;
  if (self.is_planned(pad, GST_PAD_PROBE_INFO_BUFFER(info))) {
    ++self.read_;
    return GST_PAD_PROBE_OK;
  }
  self.has_other_frames_ = true;
  GST_ELEMENT_ERROR(
      self.mosaic_.get(), STREAM, FAILED,
      ("frame %" G_GINT64_FORMAT " of the film is not the one that was planned", self.read_),
      (nullptr));
  return GST_PAD_PROBE_DROP;
}

bool FrameTap::is_planned(GstPad* pad, GstBuffer* buffer) {
  GstVideoFrame frame;
  if (read_ >= part_.drawn.end || !mapper_.map(pad, buffer, frame)) return false;
  const uint64_t hash = hash_of_frame(frame);
  gst_video_frame_unmap(&frame);
  return hash == film_[read_].hash;
}

GstPadProbeReturn FrameTap::on_drawn(GstPad* pad, GstPadProbeInfo* info, gpointer data) {
  auto& self = *static_cast<FrameTap*>(data);
  const Owned<GstCaps> caps(gst_pad_get_current_caps(pad));
  if (self.caps_.empty()) {
    const Owned<gchar> text(caps ? gst_caps_to_string(caps.get()) : nullptr);
    self.caps_ = text ? text.get() : "";
  }
  const int64_t frame = self.drawn_++;
  const FarmPart& part = self.part_;
  if (frame >= part.own.begin && frame < part.own.end) return GST_PAD_PROBE_OK;
  if (frame < part.frames.begin || frame >= part.frames.end) return GST_PAD_PROBE_DROP;
  if (!self.store_.write(caps.get(), GST_PAD_PROBE_INFO_BUFFER(info)))
    GST_ELEMENT_ERROR(self.mosaic_.get(), RESOURCE, WRITE, ("%s", self.store_.failure().c_str()),
                      (nullptr));
  return GST_PAD_PROBE_DROP;
}

}  // namespace mosaic_program
