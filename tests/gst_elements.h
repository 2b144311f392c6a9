// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <string>

namespace test {

/// Whether the installed GStreamer has an element.
inline bool has_element(const std::string& name) {
  GstElementFactory* factory = gst_element_factory_find(name.c_str());
  if (factory) gst_object_unref(factory);
  return factory != nullptr;
}

}  // namespace test
