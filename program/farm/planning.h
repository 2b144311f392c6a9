// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "program/farm/job/job.h"
#include "program/options/options.h"
#include "program/progress.h"

namespace mosaic_program {

/// Plans a film's mosaic: prepares the photos, finds the cuts, divides the film into parts and
/// writes all that into the job's folder. Throws Failure, TryAgain or WrongUsage.
/// @param options as for the mosaic itself; `output` is not used
/// @return no parts: it was interrupted, and nothing was written
Job plan_job(const Options& options, const JobFolder& folder, Progress& progress);

}  // namespace mosaic_program
