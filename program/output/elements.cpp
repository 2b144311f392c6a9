// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/output/elements.h"

#include <gst/gst.h>

#include <algorithm>

#include "gst/pointers.h"
#include "program/failure.h"

namespace mosaic_program {

bool have_element(const std::string& name) {
  return mosaic_gst::Owned<GstElementFactory>(gst_element_factory_find(name.c_str())) != nullptr;
}

std::string first_of(const std::vector<std::string>& elements, const std::string& what) {
  const auto found = std::find_if(elements.begin(), elements.end(), have_element);
  if (found != elements.end()) return *found;
  std::string names;
  for (const std::string& name : elements) names += (names.empty() ? "" : ", ") + name;
  throw Failure("GStreamer has no encoder for " + what + " (install one of " + names + ")");
}

}  // namespace mosaic_program
