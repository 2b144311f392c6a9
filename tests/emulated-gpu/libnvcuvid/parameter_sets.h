// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <ffnvcodec/dynlink_cuda.h>
// After the types that it needs.
#include <ffnvcodec/dynlink_nvcuvid.h>

#include <string>

namespace emulated_nvdec {

/// Sequence and picture parameter sets (Annex B) that say the same as the parameters of a picture.
/// There is a picture parameter set for each number to which a slice refers. The sequence is of
/// frames, 4:2:0 with 8 bits, and its order of output is not of type 1, whose table the parameters
/// do not contain.
std::string h264_parameter_sets(const CUVIDPICPARAMS& picture);

}  // namespace emulated_nvdec
