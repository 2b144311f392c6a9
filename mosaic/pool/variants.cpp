// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/pool/variants.h"

#include <algorithm>
#include <cstddef>

#include "kernels/math/tables.h"

namespace mosaic {
namespace {

void make_variant(const uint8_t* in, int side, mt::Variant variant, uint8_t* out) {
  const size_t size = size_t{3} * side * side;
  const mt::Tables& tables = mt::tables();
  switch (variant) {
    case mt::Variant::kPlain:
      std::copy_n(in, size, out);
      break;
    case mt::Variant::kMirrored:
      for (size_t row = 0; row < size; row += side)
        std::reverse_copy(in + row, in + row + side, out + row);
      break;
    case mt::Variant::kBrighter:
      for (size_t i = 0; i < size; ++i) out[i] = tables.brighter[in[i]];
      break;
    case mt::Variant::kDarker:
      for (size_t i = 0; i < size; ++i) out[i] = tables.darker[in[i]];
      break;
  }
}

}  // namespace

void make_variants(mt::Executor& executor, const mt::TileVariants& variants, int v,
                   const uint8_t* plain, int count, int side, uint8_t* out) {
  const size_t bytes = size_t{3} * side * side;
  executor.workers().run(count, 16, [&](int, int begin, int end) {
    for (int i = begin; i < end; ++i)
      make_variant(plain + i * bytes, side, variants.augmentation(v), out + i * bytes);
  });
  if (const mt::HueRotation* turn = variants.rotation(v))
    executor.launch(
        mt::RotateHue{
            .tables = executor.tables(), .rotation = *turn, .tiles = out, .area = side * side},
        count);
}

}  // namespace mosaic
