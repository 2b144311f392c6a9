// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "executor/executor.h"
#include "kernels/drawing/hue.h"

namespace mosaic {

/// Makes a variant of photos, on the host.
/// @param executor whose kernels can read the memory of the host
/// @param v     the variant's number, below variants.count()
/// @param plain [count][3: R, G, B][side][side]
/// @param out   of the same size, written
void make_variants(mt::Executor& executor, const mt::TileVariants& variants, int v,
                   const uint8_t* plain, int count, int side, uint8_t* out);

}  // namespace mosaic
