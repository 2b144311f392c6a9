// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/input/decoded_pixels.h"

#include <gst/gst.h>

#include <utility>

#include "mosaic/photos/decoding/photo_decoder.h"

namespace mosaic_program {

std::string decoder_program() {
  GstPlugin* plugin = gst_registry_find_plugin(gst_registry_get(), "mosaictemporal");
  const gchar* file = plugin ? gst_plugin_get_filename(plugin) : nullptr;
  const std::string program = mosaic::photo_decoder_program(file ? file : "");
  gst_clear_object(&plugin);
  return program;
}

void read_pixels(PipelineLine& line, int fd, Commands commands, const PictureSize& size) {
  const int row = 3 * size.width;
  line.read(fd, std::move(commands))
      .set("blocksize", 1 << 20)
      .link("rawvideoparse")
      .set("format", "rgb")
      .set("width", size.width)
      .set("height", size.height)
      .set("plane-offsets", "<0>")
      .set("plane-strides", "<" + std::to_string(row) + ">")
      .set("colorimetry", "sRGB");
}

}  // namespace mosaic_program
