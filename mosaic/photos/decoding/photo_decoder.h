// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "mosaic/base/descriptor.h"
#include "mosaic/photos/decoding/photo_decode.h"
#include "mosaic/photos/photo.h"

namespace mosaic {

/// The decoded photo that a mosaic is made of.
struct DecodedPicture {
  Descriptor pixels;  ///< a file in memory, read from its beginning: [height][width][3: R, G, B]
  int width = 0;
  int height = 0;
  PhotoFacts facts;
};

/// Decodes image files in processes of their own (the program mosaictemporal-decoder), so that a
/// hostile file can neither crash this process nor take more time or memory than decoder_protocol.h
/// allows, nor, if it gets a loader to run its code, reach files or the network (confinement.h). As
/// many processes are started as threads decode at the same time; they end with this object.
class PhotoDecoder {
 public:
  /// @param cancelled if it becomes true, decode() gives up; must outlive the decoder
  explicit PhotoDecoder(const std::atomic<bool>& cancelled);
  ~PhotoDecoder();
  PhotoDecoder(const PhotoDecoder&) = delete;
  PhotoDecoder& operator=(const PhotoDecoder&) = delete;

  /// The photo in a file; see decode_photo(). May be called from several threads at once.
  /// Throws Error: kRead, naming the file, if it cannot be read or decoded, costs too much, or the
  /// program cannot be started; kCancelled if `cancelled` becomes true.
  Photo decode(const std::string& path);

  /// Makes pictures of the photo in a file, which is decoded only as large as they need it.
  /// @return the size in which it was decoded
  /// Throws as decode() does.
  PhotoSize prepare(const std::string& path, const TilePictures& pictures);

  /// The same with the limits of the photo that a mosaic is made of (decoder_protocol.h).
  /// @param program mosaictemporal-decoder
  /// Throws Error as decode(); kFormat if no loader for the photo's format is installed.
  static DecodedPicture decode_picture(const std::string& path, const std::string& program);

 private:
  class Process;
  std::unique_ptr<Process> take();
  template <class Work>
  auto with_process(const Work& work);

  const std::atomic<bool>& cancelled_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Process>> idle_;  ///< guarded by mutex_
};

/// The path of the program mosaictemporal-decoder: what the environment variable
/// MOSAICTEMPORAL_DECODER names, or else next to the plugin, or else where it is installed.
/// @param plugin its path; empty: this library is a part of it
std::string photo_decoder_program(std::string plugin = {});

}  // namespace mosaic
