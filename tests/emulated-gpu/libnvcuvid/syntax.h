// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <ffnvcodec/dynlink_cuda.h>
// After the types that it needs.
#include <ffnvcodec/dynlink_nvcuvid.h>

#include <memory>
#include <string>

namespace emulated_nvdec {

/// What a decoder reads from the parameters of a picture, in one format of coded video.
class Syntax {
 public:
  virtual ~Syntax() = default;

  struct Size {
    int width, height;
  };
  /// The coded size, in samples.
  virtual Size size(const CUVIDPICPARAMS& picture) const = 0;
  virtual bool is_supported(const CUVIDPICPARAMS& picture) const = 0;
  /// Whether this picture and those after it use none of the pictures before it. To be called for
  /// each picture in turn.
  virtual bool restarts(const CUVIDPICPARAMS& picture) = 0;
  /// Parameter sets (Annex B) that say the same as the parameters of a supported picture, for the
  /// numbers to which its slices refer. Frames are not cropped.
  virtual std::string parameter_sets(const CUVIDPICPARAMS& picture) const = 0;
};

std::unique_ptr<Syntax> h264_syntax();
std::unique_ptr<Syntax> hevc_syntax();

}  // namespace emulated_nvdec
