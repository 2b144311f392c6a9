// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/element/upstream.h"

#include <deque>
#include <set>

#include "gst/pointers.h"

namespace mosaic_gst {
namespace {

using Pad = Owned<GstPad>;

/// The source pad that feeds a sink pad. Follows ghost pads into and out of bins, so the pad
/// belongs to an element that is not a bin. Null if nothing is linked.
Pad source_of(GstPad* sink) {
  Pad pad(gst_pad_get_peer(sink));
  while (pad && GST_IS_PROXY_PAD(pad.get())) {
    if (GST_IS_GHOST_PAD(pad.get())) {
      // A bin upstream: continues inside it.
      pad.reset(gst_ghost_pad_get_target(GST_GHOST_PAD(pad.get())));
    } else {
      // The inner side of a sink pad of the bin around us: continues outside it.
      const Pad outer(GST_PAD(gst_proxy_pad_get_internal(GST_PROXY_PAD(pad.get()))));
      pad.reset(outer ? gst_pad_get_peer(outer.get()) : nullptr);
    }
  }
  return pad;
}

std::string klass_of(GstElement* element) {
  const gchar* klass = gst_element_get_metadata(element, GST_ELEMENT_METADATA_KLASS);
  return klass ? klass : "";
}

Decoder describe(GstElement* element, const std::string& klass) {
  const GstElementFactory* factory = gst_element_get_factory(element);
  return {factory ? GST_OBJECT_NAME(factory) : GST_OBJECT_NAME(element),
          klass.find("Hardware") != std::string::npos};
}

std::deque<Pad> sinks_of(GstElement* element) {
  std::deque<Pad> sinks;
  const Owned<GstIterator> pads(gst_element_iterate_sink_pads(element));
  GValue item = G_VALUE_INIT;
  for (;;) {
    const GstIteratorResult result = gst_iterator_next(pads.get(), &item);
    if (result == GST_ITERATOR_RESYNC) {
      sinks.clear();
      gst_iterator_resync(pads.get());
      continue;
    }
    if (result != GST_ITERATOR_OK) break;
    sinks.emplace_back(GST_PAD(g_value_dup_object(&item)));
    g_value_reset(&item);
  }
  g_value_unset(&item);
  return sinks;
}

}  // namespace

std::optional<Decoder> find_decoder(GstPad* sink) {
  std::deque<Pad> sinks;
  sinks.emplace_back(GST_PAD(gst_object_ref(sink)));
  std::set<const GstElement*> seen;  // there may be several paths to one element
  for (; !sinks.empty(); sinks.pop_front()) {
    const Pad source = source_of(sinks.front().get());
    const Owned<GstElement> element(source ? gst_pad_get_parent_element(source.get()) : nullptr);
    if (!element || !seen.insert(element.get()).second) continue;
    const std::string klass = klass_of(element.get());
    if (klass.find("Decoder") != std::string::npos) return describe(element.get(), klass);
    for (Pad& pad : sinks_of(element.get())) sinks.push_back(std::move(pad));
  }
  return std::nullopt;
}

std::string why_not_hardware(const std::optional<Decoder>& decoder, bool on_gpu) {
  if (!decoder) return "no decoder was found upstream";
  if (!decoder->hardware) return decoder->name + " does not decode in hardware";
  if (!on_gpu) return decoder->name + "'s frames do not arrive in CUDA memory";
  return {};
}

bool upstream_is_live(GstPad* sink) {
  const Owned<GstQuery> query(gst_query_new_latency());
  gboolean live = FALSE;
  if (gst_pad_peer_query(sink, query.get()))
    gst_query_parse_latency(query.get(), &live, nullptr, nullptr);
  return live;
}

}  // namespace mosaic_gst
