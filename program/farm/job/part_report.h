// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "program/farm/job/job.h"

namespace mosaic_program {

/// What a part of a job says of itself when it is whole. It is written last.
struct PartReport {
  int part = 0;
  std::string job;                ///< Job::id
  int64_t frames = 0;             ///< of its own, encoded
  int64_t stored = 0;             ///< frames that are to be mixed
  double seconds = 0;             ///< that it took
  std::string md5;                ///< of its own frames as a decoder gives them; empty: it has none
  std::string caps;               ///< of what the encoder got
  int64_t delay = 0;              ///< frames by which the encoder reorders, at most
  std::string hash, stored_hash;  ///< of the files

  /// One line of JSON.
  std::string text() const;
};

/// The report of a part that is whole; nullopt: it is not made, or was made for another plan.
std::optional<PartReport> report_of(const Job& job, const JobFolder& folder, int part);

/// Throws TryAgain.
void save_report(const PartReport& report, const JobFolder& folder);

}  // namespace mosaic_program
