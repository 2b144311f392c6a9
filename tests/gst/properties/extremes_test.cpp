// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Every property at the ends of its range, with every placement and solver. Nothing may fail;
/// sanitizers report bad memory accesses.
#include "tests/gst/properties/extremes.h"

namespace element_test {

TEST_P(Extremes, OfPropertiesGiveAMosaicOnTheCpu) {
  try_all("cpu");
}

}  // namespace element_test
