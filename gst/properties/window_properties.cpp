// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/properties/property_table.h"

namespace mosaic_gst {

std::vector<Property> window_properties() {
  return {
      enumeration(
          {"window-preset", "Window preset",
           "How pictures of flow-size are cut into overlapping windows for flow=raft, which takes "
           "less memory, and how mosaic-temporal plan cuts long takes of a film. Values of the "
           "other window properties than -1 override it"},
          kPlaying, &Settings::window_preset, "GstMosaicTemporalWindowPreset",
          {{mosaic::WindowPreset::kDefault, "default", "Windows of 512 pixels and 64 frames"},
           {mosaic::WindowPreset::kSpatialOnly, "spatial-only",
            "Windows of 512 pixels, whole takes"},
           {mosaic::WindowPreset::kTemporalOnly, "temporal-only",
            "Whole pictures, windows of 64 frames"},
           {mosaic::WindowPreset::kAggressive, "aggressive", "Windows of 256 pixels and 32 frames"},
           {mosaic::WindowPreset::kConservative, "conservative",
            "Windows of 768 pixels and 96 frames"},
           {mosaic::WindowPreset::kAuto, "auto",
            "Windows of 512 pixels if a side is longer than that; of 960 frames in longer takes"}}),
      number(
          {"window-size", "Window size",
           "Width and height of windows, pixels: at least 64 and a multiple of 32, or 0 for whole "
           "pictures (-1 = as window-preset says)"},
          kPlaying, &Settings::window_size, -1, 16384),
      number({"window-overlap", "Window overlap",
              "Overlap of neighbouring windows, pixels: a multiple of 32 that is less than "
              "window-size (-1 = as window-preset says)"},
             kPlaying, &Settings::window_overlap, -1, 16384),
      number(
          {"window-frames", "Window frames",
           "For mosaic-temporal plan: a take that is longer is cut into parts of at most so many "
           "frames. At least 16 and a multiple of 8, or 0 for whole takes (-1 = as window-preset "
           "says)"},
          kPlaying, &Settings::window_frames, -1, 1 << 20),
      number({"window-frames-overlap", "Window frames overlap",
              "For mosaic-temporal plan: over how many frames two parts of one take are mixed. A "
              "multiple of 8 that is less than window-frames (-1 = as window-preset says)"},
             kPlaying, &Settings::window_frames_overlap, -1, 1 << 20),
      number(
          {"window-batch", "Window batch",
           "Windows that are worked on at once: more are faster on a GPU and take more memory. The "
           "result is the same"},
          kPlaying, &Settings::window_batch, 1, 1024)};
}

}  // namespace mosaic_gst
