// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The same as extremes_test.cpp, on a GPU.
#include "tests/gst/properties/extremes.h"

namespace element_test {

TEST_P(Extremes, OfPropertiesGiveAMosaicOnAGpu) {
  try_all("cuda");
}

}  // namespace element_test
