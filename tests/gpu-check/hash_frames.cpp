// SPDX-License-Identifier: LGPL-2.1-or-later
// Prints a hash of each frame in a file of raw video as GStreamer's filesink writes it: of the
// visible bytes, because the padding of rows is undefined.
//
//     hash_frames FORMAT WIDTH HEIGHT FILE      FORMAT: NV12, I420, RGBA or BGR
#include <xxhash.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace {

struct Plane {
  size_t stride, rows;           ///< in the file, bytes and rows
  size_t visible, visible_rows;  ///< bytes and rows without padding
};

size_t up(size_t value, size_t step) {
  return (value + step - 1) / step * step;
}

/// GStreamer's default layout of a frame.
std::vector<Plane> planes_of(const std::string& format, size_t width, size_t height) {
  if (format == "RGBA") return {{width * 4, height, width * 4, height}};
  if (format == "BGR") return {{up(width * 3, 4), height, width * 3, height}};
  const size_t half_width = (width + 1) / 2, half_height = (height + 1) / 2;
  const Plane luma{up(width, 4), up(height, 2), width, height};
  if (format == "NV12") return {luma, {up(width, 4), half_height, half_width * 2, half_height}};
  const Plane chroma{up(half_width, 4), half_height, half_width, half_height};
  if (format == "I420") return {luma, chroma, chroma};
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "usage: hash_frames FORMAT WIDTH HEIGHT FILE\n";
    return 2;
  }
  const std::vector<Plane> planes =
      planes_of(argv[1], std::strtoul(argv[2], nullptr, 10), std::strtoul(argv[3], nullptr, 10));
  size_t bytes = 0;
  for (const Plane& p : planes) bytes += p.stride * p.rows;
  std::ifstream file(argv[4], std::ios::binary);
  std::vector<char> frame(bytes);
  int frames = 0;
  for (; bytes > 0 && file.read(frame.data(), static_cast<std::streamsize>(bytes)); ++frames) {
    XXH64_hash_t hash = 0;
    const char* plane = frame.data();
    for (const Plane& p : planes) {
      for (size_t y = 0; y < p.visible_rows; ++y)
        hash = XXH3_64bits_withSeed(plane + y * p.stride, p.visible, hash);
      plane += p.stride * p.rows;
    }
    std::printf("%016llx\n", static_cast<unsigned long long>(hash));
  }
  if (frames == 0 || file.gcount() != 0) {
    std::cerr << "hash_frames: " << argv[4] << " is not a whole number of such frames\n";
    return 1;
  }
}
