// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/pack/jpeg_file.h"

#include <gdk-pixbuf/gdk-pixbuf.h>

#include <string>

#include "mosaic/base/error.h"

namespace mosaic::pack {

std::vector<uint8_t> jpeg_file(const Photo& photo, int quality) {
  GdkPixbuf* pixbuf =
      gdk_pixbuf_new_from_data(photo.rgb.data(), GDK_COLORSPACE_RGB, FALSE, 8, photo.width,
                               photo.height, 3 * photo.width, nullptr, nullptr);
  gchar* data = nullptr;
  gsize size = 0;
  GError* error = nullptr;
  gdk_pixbuf_save_to_buffer(pixbuf, &data, &size, "jpeg", &error, "quality",
                            std::to_string(quality).c_str(), nullptr);
  g_object_unref(pixbuf);
  if (error) {
    const Error failed(Error::Kind::kRead, error->message);
    g_error_free(error);
    throw failed;
  }
  std::vector<uint8_t> bytes(data, data + size);
  g_free(data);
  return bytes;
}

}  // namespace mosaic::pack
