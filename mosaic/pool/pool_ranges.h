// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "mosaic/pool/pool_data.h"

namespace mosaic {

/// Whether every feature, residual and sum of the tiles is one that some picture can have. Kernels
/// add and multiply them in as many bits as such numbers need. Pixels and luma may be any bytes.
bool is_in_range(const PoolData& pool);

}  // namespace mosaic
