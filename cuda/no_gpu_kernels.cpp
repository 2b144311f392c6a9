// SPDX-License-Identifier: LGPL-2.1-or-later
// In place of the embedded image and PTX in a build without CUDA.
#include "cuda/gpu_kernels.h"

namespace mt {

const unsigned char kGpuKernels[] = {0};
const size_t kGpuKernelsSize = 0;
const char kGpuPtx[] = "";

}  // namespace mt
