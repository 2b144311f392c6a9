// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/input/bitstream_colours.h"

#include "gst/pointers.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

GstPadProbeReturn on_event(GstPad*, GstPadProbeInfo* info, gpointer) {
  GstEvent* event = GST_PAD_PROBE_INFO_EVENT(info);
  if (GST_EVENT_TYPE(event) != GST_EVENT_CAPS) return GST_PAD_PROBE_OK;
  GstCaps* given = nullptr;
  gst_event_parse_caps(event, &given);
  const Owned<GstCaps> caps(gst_caps_copy(given));
  gst_structure_remove_field(gst_caps_get_structure(caps.get(), 0), "colorimetry");
  GstEvent* without = gst_event_new_caps(caps.get());
  gst_event_set_seqnum(without, gst_event_get_seqnum(event));
  gst_event_unref(event);
  GST_PAD_PROBE_INFO_DATA(info) = without;
  return GST_PAD_PROBE_OK;
}

}  // namespace

void read_colours_in_bitstream(GstElement* pipeline) {
  const Owned<GstElement> element(gst_bin_get_by_name(GST_BIN(pipeline), kUncoloured));
  if (!element) return;
  const Owned<GstPad> pad(gst_element_get_static_pad(element.get(), "sink"));
  gst_pad_add_probe(pad.get(), GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, &on_event, nullptr, nullptr);
}

}  // namespace mosaic_program
