// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "program/options.h"
#include "program/pipeline/plan.h"
#include "program/progress.h"
#include "program/running/result.h"

namespace mosaic_program {

/// Runs the pipeline to its end, or until Ctrl-C. What goes wrong after the first frame is in the
/// result, and the file is brought to its end. Throws Failure if it goes wrong before.
Result run(const Plan& plan, const Options& options, Progress& progress);

}  // namespace mosaic_program
