// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "executor/worker_pool.h"
#include "mosaic/pack/pack_format.h"
#include "mosaic/photos/photo.h"
#include "mosaic/photos/photo_cut.h"

namespace mosaic::pack {

struct PackOptions {
  int largest = 512;  ///< side of the largest level, pixels: 64, or one of kJpegSides
  /// Folders in which the photos are, absolute, without a slash at the end. The name of a photo in
  /// the pack is its path in the innermost of these, with the folder's own name before it if there
  /// are several folders; or the name of its file if it is in none.
  std::vector<std::string> folders;
  PhotoCut cut = {};  ///< width and height of its shape at most 255
};

struct PackResult {
  int photos = 0;
  int kept = 0;     ///< of these, copied from an older pack, or written by an interrupted call
  int skipped = 0;  ///< photos that could not be read
  Hash hash;
};

/// Makes a pack of the photos of a source, in their order. A pack that is there already is replaced
/// when the new one is complete. Photos that it holds, or that an interrupted call has left in the
/// hidden file beside it, are not decoded again if name, fingerprint and `largest` are the same.
/// @param source is used in the threads of `workers`
/// @param warn receives the reason for every photo that is skipped; called in the calling thread
/// @param progress receives how many photos are done, of all, now and then; called in the calling
///        thread
/// @param cancelled may become true in any thread: then what was done is kept for the next call
/// Throws Error: kWrite if the pack cannot be written, or would replace a file that is no pack;
/// kRead if no photo can be read; kCancelled.
PackResult make_pack(const PhotoSource& source, const std::string& path, const PackOptions& options,
                     mt::WorkerPool& workers, const std::function<void(const std::string&)>& warn,
                     const std::function<void(int done, int total)>& progress,
                     const std::atomic<bool>& cancelled);

}  // namespace mosaic::pack
