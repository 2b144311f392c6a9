// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The same as flow_test.cpp, on a GPU.
#include "tests/gst/properties/flow.h"

namespace element_test {

TEST_F(FlowRaft, GivesTheSameBytesOnAGpu) {
  EXPECT_EQ(draw({.device = "cpu"}), draw({.device = "cuda"}));
}

}  // namespace element_test
