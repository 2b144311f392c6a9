// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cuda/run/host_distances.h"

#include "cuda/run/cpu_kernels.h"

namespace mt {

void feature_distances(const FineFeatures& cell, const FineFeatures& tiles, int n, int32_t* out) {
  static const CpuBuild& best = cpu_build(best_simd_level());
  best.feature_distances(cell, tiles, n, out);
}

}  // namespace mt
