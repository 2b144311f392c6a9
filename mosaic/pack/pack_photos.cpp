// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/pack/pack_photos.h"

#include <strings.h>
#include <sys/mman.h>
#include <unistd.h>

#include <utility>

#include "mosaic/base/descriptor.h"
#include "mosaic/base/error.h"
#include "mosaic/base/regular_file.h"

namespace mosaic::pack {

PackPhotos::PackPhotos(const std::string& path, int side, const std::atomic<bool>& cancelled)
    : path_(path), pack_(path), side_(side), decoder_(cancelled) {}

std::string PackPhotos::name(int index) const {
  return path_ + "/" + pack_.name(index);
}

std::string PackPhotos::fingerprint(int index) const {
  // The pack's hash covers all its photos.
  return index == 0 ? pack_.hash().text() + ' ' + path_ : pack_.name(index);
}

Photo PackPhotos::decode_at(int index, int side) const {
  int level = 0;
  while (level + 1 < pack_.levels(index) && side_of(level) < side) ++level;
  std::vector<uint8_t> bytes = pack_.level(index, level);
  Photo photo = level >= kRawLevels ? decoded(index, bytes)
                                    : Photo{side_of(level), side_of(level), std::move(bytes)};
  photo.pixel = pack_.shape();
  return photo;
}

/// Decoded by another process, as all files of which nobody knows where they come from.
Photo PackPhotos::decoded(int index, const std::vector<uint8_t>& jpeg) const try {
  const Descriptor file(memfd_create("level", MFD_CLOEXEC));
  if (!write_all(file.get(), jpeg.data(), jpeg.size())) throw std::bad_alloc();
  return decoder_.decode("/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file.get()));
} catch (const Error& error) {
  if (error.kind() == Error::Kind::kCancelled) throw;
  throw Error(error.kind(), "photo '" + name(index) + "' cannot be decoded: " + error.what());
}

bool is_pack_name(const std::string& path) {
  constexpr std::string_view kExtension = ".mospack";
  return path.size() > kExtension.size() &&
         strcasecmp(path.c_str() + path.size() - kExtension.size(), kExtension.data()) == 0;
}

}  // namespace mosaic::pack
