// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/photos/frame_limits.h"

#include <algorithm>

#include "gst/pointers.h"
#include "mosaic/photos/decoding/photo_decode.h"

// An allocator whose allocations fail.
struct GstMosaicNoMemory {
  GstAllocator parent;
};
struct GstMosaicNoMemoryClass {
  GstAllocatorClass parent_class;
};
static GType gst_mosaic_no_memory_get_type();
G_DEFINE_TYPE(GstMosaicNoMemory, gst_mosaic_no_memory, GST_TYPE_ALLOCATOR)

static void gst_mosaic_no_memory_init(GstMosaicNoMemory*) {}

static void gst_mosaic_no_memory_class_init(GstMosaicNoMemoryClass* klass) {
  GST_ALLOCATOR_CLASS(klass)->alloc = [](GstAllocator*, gsize, GstAllocationParams*) {
    return static_cast<GstMemory*>(nullptr);
  };
}

namespace mosaic_gst {
namespace {

std::string why_caps_refused(const GstCaps* caps) {
  const GstStructure* structure = gst_caps_get_structure(caps, 0);
  int width = 0, height = 0;
  gst_structure_get_int(structure, "width", &width);
  gst_structure_get_int(structure, "height", &height);
  return why_refused(width, height);
}

// On both pads of a decoder. Most files say how large their frames are before they are decoded,
// some only within the data. The decoder goes on after the error, until the pipeline is stopped.
GstPadProbeReturn on_caps(GstPad* pad, GstPadProbeInfo* info, gpointer) {
  GstEvent* event = GST_PAD_PROBE_INFO_EVENT(info);
  if (GST_EVENT_TYPE(event) != GST_EVENT_CAPS) return GST_PAD_PROBE_OK;
  GstCaps* caps = nullptr;
  gst_event_parse_caps(event, &caps);
  const std::string why = why_caps_refused(caps);
  if (why.empty()) return GST_PAD_PROBE_OK;
  const Owned<GstElement> decoder(gst_pad_get_parent_element(pad));
  if (decoder) GST_ELEMENT_ERROR(decoder.get(), STREAM, WRONG_TYPE, ("%s", why.c_str()), (nullptr));
  return GST_PAD_PROBE_DROP;
}

// Where a decoder asks downstream for memory for its frames.
GstPadProbeReturn on_query(GstPad*, GstPadProbeInfo* info, gpointer) {
  GstQuery* query = GST_PAD_PROBE_INFO_QUERY(info);
  const bool asked = GST_PAD_PROBE_INFO_TYPE(info) & GST_PAD_PROBE_TYPE_PUSH;
  if (!asked || GST_QUERY_TYPE(query) != GST_QUERY_ALLOCATION) return GST_PAD_PROBE_OK;
  GstCaps* caps = nullptr;
  gst_query_parse_allocation(query, &caps, nullptr);
  if (!caps || why_caps_refused(caps).empty()) return GST_PAD_PROBE_OK;
  const Owned<GstAllocator> allocator(static_cast<GstAllocator*>(
      gst_object_ref_sink(g_object_new(gst_mosaic_no_memory_get_type(), nullptr))));
  gst_query_add_allocation_param(query, allocator.get(), nullptr);
  return GST_PAD_PROBE_HANDLED;
}

void on_element(GstBin*, GstBin*, GstElement* element, gpointer) {
  GstElementFactory* factory = gst_element_get_factory(element);
  if (!factory || !gst_element_factory_list_is_type(factory, GST_ELEMENT_FACTORY_TYPE_DECODER))
    return;
  for (const char* name : {"sink", "src"}) {
    const Owned<GstPad> pad(gst_element_get_static_pad(element, name));
    if (!pad) continue;
    gst_pad_add_probe(pad.get(), GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, on_caps, nullptr, nullptr);
    if (GST_PAD_IS_SRC(pad.get()))
      gst_pad_add_probe(pad.get(), GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM, on_query, nullptr, nullptr);
  }
}

}  // namespace

std::string why_refused(int64_t width, int64_t height) {
  const bool fits = std::max(width, height) <= kMaxFrameSide &&
                    std::max<int64_t>(width, 0) * height <= mosaic::kMaxPhotoPixels;
  if (fits) return {};
  return "its frames have " + std::to_string(width) + "x" + std::to_string(height) +
         " pixels, more than 64 megapixels or " + std::to_string(kMaxFrameSide) + " in a row";
}

void limit_frames(GstBin* bin) {
  g_signal_connect(bin, "deep-element-added", G_CALLBACK(on_element), nullptr);
}

}  // namespace mosaic_gst
