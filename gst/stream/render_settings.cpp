// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/stream/render_settings.h"

namespace mosaic_gst {
namespace {

enum PropertyId {
  kPackLocation = 1,
  kCropX,
  kCropY,
  kCropWidth,
  kCropHeight,
  kThreads,
};

double RenderSettings::*crop_of(guint id) {
  switch (id) {
    case kCropX:
      return &RenderSettings::crop_x;
    case kCropY:
      return &RenderSettings::crop_y;
    case kCropWidth:
      return &RenderSettings::crop_width;
    case kCropHeight:
      return &RenderSettings::crop_height;
    default:
      return nullptr;
  }
}

GParamSpec* crop_spec(const char* name, const char* nick, const char* blurb, double least,
                      double initial) {
  return g_param_spec_double(
      name, nick, blurb, least, 1, initial,
      static_cast<GParamFlags>(G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_CONTROLLABLE |
                               GST_PARAM_MUTABLE_PLAYING));
}

}  // namespace

bool set_render_property(RenderSettings& settings, guint id, const GValue* value) {
  if (double RenderSettings::*crop = crop_of(id)) {
    settings.*crop = g_value_get_double(value);
  } else if (id == kPackLocation) {
    const gchar* text = g_value_get_string(value);
    settings.pack_location = text ? text : "";
  } else if (id == kThreads) {
    settings.n_threads = g_value_get_uint(value);
  } else {
    return false;
  }
  return true;
}

bool get_render_property(const RenderSettings& settings, guint id, GValue* value) {
  if (double RenderSettings::*crop = crop_of(id))
    g_value_set_double(value, settings.*crop);
  else if (id == kPackLocation)
    g_value_set_string(value, settings.pack_location.c_str());
  else if (id == kThreads)
    g_value_set_uint(value, settings.n_threads);
  else
    return false;
  return true;
}

void install_render_properties(GObjectClass* object_class) {
  constexpr auto kReady = static_cast<GParamFlags>(G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
                                                   GST_PARAM_MUTABLE_READY);
  g_object_class_install_property(
      object_class, kPackLocation,
      g_param_spec_string("pack-location", "Pack location",
                          "The pack (.mospack) with which the mosaic was made", nullptr, kReady));
  g_object_class_install_property(
      object_class, kCropX,
      crop_spec("crop-x", "Crop x", "Left edge of the part that is shown, as a share of the width",
                0, 0));
  g_object_class_install_property(
      object_class, kCropY,
      crop_spec("crop-y", "Crop y",
                "Upper edge of the part that is shown, as a share of the height", 0, 0));
  g_object_class_install_property(
      object_class, kCropWidth,
      crop_spec("crop-width", "Crop width",
                "Width of the part that is shown, as a share of the width", 1e-4, 1));
  g_object_class_install_property(
      object_class, kCropHeight,
      crop_spec("crop-height", "Crop height",
                "Height of the part that is shown, as a share of the height", 1e-4, 1));
  g_object_class_install_property(
      object_class, kThreads,
      g_param_spec_uint("n-threads", "Threads",
                        "Number of CPU threads, which does not affect the picture (0 = one for "
                        "each core)",
                        0, 1024, 0, kReady));
}

}  // namespace mosaic_gst
