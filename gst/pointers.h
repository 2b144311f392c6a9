// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Smart pointers to what GLib and GStreamer allocate. They own one reference or the memory, and
/// give it back.
#pragma once

#include <gst/gst.h>
#include <gst/video/video.h>

#include <memory>

namespace mosaic_gst {

/// Gives one reference, or the memory, back. A type that is not here does not compile.
struct GiveBack {
  void operator()(gchar* text) const { g_free(text); }
  void operator()(gchar** texts) const { g_strfreev(texts); }
  void operator()(GError* error) const { g_error_free(error); }
  void operator()(GBytes* bytes) const { g_bytes_unref(bytes); }
  void operator()(GObject* object) const { g_object_unref(object); }
  void operator()(GstAllocator* allocator) const { gst_object_unref(allocator); }
  void operator()(GstBuffer* buffer) const { gst_buffer_unref(buffer); }
  void operator()(GstBufferPool* pool) const { gst_object_unref(pool); }
  void operator()(GstBus* bus) const { gst_object_unref(bus); }
  void operator()(GstCaps* caps) const { gst_caps_unref(caps); }
  void operator()(GstClock* clock) const { gst_object_unref(clock); }
  void operator()(GstElement* element) const { gst_object_unref(element); }
  void operator()(GstElementFactory* factory) const { gst_object_unref(factory); }
  void operator()(GstEvent* event) const { gst_event_unref(event); }
  void operator()(GstIterator* iterator) const { gst_iterator_free(iterator); }
  void operator()(GstMessage* message) const { gst_message_unref(message); }
  void operator()(GstObject* object) const { gst_object_unref(object); }
  void operator()(GstPad* pad) const { gst_object_unref(pad); }
  void operator()(GstQuery* query) const { gst_query_unref(query); }
  void operator()(GstSample* sample) const { gst_sample_unref(sample); }
  void operator()(GstStructure* structure) const { gst_structure_free(structure); }
  void operator()(GstVideoConverter* converter) const { gst_video_converter_free(converter); }
};

/// Owned<GstBuffer> owns a reference to a buffer, Owned<gchar> the memory of a text.
template <class T>
using Owned = std::unique_ptr<T, GiveBack>;

}  // namespace mosaic_gst
