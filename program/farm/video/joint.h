// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <functional>
#include <vector>

#include "program/farm/job/job.h"
#include "program/farm/job/part_report.h"

namespace mosaic_program {

/// Mixes the frames of a joint and encodes them into its file, unless that was done.
/// @param reports of all parts
/// @param now_and_then may throw, to end it
/// Throws Failure, or TryAgain.
void make_joint(const Job& job, const JobFolder& folder, const Joint& joint, int number,
                const std::vector<PartReport>& reports, const std::function<void()>& now_and_then);

}  // namespace mosaic_program
