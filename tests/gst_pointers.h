// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Owning pointers to objects of GStreamer, for tests.
#pragma once

#include <gst/gst.h>

#include <memory>

namespace test {

struct Release {
  void operator()(GstBuffer* buffer) const { gst_buffer_unref(buffer); }
  void operator()(GstMessage* message) const { gst_message_unref(message); }
  void operator()(GstStructure* structure) const { gst_structure_free(structure); }
  void operator()(GstCaps* caps) const { gst_caps_unref(caps); }
  void operator()(GstElement* element) const { gst_object_unref(element); }
};
using Buffer = std::unique_ptr<GstBuffer, Release>;
using Message = std::unique_ptr<GstMessage, Release>;
using Structure = std::unique_ptr<GstStructure, Release>;
using Caps = std::unique_ptr<GstCaps, Release>;
using ElementPtr = std::unique_ptr<GstElement, Release>;

}  // namespace test
