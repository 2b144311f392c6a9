// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "program/farm/job/job.h"
#include "program/farm/job/part_report.h"
#include "program/progress.h"

namespace mosaic_program {

/// Draws one part of a job, unless that was done. Other processes may make the same part at the
/// same time: all give the same bytes. Throws Failure, or TryAgain.
/// @param threads of the element; 0: one a core
PartReport make_part(const Job& job, const JobFolder& folder, int number, int threads,
                     Progress& progress);

}  // namespace mosaic_program
