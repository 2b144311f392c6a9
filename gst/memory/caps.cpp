// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/memory/caps.h"

#include <gst/video/video.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "gst/memory/gpu.h"
#include "gst/pointers.h"

namespace mosaic_gst {
namespace {

constexpr int kLargestSide = 16384;
constexpr char kGpuMemory[] = "memory:CUDAMemory";
constexpr char kGpuVideo[] = "video/x-raw(memory:CUDAMemory)";
constexpr char kGpuFormats[] = "NV12, I420, RGBA, BGRA, RGB, BGR, RGBP, BGRP, GBR";
constexpr char kOtherFormats[] = "RGBx, BGRx, ARGB, xRGB, Y444, YV12, YUY2, UYVY, GRAY8";
/// Last, so that nobody gets more than 8 bits who did not ask for them.
constexpr char kDeepFormats[] = "P010_10LE, P016_LE, I420_10LE";
constexpr char kOpaqueFormats[] =
    "I420, NV12, RGB, BGR, RGBP, BGRP, GBR, RGBx, BGRx, xRGB, Y444, YV12, YUY2, UYVY, GRAY8";
constexpr char kOpaqueGpuFormats[] = "NV12, I420, RGB, BGR, RGBP, BGRP, GBR";
constexpr const char* kOtherDeepFormats =
    G_BYTE_ORDER == G_LITTLE_ENDIAN ? "ARGB64_LE, ARGB64" : "ARGB64_LE";

std::string join(std::initializer_list<std::string_view> parts, std::string_view separator) {
  std::string text;
  for (const std::string_view part : parts) {
    if (!text.empty()) text += separator;
    text += part;
  }
  return text;
}

std::string make_caps(const std::string& type, const std::string& formats) {
  return type + ", format = (string) { " + formats +
         " }, width = (int) [ 1, 16384 ], height = (int) [ 1, 16384 ], "
         "framerate = (fraction) [ 0/1, 2147483647/1 ]";
}

/// Restricts interlace-mode to progressive.
/// @return false: the structure does not allow that
bool make_progressive(GstStructure* structure) {
  const GValue* mode = gst_structure_get_value(structure, "interlace-mode");
  if (!mode) return true;
  GValue progressive = G_VALUE_INIT;
  g_value_init(&progressive, G_TYPE_STRING);
  g_value_set_static_string(&progressive, "progressive");
  const bool possible = gst_value_intersect(nullptr, mode, &progressive);
  if (possible) gst_structure_set_value(structure, "interlace-mode", &progressive);
  g_value_unset(&progressive);
  return possible;
}

int scaled(int side, int numerator, int denominator) {
  const guint64 value = gst_util_uint64_scale_int_round(side, numerator, denominator);
  return CLAMP(static_cast<int>(MIN(value, guint64{kLargestSide})), 1, kLargestSide);
}

}  // namespace

GstCaps* make_template_caps() {
  std::string caps = make_caps(
      "video/x-raw", join({kGpuFormats, kOtherFormats, kDeepFormats, kOtherDeepFormats}, ", "));
  if (Gpu::built_in())
    caps = join({make_caps(kGpuVideo, join({kGpuFormats, kDeepFormats}, ", ")), caps}, "; ");
  return gst_caps_from_string(caps.c_str());
}

GstCaps* make_opaque_caps() {
  std::string caps = make_caps("video/x-raw", join({kOpaqueFormats, kDeepFormats}, ", "));
  if (Gpu::built_in())
    caps = join({caps, make_caps(kGpuVideo, join({kOpaqueGpuFormats, kDeepFormats}, ", "))}, "; ");
  return gst_caps_from_string(caps.c_str());
}

bool is_gpu_caps(const GstCaps* caps) {
  return gst_caps_features_contains(gst_caps_get_features(caps, 0), kGpuMemory);
}

bool may_be_progressive(const GstCaps* caps) {
  for (guint i = 0; i < gst_caps_get_size(caps); ++i) {
    const Owned<GstStructure> structure(gst_structure_copy(gst_caps_get_structure(caps, i)));
    if (make_progressive(structure.get())) return true;
  }
  return false;
}

GstCaps* with_any_size(const GstCaps* caps) {
  GstCaps* result = gst_caps_new_empty();
  for (guint i = 0; i < gst_caps_get_size(caps); ++i) {
    Owned<GstStructure> structure(gst_structure_copy(gst_caps_get_structure(caps, i)));
    if (!make_progressive(structure.get())) continue;
    gst_structure_set(structure.get(), "width", GST_TYPE_INT_RANGE, 1, kLargestSide, "height",
                      GST_TYPE_INT_RANGE, 1, kLargestSide, nullptr);
    GstCapsFeatures* features = gst_caps_features_copy(gst_caps_get_features(caps, i));
    result = gst_caps_merge_structure_full(result, structure.release(), features);
  }
  return result;
}

GstCaps* fixate_size(const GstCaps* caps, GstCaps* other) {
  other = gst_caps_truncate(gst_caps_make_writable(other));
  GstStructure* structure = gst_caps_get_structure(other, 0);
  const GstStructure* given = gst_caps_get_structure(caps, 0);
  int width = 0, height = 0;
  if (gst_structure_get_int(given, "width", &width) &&
      gst_structure_get_int(given, "height", &height)) {
    int w = 0, h = 0;
    const bool has_w = gst_structure_get_int(structure, "width", &w);
    const bool has_h = gst_structure_get_int(structure, "height", &h);
    if (!has_w)
      gst_structure_fixate_field_nearest_int(structure, "width",
                                             has_h ? scaled(width, h, height) : width);
    if (!has_h) {
      gst_structure_get_int(structure, "width", &w);
      gst_structure_fixate_field_nearest_int(structure, "height",
                                             has_w ? scaled(height, w, width) : height);
    }
  }
  return gst_caps_fixate(other);
}

}  // namespace mosaic_gst
