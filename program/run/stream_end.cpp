// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/run/stream_end.h"

#include "program/pipeline/side_branches.h"

namespace mosaic_program {

using mosaic_gst::Owned;

void end_sources(GstElement* pipeline) {
  const Owned<GstIterator> sources(gst_bin_iterate_sources(GST_BIN(pipeline)));
  gst_iterator_foreach(
      sources.get(),
      [](const GValue* value, gpointer) {
        auto* source = static_cast<GstElement*>(g_value_get_object(value));
        if (g_strcmp0(GST_OBJECT_NAME(source), kSubtitleSource) != 0)
          gst_element_send_event(source, gst_event_new_eos());
      },
      nullptr);
}

void end_at(Owned<GstPad> pad) {
  const Owned<GstElement> element(gst_pad_get_parent_element(pad.get()));
  gst_element_call_async(
      element.get(),
      [](GstElement*, gpointer data) { gst_pad_send_event(GST_PAD(data), gst_event_new_eos()); },
      pad.release(), gst_object_unref);
}

void end_beside_video(GstElement* muxer) {
  for (GList* l = muxer ? muxer->sinkpads : nullptr; l; l = l->next)
    if (!g_str_has_prefix(GST_PAD_NAME(l->data), "video_"))
      end_at(Owned<GstPad>(GST_PAD(gst_object_ref(l->data))));
}

}  // namespace mosaic_program
