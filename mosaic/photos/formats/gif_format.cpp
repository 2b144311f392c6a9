// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photos/formats/gif_format.h"

#include <utility>

namespace mosaic {
namespace {

constexpr uint8_t kGraphicControl = 0xf9;  // label of the extension with the time of a frame

/// The end of the sub-blocks that begin at `at`: each is preceded by its length, and a length of 0
/// ends them.
size_t after_sub_blocks(FileBytes bytes, size_t at) {
  while (at < bytes.size() && bytes[at] != 0) at += size_t{1} + bytes[at];
  return at + 1;
}

/// The size in bytes of the table of colours that a byte of flags describes; 0: there is none.
size_t gif_table_bytes(uint8_t flags) {
  return flags & 0x80 ? size_t{3} << ((flags & 7) + 1) : 0;
}

/// The end of the extension that begins at `at`, as gdk-pixbuf's loader finds it: in graphic
/// control and application extensions it reads one sub-block, even an empty one, and then more up
/// to an empty one.
size_t after_extension(FileBytes bytes, size_t at) {
  const uint8_t label = bytes[at + 1];
  const bool control_or_application = label == kGraphicControl || label == 0xff;
  return after_sub_blocks(bytes, at + 2 + (control_or_application ? 1 + bytes[at + 2] : 0));
}

struct GifFrames {
  PhotoSize largest;
  bool within_edges = true;  ///< none is empty or reaches beyond the picture
  std::vector<int> delays;   ///< ms
};

/// A frame of a GIF may be larger than the picture, whose size the loader reports, and the loader
/// allocates memory for it.
GifFrames gif_frames(FileBytes bytes) {
  GifFrames frames;
  if (bytes.size() < 13) return frames;
  int delay = 0;  // of the next frame
  size_t at = 13 + gif_table_bytes(bytes[10]);
  while (at + 10 <= bytes.size() && bytes[at] != ';') {
    if (bytes[at] == '!') {
      if (bytes[at + 1] == kGraphicControl && bytes[at + 2] >= 4)
        delay = 10 * static_cast<int>(little_endian(bytes, at + 4, 2));
      at = after_extension(bytes, at);
    } else if (bytes[at] == ',') {
      const auto number = [&](size_t i) { return static_cast<int>(little_endian(bytes, i, 2)); };
      const PhotoSize frame{number(at + 5), number(at + 7)};
      const int right = number(at + 1) + frame.width, bottom = number(at + 3) + frame.height;
      frames.within_edges &= frame.pixels() > 0 && right <= number(6) && bottom <= number(8);
      if (frame.pixels() > frames.largest.pixels()) frames.largest = frame;
      frames.delays.push_back(shown_for(std::exchange(delay, 0)));
      at = after_sub_blocks(bytes, at + 11 + gif_table_bytes(bytes[at + 9]));
    } else {
      ++at;
    }
  }
  return frames;
}

PhotoSize gif_size(FileBytes bytes) {
  return gif_frames(bytes).largest;
}

bool gif_is_animated(FileBytes bytes) {
  return gif_frames(bytes).delays.size() > 1;
}

bool gif_is_within_edges(FileBytes bytes) {
  return gif_frames(bytes).within_edges;
}

std::vector<int> gif_delays(FileBytes bytes) {
  return gif_frames(bytes).delays;
}

}  // namespace

PhotoFormat gif_format() {
  return {.type = "image/gif",
          .size = gif_size,
          .is_animated = gif_is_animated,
          .delays = gif_delays,
          .is_within_edges = gif_is_within_edges};
}

}  // namespace mosaic
