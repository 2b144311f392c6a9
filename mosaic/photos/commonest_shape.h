// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <atomic>
#include <optional>

#include "executor/worker_pool.h"
#include "mosaic/base/shape.h"
#include "mosaic/photos/photo.h"

namespace mosaic {

/// The shape that most photos are nearest to, of those that cameras make, upright or lying: 1:1,
/// 5:4, 4:3, 3:2, 16:9. Of many photos it looks at 48, evenly spread; those that cannot be decoded
/// are passed over. Of equally common ones the widest.
/// @param cancelled if it becomes true in any thread, the rest is not looked at
/// @return nullopt: no photo can be decoded
std::optional<Shape> commonest_shape(const PhotoSource& source, mt::WorkerPool& workers,
                                     const std::atomic<bool>& cancelled);

}  // namespace mosaic
