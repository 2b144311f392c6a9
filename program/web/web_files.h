// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mosaic/base/regular_file.h"
#include "mosaic/pack/pack_photos.h"
#include "program/web/tile_pages.h"

namespace mosaic_program {

/// The files of which a browser makes a moving mosaic: the page, the film and the photos. Any web
/// server can give them out. May be used from several threads at once.
class WebFiles {
 public:
  struct File {
    const char* type;            ///< MIME
    std::vector<uint8_t> bytes;  ///< unless it is the film
    bool is_film = false;        ///< see film()
    bool may_be_kept = false;    ///< by the browser: its content belongs to its name and the pack
  };

  /// Opens both. @param cancelled if it becomes true, get() gives up; must outlive this object
  /// Throws Failure: one cannot be read, or the film was made with another pack.
  WebFiles(const std::string& film, const std::string& pack, const std::atomic<bool>& cancelled);

  /// @param name without a slash in front; empty: the page
  /// @return nullopt: there is no such file
  /// Throws Error (kRead, kCancelled).
  std::optional<File> get(const std::string& name) const;

  /// The names of all files but the film, which is "film.mosaic".
  std::vector<std::string> names() const;

  const mosaic::RegularFile& film() const { return film_; }
  int photos() const { return photos_.count(); }

 private:
  std::string photos_json() const;
  std::optional<File> tile_page(const std::string& name) const;

  mosaic::RegularFile film_;
  mosaic::pack::PackPhotos photos_;
  TilePages pages_;
  std::string photos_json_;
};

}  // namespace mosaic_program
