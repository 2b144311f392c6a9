// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/extension.h"

#include <glib.h>

namespace mosaic_program {

std::string extension_of(const std::string& file) {
  const size_t dot = file.rfind('.');
  if (dot == file.npos || file.find('/', dot) != file.npos) return {};
  gchar* lower = g_ascii_strdown(file.c_str() + dot + 1, -1);
  const std::string end = lower;
  g_free(lower);
  return end;
}

}  // namespace mosaic_program
