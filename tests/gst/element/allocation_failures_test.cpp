// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Each allocation of the plugin fails once: an error, or nothing that is noticed, but no crash, no
/// hang and no exception in GStreamer's code.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "tests/gst/failing_malloc.h"
#include "tests/gst/harness.h"
#include "tests/sampling.h"

namespace {

using namespace element_test;

constexpr int kWidth = 96, kHeight = 64, kFrames = 10;
constexpr int64_t kMostAllocations = 20000;
constexpr int kTrials = 100;  // of a whole run, unless MOSAIC_EVERY_ALLOCATION is set

/// What became of an element: whether all frames could be sent, and whether there was an error on
/// the bus.
struct Life {
  int64_t allocations = 0;
  bool all_sent = true, error = false;
};

/// The life of an element after it was made, during which an allocation fails.
/// @param which see FailingMalloc
Life live(const std::string& photos, int lookahead, int64_t which) {
  Life life;
  Element element;
  const FailingMalloc failing(which);
  element.set("tile-location", photos.c_str(), "cache-location", "", "size", "6x4", "lookahead",
              static_cast<guint>(lookahead), "flow", 1, "n-threads", 2U, "silent", FALSE);
  life.all_sent = element.set_caps(video_caps("I420", kWidth, kHeight));
  for (int i = 0; i < kFrames && life.all_sent; ++i)
    life.all_sent = element.push(make_frame(video_info("I420", kWidth, kHeight), i)) == GST_FLOW_OK;
  gst_element_set_state(element.get(), GST_STATE_NULL);
  life.error = !element.pop_report(GST_MESSAGE_ERROR).text.empty();
  life.allocations = failing.allocations();
  return life;
}

class Allocations : public testing::TestWithParam<int> {};

TEST_P(Allocations, MayFail) {
  const TempFolder photos;
  write_photos(photos.path(), 4);
  live(photos.path(), GetParam(), INT64_MAX);  // what is allocated once in a process
  const Life whole = live(photos.path(), GetParam(), INT64_MAX);
  ASSERT_TRUE(whole.all_sent && !whole.error);
  const int64_t most = std::min(whole.allocations, kMostAllocations);
  ASSERT_GT(most, 100);
  const char* one = std::getenv("MOSAIC_FAILING_ALLOCATION");  // to repeat a single trial
  const int64_t step = std::getenv("MOSAIC_EVERY_ALLOCATION")
                           ? 1
                           : std::max<int64_t>(most / kTrials * sampling::step(6), 1);
  for (int64_t which = one ? std::atoll(one) : 0; which < most; which += step) {
    std::fprintf(stderr, "\rallocation %lld of %lld ", static_cast<long long>(which),
                 static_cast<long long>(most));
    const Life life = live(photos.path(), GetParam(), which);
    EXPECT_TRUE(life.all_sent || life.error) << "an end without an error";
    if (one) break;
  }
}

INSTANTIATE_TEST_SUITE_P(WithLookahead, Allocations, testing::Values(0, 2));

}  // namespace
