// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/stream/stream_caps.h"

namespace mosaic_gst {
namespace {

/// Copies what a stream and its video have in common.
void copy_fields(const GstStructure* from, GstStructure* to) {
  for (const char* name : {"width", "height", "pixel-aspect-ratio", "framerate"})
    if (const GValue* value = gst_structure_get_value(from, name))
      gst_structure_set_value(to, name, value);
}

}  // namespace

bool is_stream_caps(const GstCaps* caps) {
  return gst_caps_get_size(caps) > 0 &&
         gst_structure_has_name(gst_caps_get_structure(caps, 0), kStreamType);
}

GstCaps* append_streams_of(GstCaps* caps, const GstCaps* video) {
  for (guint i = 0; i < gst_caps_get_size(video); ++i) {
    const GstStructure* from = gst_caps_get_structure(video, i);
    if (gst_structure_has_name(from, kStreamType)) continue;
    GstStructure* stream = gst_structure_from_string(kStreamCaps, nullptr);
    copy_fields(from, stream);
    caps = gst_caps_merge_structure(caps, stream);
  }
  return caps;
}

Owned<GstCaps> video_of_streams(const GstCaps* caps, const GstCaps* video) {
  GstCaps* result = gst_caps_new_empty();
  for (guint i = 0; i < gst_caps_get_size(caps); ++i) {
    const GstStructure* stream = gst_caps_get_structure(caps, i);
    if (!gst_structure_has_name(stream, kStreamType)) continue;
    GstCaps* possible = gst_caps_copy(video);
    for (guint k = 0; k < gst_caps_get_size(possible); ++k)
      copy_fields(stream, gst_caps_get_structure(possible, k));
    result = gst_caps_merge(result, possible);
  }
  return Owned<GstCaps>(result);
}

}  // namespace mosaic_gst
