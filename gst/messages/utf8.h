// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <glib.h>

#include <string>

namespace mosaic_gst {

/// A text for a message on the bus, which must be UTF-8: each byte that is not becomes a
/// replacement character. The names of files may have any bytes.
inline std::string to_utf8(const std::string& text) {
  gchar* valid = g_utf8_make_valid(text.data(), static_cast<gssize>(text.size()));
  const std::string copy = valid;
  g_free(valid);
  return copy;
}

}  // namespace mosaic_gst
