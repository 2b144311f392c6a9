// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/drawing/mixing.h"

#include <cmath>

#include "kernels/drawing/mix_rows.h"
#include "kernels/frame/resample.h"
#include "kernels/frame/unpack.h"

namespace mosaic {

int32_t mix_share(double mix) {
  if (mix >= 1) return mt::kWholeShare;
  return mix > 0 ? static_cast<int32_t>(std::lround(mix * mt::kWholeShare)) : 0;
}

Mixing::Mixing(const Grid& grid, const std::shared_ptr<mt::Executor>& executor)
    : grid_(grid),
      executor_(executor),
      mixed_(grid.out_width, grid.out_height, executor),
      scaled_(grid.scaled() ? Picture(grid.out_width, grid.out_height, executor) : Picture()) {}

mt::Planes Mixing::mix(const mt::Planes& source, const mt::Planes& mosaic, int32_t share) {
  mt::Planes from = source;
  if (grid_.scaled()) {
    from = scaled_.planes();
    executor_->launch(mt::Resample{source, from}, from.height);
  }
  const mt::Planes mixed = mixed_.planes();
  executor_->launch(mt::MixRows{.a = from, .b = mosaic, .mixed = mixed, .share = share},
                    mixed.height);
  return mixed;
}

mt::Planes Mixing::unpack(const mt::FrameView& in) {
  if (!unpacked_.planes().plane[0]) unpacked_ = Picture(grid_.in_width, grid_.in_height, executor_);
  const mt::Planes picture = unpacked_.planes();
  executor_->launch(mt::Unpack{in, picture, nullptr}, in.height);
  return picture;
}

}  // namespace mosaic
