// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "program/options/options.h"

namespace mosaic_program {

/// Writes one picture with a frame of the input, and with the mosaic of it in each of the element's
/// looks beside it, named. Throws Failure or WrongUsage.
void write_look_sheet(const Options& options);

}  // namespace mosaic_program
