// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/engine/intermediate.h"

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <gio/gio.h>
#include <glib/gstdio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <memory>
#include <new>

#include "mosaic/base/error.h"

namespace mosaic {
namespace {

struct Unref {
  void operator()(gpointer object) const { g_object_unref(object); }
};
using Pixbuf = std::unique_ptr<GdkPixbuf, Unref>;

struct Stage {
  const char* name;
  Pixbuf picture;
  std::string error = {};  ///< why it could not be written
  bool cancelled = false;  ///< that is why
};

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw Error(Error::Kind::kWrite, "cannot write '" + path + "': " + why,
              "set intermediate-location to a writable folder with room for four pictures a "
              "frame, or keep-intermediate to false");
}

Pixbuf make_picture(int width, int height) {
  Pixbuf picture(gdk_pixbuf_new(GDK_COLORSPACE_RGB, FALSE, 8, width, height));
  if (!picture) throw std::bad_alloc();
  return picture;
}

/// Row y of a picture of 3 bytes a pixel.
uint8_t* row_of(const Pixbuf& picture, int y) {
  return gdk_pixbuf_get_pixels(picture.get()) +
         static_cast<size_t>(y) * gdk_pixbuf_get_rowstride(picture.get());
}

/// Copies a picture from the executor's memory to the host.
Pixbuf fetch(mt::Executor& executor, const mt::Planes& planes) {
  const size_t plane_bytes = static_cast<size_t>(planes.stride) * planes.height;
  std::vector<uint8_t> host(3 * plane_bytes);
  for (int c = 0; c < 3; ++c)
    executor.to_host(&host[c * plane_bytes], planes.plane[c], plane_bytes);
  executor.wait();
  Pixbuf picture = make_picture(planes.width, planes.height);
  for (int y = 0; y < planes.height; ++y) {
    executor.cancellation().check();
    const uint8_t* in = &host[static_cast<size_t>(y) * planes.stride];
    uint8_t* out = row_of(picture, y);
    for (int x = 0; x < planes.width; ++x)
      for (int c = 0; c < 3; ++c) *out++ = in[c * plane_bytes + x];
  }
  return picture;
}

/// Draws the cells at the size of the output, each as bright as its saliency.
Pixbuf draw_saliency(const Grid& grid, const Saliency& saliency) {
  constexpr double kMeanGrey = 128;
  Pixbuf picture = make_picture(grid.out_width, grid.out_height);
  for (int cell = 0; cell < grid.cells(); ++cell) {
    const int column = cell % grid.columns, row = cell / grid.columns;
    const int left = std::max(grid.out_x(column), 0), top = std::max(grid.out_y(row), 0);
    const int right = std::min(grid.out_x(column + 1), grid.out_width);
    const int bottom = std::min(grid.out_y(row + 1), grid.out_height);
    const double grey = std::round(saliency.weight(cell) * kMeanGrey);
    for (int y = top; y < bottom; ++y)
      std::fill(row_of(picture, y) + 3 * left, row_of(picture, y) + 3 * right,
                static_cast<uint8_t>(std::clamp(grey, 0.0, 255.0)));
  }
  return picture;
}

std::string take(GError* error) {
  std::string text = error->message;
  g_error_free(error);
  return text;
}

/// A PNG file in memory, and what ends its compression early.
struct PngWriter {
  const mt::Cancellation& cancellation;
  std::string data = {};
  bool cancelled = false;

  static gboolean append(const gchar* part, gsize size, GError** error, gpointer to) {
    auto& writer = *static_cast<PngWriter*>(to);
    if (writer.cancellation.requested()) {
      writer.cancelled = true;
      g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled");
      return FALSE;
    }
    writer.data.append(part, size);
    return TRUE;
  }
};

/// Writes a picture as a new file that takes the place of whatever has its name: a symbolic link is
/// not followed, and a FIFO not opened. Returns why it could not be written; empty: it was. Then no
/// part of it remains.
std::string write_png(const Pixbuf& picture, const std::string& path, const char* compression,
                      PngWriter& writer) {
  GError* error = nullptr;
  if (!gdk_pixbuf_save_to_callback(picture.get(), &PngWriter::append, &writer, "png", &error,
                                   "compression", compression, nullptr))
    return take(error);
  if (!g_file_set_contents_full(path.c_str(), writer.data.data(),
                                static_cast<gssize>(writer.data.size()),
                                G_FILE_SET_CONTENTS_CONSISTENT, 0666, &error))
    return take(error);
  return {};
}

std::string path_of(const std::string& folder, uint64_t frame, const char* stage) {
  char name[64];
  std::snprintf(name, sizeof name, "/frame-%06llu-%s.png", static_cast<unsigned long long>(frame),
                stage);
  return folder + name;
}

}  // namespace

void write_intermediate(mt::Executor& executor, const Stages& stages, uint64_t frame,
                        const IntermediateFiles& files) {
  std::array<Stage, 4> all = {
      Stage{"source", fetch(executor, stages.source)},
      Stage{"saliency", draw_saliency(stages.grid, stages.saliency)},
      Stage{"tiles", fetch(executor, stages.tiles)},
      Stage{"finished", fetch(executor, stages.finished)},
  };
  if (g_mkdir_with_parents(files.folder.c_str(), 0777) != 0) fail(files.folder, g_strerror(errno));
  const std::string compression = std::to_string(files.compression);
  executor.workers().run(static_cast<int>(all.size()), 1, [&](int, int begin, int end) {
    for (int i = begin; i < end; ++i) {
      PngWriter writer{executor.cancellation()};
      all[i].error = write_png(all[i].picture, path_of(files.folder, frame, all[i].name),
                               compression.c_str(), writer);
      all[i].cancelled = writer.cancelled;
    }
  });
  for (const Stage& stage : all)
    if (stage.cancelled) throw mt::Cancelled();
  for (const Stage& stage : all)
    if (!stage.error.empty()) fail(path_of(files.folder, frame, stage.name), stage.error);
}

}  // namespace mosaic
