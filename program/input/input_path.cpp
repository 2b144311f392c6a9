// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/input/input_path.h"

#include <gst/gst.h>
#include <unistd.h>

#include "gst/pointers.h"

namespace mosaic_program {

std::string input_path(const std::string& input) {
  const bool exists = access(input.c_str(), F_OK) == 0;
  if (exists || !gst_uri_is_valid(input.c_str())) return input;
  const mosaic_gst::Owned<gchar> path(g_filename_from_uri(input.c_str(), nullptr, nullptr));
  return path ? path.get() : "";
}

}  // namespace mosaic_program
