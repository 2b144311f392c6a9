// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Files and pictures that the tests of photos need.
#pragma once

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace mosaic {

using Bytes = std::vector<uint8_t>;

/// A new temporary folder, removed with its content when destroyed.
class TempFolder {
 public:
  TempFolder() {
    std::string name = testing::TempDir() + "photos-XXXXXX";
    path_ = mkdtemp(name.data());
  }
  ~TempFolder() { std::filesystem::remove_all(path_); }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline void write_bytes(const std::string& path, const Bytes& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

inline Bytes read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

/// A picture encoded by gdk-pixbuf; pixel(x, y, c) gives 3 channels, or 4 with alpha.
template <class Pixel>
Bytes encode(const char* type, int width, int height, const Pixel& pixel, bool alpha = false) {
  GdkPixbuf* pixbuf = gdk_pixbuf_new(GDK_COLORSPACE_RGB, alpha, 8, width, height);
  const int channels = alpha ? 4 : 3;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < channels; ++c)
        gdk_pixbuf_get_pixels(pixbuf)[y * gdk_pixbuf_get_rowstride(pixbuf) + x * channels + c] =
            static_cast<uint8_t>(pixel(x, y, c));
  gchar* data = nullptr;
  gsize size = 0;
  GError* error = nullptr;
  if (!gdk_pixbuf_save_to_buffer(pixbuf, &data, &size, type, &error, nullptr)) {
    ADD_FAILURE() << type << ": " << error->message;
    g_error_free(error);
  }
  Bytes bytes(data, data + size);
  g_free(data);
  g_object_unref(pixbuf);
  return bytes;
}

/// Two frames of 2x2, the first red, green, blue, white, the second all white. Every pixel is
/// preceded by a clear code, so that codes stay 3 bits wide and nothing needs compressing.
inline Bytes animated_gif() {
  Bytes gif = {'G', 'I', 'F', '8', '9', 'a', 2, 0, 2,   0,   0x91, 0,  0,  // 4 colours
               255, 0,   0,   0,   255, 0,   0, 0, 255, 255, 255,  255};
  for (const auto& frame : {std::vector<int>{0, 1, 2, 3}, std::vector<int>{3, 3, 3, 3}}) {
    gif.insert(gif.end(), {0x2c, 0, 0, 0, 0, 2, 0, 2, 0, 0, 2});
    uint64_t bits = 0;
    int used = 0;
    for (int pixel : frame) {
      bits |= uint64_t{4} << used | uint64_t(pixel) << (used + 3);  // clear, pixel
      used += 6;
    }
    bits |= uint64_t{5} << used;  // end
    used += 3;
    gif.push_back(static_cast<uint8_t>((used + 7) / 8));
    for (int i = 0; i < used; i += 8) gif.push_back(static_cast<uint8_t>(bits >> i));
    gif.push_back(0);
  }
  gif.push_back(0x3b);
  return gif;
}

/// Noise, which lossless formats must keep exactly; its files are long enough to truncate.
inline int noise_pixel(uint32_t x, uint32_t y, uint32_t c) {
  return (x * 7919 + y * 104729 + c * 1299709) * 2654435761u >> 24;
}

}  // namespace mosaic
