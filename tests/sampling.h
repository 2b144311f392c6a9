// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Tests that would take minutes run a sample of their cases. MOSAIC_SAMPLE_EVERY=N in the
/// environment makes the samples larger: at least one case in N. `./run test --full` runs all cases
/// of the suite `whole` (N is 1).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <vector>

namespace sampling {

/// The step from one case to the next.
/// @param every what a sample takes: one case in `every`
/// @param least the smallest step, whatever the environment asks for: for cases that another test
///              covers completely
inline std::size_t step(std::size_t every, std::size_t least = 1) {
  const char* wanted = std::getenv("MOSAIC_SAMPLE_EVERY");
  const std::size_t most = wanted ? std::strtoul(wanted, nullptr, 10) : every;
  return std::max<std::size_t>({std::min(every, most), least, 1});
}

/// The cases to run: the first one, and one in `every` after it.
template <class Case>
std::vector<Case> sample(const std::vector<Case>& cases, std::size_t every) {
  std::vector<Case> chosen;
  for (std::size_t i = 0; i < cases.size(); i += step(every)) chosen.push_back(cases[i]);
  return chosen;
}

}  // namespace sampling
