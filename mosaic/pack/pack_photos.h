// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "mosaic/photos/photo.h"

namespace mosaic::pack {

/// Whether the name of a file ends in .mospack, in upper or lower case.
bool is_pack_name(const std::string& path);

/// The photos of a pack, which is opened and checked now: of each the smallest level whose side is
/// at least `side`, or its largest level.
/// @param side pixels
/// @param cancelled if it becomes true, decoding gives up; must outlive the source
/// Throws Error: kNotFound, kRead; PhotoSource::decode() also throws kRead if a photo in the pack
/// is damaged.
std::unique_ptr<PhotoSource> open_pack_photos(const std::string& path, int side,
                                              const std::atomic<bool>& cancelled);

}  // namespace mosaic::pack
