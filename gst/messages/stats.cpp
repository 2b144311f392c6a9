// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/messages/stats.h"

namespace mosaic_gst {
namespace {

void set_times(GstStructure* structure, const mosaic::FrameStats& s) {
  gst_structure_set(structure, "ms", G_TYPE_DOUBLE, s.ms, "unpack", G_TYPE_DOUBLE, s.ms_unpack,
                    "scene", G_TYPE_DOUBLE, s.ms_scene, "analysis", G_TYPE_DOUBLE, s.ms_analysis,
                    "candidates", G_TYPE_DOUBLE, s.ms_candidates, "assignment", G_TYPE_DOUBLE,
                    s.ms_assignment, "drawing", G_TYPE_DOUBLE, s.ms_drawing, "finishing",
                    G_TYPE_DOUBLE, s.ms_finishing, "pack", G_TYPE_DOUBLE, s.ms_pack, nullptr);
}

void set_photos(GstStructure* structure, const mosaic::FrameStats& s) {
  gst_structure_set(structure, "photos-shown", G_TYPE_UINT, s.photos.shown, "most-uses",
                    G_TYPE_UINT, s.photos.most, "least-uses", G_TYPE_UINT, s.photos.least,
                    "never-shown", G_TYPE_UINT, s.photos.never, "photos-in-time", G_TYPE_UINT,
                    s.photos_in_time, "near-repeats", G_TYPE_UINT, s.photos.nearby, nullptr);
}

}  // namespace

GstStructure* make_stats_structure(const StreamStats& s) {
  GstStructure* structure = gst_structure_new(
      "mosaictemporal-stats", "frames", G_TYPE_UINT64, s.frames, "width", G_TYPE_INT, s.width,
      "height", G_TYPE_INT, s.height, "fps", G_TYPE_DOUBLE, s.fps, "cells", G_TYPE_UINT,
      s.last.cells, "tiles", G_TYPE_UINT, s.last.tiles, "changed", G_TYPE_UINT, s.last.changed,
      "region-cells", G_TYPE_UINT, s.last.region_cells, "cost", G_TYPE_DOUBLE, s.last.cost, "gap",
      G_TYPE_DOUBLE, s.last.gap, "extra", G_TYPE_DOUBLE, s.last.extra, "dropped", G_TYPE_UINT64,
      s.dropped, "repeated", G_TYPE_UINT64, s.repeated, "economy", G_TYPE_INT, s.economy, "skipped",
      G_TYPE_UINT, s.skipped, "device", G_TYPE_STRING, s.device, "active-codec", G_TYPE_STRING,
      s.codec ? s.codec->c_str() : nullptr, nullptr);
  set_photos(structure, s.last);
  set_times(structure, s.last);
  return structure;
}

GstMessage* make_stats_message(GstObject* source, guint64 frame, GstClockTime pts,
                               const mosaic::FrameStats& s) {
  GstStructure* structure = gst_structure_new(
      "mosaictemporal-stats", "frame", G_TYPE_UINT64, frame, "pts", GST_TYPE_CLOCK_TIME, pts,
      "cells", G_TYPE_UINT, s.cells, "tiles", G_TYPE_UINT, s.tiles, "changed", G_TYPE_UINT,
      s.changed, "unexplained", G_TYPE_UINT, s.unexplained, "repainted", G_TYPE_UINT, s.repainted,
      "region-cells", G_TYPE_UINT, s.region_cells, "keyframe", G_TYPE_BOOLEAN,
      static_cast<gboolean>(s.keyframe), "cost", G_TYPE_DOUBLE, s.cost, "gap", G_TYPE_DOUBLE, s.gap,
      "extra", G_TYPE_DOUBLE, s.extra, nullptr);
  set_photos(structure, s);
  set_times(structure, s);
  return gst_message_new_element(source, structure);
}

}  // namespace mosaic_gst
