// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>
#include <vector>

#include "program/farm/job/job.h"
#include "program/farm/job/part_report.h"
#include "program/options/options.h"
#include "program/progress.h"

namespace mosaic_program {

/// The reports of all parts of a job. Throws TryAgain, which names the parts that are missing.
std::vector<PartReport> reports_of(const Job& job, const JobFolder& folder);

/// The parts of a job that are not made.
std::vector<int> missing_parts(const Job& job, const JobFolder& folder);

/// Numbers that rise, as numbers and ranges: "3, 7-9".
std::string ranges_text(const std::vector<int>& numbers);

/// Makes a film of the parts of a job: mixes what several have drawn, and takes the sound,
/// subtitles, titles, chapters and the cover from the input.
/// @param output as for a mosaic that one process makes; `output`, `force`, `quiet` and `json` are
/// used
/// @return an exit status
/// Throws Failure, TryAgain or WrongUsage.
int join_job(const Job& job, const JobFolder& folder, const Options& output);

}  // namespace mosaic_program
