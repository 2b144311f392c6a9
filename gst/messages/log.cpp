// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/messages/log.h"

#include <array>

namespace mosaic_gst {
namespace {

constexpr guint kNoColour = 0;

GstDebugCategory* add(const char* name, const char* description) {
  GstDebugCategory* category = nullptr;
  GST_DEBUG_CATEGORY_INIT(category, name, kNoColour, description);
  return category;
}

/// In the order of LogPart.
std::array<GstDebugCategory*, 6> register_all() {
  return {
      add("mosaictemporal", "photomosaic element: caps, events and frames"),
      add("mosaictemporal-base", "photomosaic element: delayed frames, buffer pools, allocation"),
      add("mosaictemporal-memory", "photomosaic element: frames in system and CUDA memory"),
      add("mosaictemporal-drawing", "photomosaic element: grid of cells, CPU or GPU"),
      add("mosaictemporal-pool", "photomosaic element: loading photos and preparing tiles"),
      add("mosaictemporal-properties", "photomosaic element: properties that are set")};
}

}  // namespace

GstDebugCategory* log_category(LogPart part) {
  static const auto categories = register_all();
  return categories[static_cast<size_t>(part)];
}

}  // namespace mosaic_gst
