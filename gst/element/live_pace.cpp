// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/element/live_pace.h"

#include <algorithm>

#include "mosaic/engine/economy.h"

namespace mosaic_gst {
namespace {

/// The expectation follows longer frames faster than shorter ones.
constexpr double kRise = 0.3, kFall = 0.1;

/// Above the first share of a frame's duration work is left out, below the second it is taken up
/// again. Each economy saves less than the ratio of the two, so that there is no swinging.
constexpr double kTooLong = 0.85, kShortEnough = 0.55;
/// Frames that are drawn before the next change: a quarter of a second up, two seconds down.
constexpr int kFramesToSave = 8, kFramesToSpend = 60;

/// Frames after which the latency is looked at, and how many such windows it stays too long.
constexpr int kWindow = 30, kWindowsToShorten = 20;
constexpr GstClockTime kLongestLatency = GST_SECOND;

/// A frame that is later than this is of no use: sinks drop it.
constexpr GstClockTime kMaxLateness = 20 * GST_MSECOND;

}  // namespace

void LivePace::start(GstClockTime frame_duration) {
  frame_duration_ = frame_duration;
  latency_ = std::min(frame_duration, kLongestLatency);
  sink_reports_ = enabled_ = false;
  expected_ = 0;
  repeated_ = economy_ = since_economy_ = 0;
  longest_ = 0;
  in_window_ = short_windows_ = 0;
}

LivePace::Decision LivePace::decide(GstClockTime now, GstClockTime wanted) {
  const GstClockTime latency = pipeline_latency_;
  if (!sink_reports_ || !GST_CLOCK_TIME_IS_VALID(latency) || expected_ <= 0) return Decision::kDraw;
  const GstClockTime due = wanted + latency;
  if (static_cast<double>(now) + expected_ <= static_cast<double>(due)) {
    repeated_ = 0;
    return Decision::kDraw;
  }
  // Where the latency is never long enough, a picture that comes too late is still the one that the
  // next frames repeat, so that the mosaic moves.
  const int most = std::max(1, static_cast<int>(expected_ / static_cast<double>(frame_duration_)));
  if (repeated_ >= most && now <= due) {
    repeated_ = 0;
    return Decision::kDraw;
  }
  ++repeated_;
  return now <= due + kMaxLateness ? Decision::kRepeat : Decision::kDrop;
}

bool LivePace::drawn(GstClockTime took) {
  const auto ns = static_cast<double>(took);
  if (expected_ <= 0) {
    // The first frame has to analyse every cell; it says little about the next.
    expected_ = std::min(ns, static_cast<double>(frame_duration_));
    return false;
  }
  expected_ += (ns - expected_) * (ns > expected_ ? kRise : kFall);
  if (!sink_reports_) return false;
  adjust_economy();
  return adjust_latency(took);
}

void LivePace::adjust_economy() {
  ++since_economy_;
  const double share = expected_ / static_cast<double>(frame_duration_);
  int change = 0;
  if (share > kTooLong && economy_ < mosaic::kMostEconomy && since_economy_ >= kFramesToSave)
    change = 1;
  else if (share < kShortEnough && economy_ > 0 && since_economy_ >= kFramesToSpend)
    change = -1;
  if (change == 0) return;
  economy_ += change;
  since_economy_ = 0;
}

/// The latency has room for the longest frame of a window but one that takes more than twice what
/// is expected, such as the first frame of a scene.
bool LivePace::adjust_latency(GstClockTime took) {
  if (static_cast<double>(took) <= 2 * expected_) longest_ = std::max(longest_, took);
  if (++in_window_ < kWindow) return false;
  const GstClockTime half = std::max<GstClockTime>(frame_duration_ / 2, 1);
  const GstClockTime needed =
      std::min((longest_ + longest_ / 8 + half - 1) / half * half, kLongestLatency);
  const GstClockTime wanted = std::max(needed, std::min(frame_duration_, kLongestLatency));
  longest_ = 0;
  in_window_ = 0;
  const GstClockTime now = latency_;
  short_windows_ = wanted + half < now ? short_windows_ + 1 : 0;
  if (wanted <= now && short_windows_ < kWindowsToShorten) return false;
  short_windows_ = 0;
  latency_ = wanted;
  return wanted != now;
}

}  // namespace mosaic_gst
