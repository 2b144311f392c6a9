// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <glib.h>

#include <string>

#include "gst/pointers.h"

namespace mosaic_gst {

/// A text for a message on the bus, which must be UTF-8: each byte that is not becomes a
/// replacement character. The names of files may have any bytes.
inline std::string to_utf8(const std::string& text) {
  const Owned<gchar> valid(g_utf8_make_valid(text.data(), static_cast<gssize>(text.size())));
  return valid.get();
}

}  // namespace mosaic_gst
