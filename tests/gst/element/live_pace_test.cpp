// SPDX-License-Identifier: LGPL-2.1-or-later
// Which frames of a live stream are drawn on a machine that is too slow, in a simulation.
#include "gst/element/live_pace.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "mosaic/engine/economy.h"

namespace {

using mosaic_gst::LivePace;
using Decision = LivePace::Decision;

constexpr GstClockTime kFrame = 33 * GST_MSECOND;
constexpr GstClockTime kRepeatTime = GST_MSECOND;

struct Counts {
  int drawn = 0, repeated = 0, dropped = 0;
  int late = 0;  ///< sent after they were due
};

/// A live stream whose frames arrive at their running time, with a queue before the sink, so that
/// drawing waits for nothing.
class Stream {
 public:
  explicit Stream(GstClockTime latency) : latency_(latency) {
    pace.start(kFrame);
    pace.enable(true);
    pace.set_pipeline_latency(latency);
    pace.sink_reported();
  }

  /// @param draw_time of frames without economy; each economy saves a fifth of it
  Counts run(int frames, GstClockTime draw_time) {
    Counts counts;
    for (int i = 0; i < frames; ++i, ++frame_) {
      const GstClockTime wanted = frame_ * kFrame;
      now_ = std::max(now_, wanted);
      const Decision decision = pace.decide(now_, wanted);
      if (decision == Decision::kDraw) {
        GstClockTime took = draw_time;
        for (int e = 0; e < pace.economy(); ++e) took = took * 4 / 5;
        now_ += took;
        ++counts.drawn;
        if (pace.drawn(took) && follows_latency)
          pace.set_pipeline_latency(latency_ = pace.latency());
      } else if (decision == Decision::kRepeat) {
        now_ += kRepeatTime;
        ++counts.repeated;
      } else {
        ++counts.dropped;
      }
      if (decision != Decision::kDrop) counts.late += now_ > wanted + latency_;
    }
    return counts;
  }

  LivePace pace;
  bool follows_latency = true;  ///< whether the application distributes a new latency

 private:
  GstClockTime latency_, now_ = 0;
  guint64 frame_ = 0;
};

TEST(LivePace, DrawsEveryFrameThatIsInTime) {
  Stream stream(kFrame);
  const Counts counts = stream.run(300, 20 * GST_MSECOND);
  EXPECT_EQ(counts.drawn, 300);
  EXPECT_EQ(counts.late, 0);
  EXPECT_EQ(stream.pace.economy(), 0);
  EXPECT_EQ(stream.pace.latency(), kFrame);
}

TEST(LivePace, SavesWorkUntilEveryFrameIsDrawn) {
  Stream stream(kFrame);
  stream.run(300, 45 * GST_MSECOND);
  const Counts counts = stream.run(300, 45 * GST_MSECOND);
  EXPECT_EQ(counts.drawn, 300);
  EXPECT_EQ(counts.late, 0);
  EXPECT_GT(stream.pace.economy(), 0);
  EXPECT_LT(stream.pace.economy(), mosaic::kMostEconomy);
}

TEST(LivePace, TakesTheWorkUpAgain) {
  Stream stream(kFrame);
  stream.run(300, 60 * GST_MSECOND);
  EXPECT_GT(stream.pace.economy(), 1);
  stream.run(900, 15 * GST_MSECOND);
  EXPECT_EQ(stream.pace.economy(), 0);
}

// Between the two limits nothing changes, however long the stream.
TEST(LivePace, DoesNotSwing) {
  Stream stream(kFrame);
  stream.run(600, 45 * GST_MSECOND);
  const int economy = stream.pace.economy();
  for (int i = 0; i < 100; ++i) {
    stream.run(30, 45 * GST_MSECOND);
    ASSERT_EQ(stream.pace.economy(), economy);
  }
}

TEST(LivePace, RepeatsPicturesWhereNoEconomyIsEnough) {
  Stream stream(kFrame);
  stream.run(300, 250 * GST_MSECOND);
  const GstClockTime took = 250 * GST_MSECOND * 1024 / 3125;  // five economies
  const Counts counts = stream.run(300, 250 * GST_MSECOND);
  EXPECT_EQ(stream.pace.economy(), mosaic::kMostEconomy);
  EXPECT_EQ(counts.late, 0);
  EXPECT_EQ(counts.dropped, 0);
  EXPECT_GT(counts.drawn, static_cast<int>(300 * kFrame / took * 9 / 10));
  EXPECT_EQ(counts.drawn + counts.repeated, 300);
}

// If the application ignores changes of the latency, drawn frames are late, but the next ones,
// which repeat them, are not.
TEST(LivePace, KeepsThePictureMovingWithTooLittleLatency) {
  Stream stream(kFrame);
  stream.follows_latency = false;
  stream.run(300, 120 * GST_MSECOND);
  const Counts counts = stream.run(300, 120 * GST_MSECOND);
  EXPECT_GT(counts.drawn, 100);
  EXPECT_GT(counts.repeated, 100);
}

TEST(LivePace, LatencyFollowsTheLongestFrames) {
  Stream stream(kFrame);
  stream.run(300, 250 * GST_MSECOND);
  const GstClockTime high = stream.pace.latency();
  EXPECT_GT(high, 2 * kFrame);
  EXPECT_LE(high, GST_SECOND);
  stream.run(1200, 10 * GST_MSECOND);
  EXPECT_EQ(stream.pace.latency(), kFrame);
}

TEST(LivePace, DropsWhatIsFarTooLate) {
  LivePace pace;
  pace.start(kFrame);
  pace.enable(true);
  pace.set_pipeline_latency(kFrame);
  pace.sink_reported();
  EXPECT_EQ(pace.decide(10 * kFrame, 0), Decision::kDraw) << "nothing is drawn yet";
  pace.drawn(5 * GST_MSECOND);
  EXPECT_EQ(pace.decide(kFrame, kFrame), Decision::kDraw);
  EXPECT_EQ(pace.decide(2 * kFrame + 1, kFrame), Decision::kRepeat);
  EXPECT_EQ(pace.decide(4 * kFrame, kFrame), Decision::kDrop);
}

TEST(LivePace, InterferesOnlyIfASinkReports) {
  LivePace pace;
  pace.start(kFrame);
  pace.enable(true);
  pace.set_pipeline_latency(kFrame);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(pace.decide(kFrame * 100, kFrame), Decision::kDraw);
    EXPECT_FALSE(pace.drawn(10 * kFrame));
  }
  EXPECT_EQ(pace.economy(), 0);
}

}  // namespace
