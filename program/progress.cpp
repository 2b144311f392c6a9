// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace mosaic_program {
namespace {

constexpr gint64 kBetweenLines = 5 * G_USEC_PER_SEC;  // between lines where there is no terminal
constexpr int kBar = 24;                              // columns

std::string seconds_text(double seconds) {
  return clock_text(static_cast<GstClockTime>(std::max(seconds, 0.0) * GST_SECOND));
}

}  // namespace

std::string clock_text(GstClockTime time) {
  const auto all = static_cast<guint>((time + GST_SECOND / 2) / GST_SECOND);
  char text[32];
  if (all >= 3600)
    std::snprintf(text, sizeof text, "%u:%02u:%02u", all / 3600, all / 60 % 60, all % 60);
  else
    std::snprintf(text, sizeof text, "%u:%02u", all / 60, all % 60);
  return text;
}

Progress::Progress(bool quiet, GstClockTime duration)
    : quiet_(quiet), terminal_(isatty(STDERR_FILENO)), duration_(duration) {}

void Progress::prepare(const std::string& what) {
  show(what);
}

void Progress::wait(const std::string& what) {
  const gint64 now = g_get_monotonic_time();
  if (what != waiting_) waiting_since_ = now;
  waiting_ = what;
  show(what + ", " + seconds_text(static_cast<double>(now - waiting_since_) / 1e6));
}

void Progress::update(guint64 frames, GstClockTime position) {
  if (frames == 0) return;
  const gint64 now = g_get_monotonic_time();
  if (start_ == 0) {
    start_ = now;
    first_frames_ = frames;
  }
  frames_ = frames;
  last_ = now;
  char text[160];
  if (GST_CLOCK_TIME_IS_VALID(duration_) && GST_CLOCK_TIME_IS_VALID(position)) {
    const double share =
        std::clamp(static_cast<double>(position) / static_cast<double>(duration_), 0.0, 1.0);
    const double left =
        share > 0 ? static_cast<double>(now - start_) / 1e6 * (1 - share) / share : 0;
    const int full = static_cast<int>(share * kBar);
    std::string bar(kBar, '.');
    std::fill_n(bar.begin(), full, '#');
    std::snprintf(text, sizeof text, "[%s] %3.0f %%  %llu frames, %.1f a second, %s left",
                  bar.c_str(), 100 * share, static_cast<unsigned long long>(frames),
                  frames_per_second(), share > 0 ? seconds_text(left).c_str() : "?");
  } else {
    std::snprintf(text, sizeof text, "%llu frames, %.1f a second",
                  static_cast<unsigned long long>(frames), frames_per_second());
  }
  show(text);
}

double Progress::frames_per_second() const {
  if (last_ <= start_) return 0;
  return static_cast<double>(frames_ - first_frames_) / (static_cast<double>(last_ - start_) / 1e6);
}

void Progress::say(const std::string& text) {
  end_line();
  std::fprintf(stderr, "%s\n", text.c_str());
}

void Progress::show(const std::string& text) {
  if (quiet_) return;
  const gint64 now = g_get_monotonic_time();
  if (terminal_) {
    std::fprintf(stderr, "\r\033[K%s", text.c_str());
    line_open_ = true;
  } else if (now - shown_ >= kBetweenLines) {
    shown_ = now;
    std::fprintf(stderr, "%s\n", text.c_str());
  }
}

void Progress::end_line() {
  if (line_open_) std::fprintf(stderr, "\n");
  line_open_ = false;
}

}  // namespace mosaic_program
