// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mosaic {

/// How often photos are to be seen.
struct TurnSettings {
  int within = 0;    ///< frames: any so many successive ones show each photo show_for times; 0: off
  int show_for = 1;  ///< frames, 1 .. within

  bool operator==(const TurnSettings&) const = default;
};

/// Keeps count of when photos were shown, and says which have to be shown so that each has its turn
/// in time. A turn is a run of at least `show_for` frames that all show the photo, wherever they
/// show it. Nothing depends on the clock.
class Turns {
 public:
  /// Begins a frame.
  /// @param most photos that may be asked for in a frame, 1 or more: the number of cells
  /// @return [photos]: 1 for a photo that the frame has to show; empty: there are none. Valid until
  ///         the next call
  std::span<const uint8_t> begin_frame(const TurnSettings& settings, int photos, int most);

  /// Ends the frame. @param shown [cells]: the photo of each
  void end_frame(std::span<const int32_t> shown);

  /// Photos that had their turn in time in the last frames, out of all; without a limit all.
  int in_time() const { return in_time_; }

 private:
  struct Waiting {
    int64_t slack;  ///< frames left until its turn has to begin; negative: that is over
    int32_t photo;
  };
  int64_t slack(int photo) const;

  TurnSettings settings_;
  int64_t frame_ = 0;             ///< number of the frame
  std::vector<int64_t> last_;     ///< [photos]: the last frame of the last turn; -1: there was none
  std::vector<int32_t> run_;      ///< [photos]: frames that have shown it without a break
  std::vector<uint8_t> in_turn_;  ///< [photos]: asked for, until its turn is over
  std::vector<Waiting> waiting_;  ///< the most urgent first
  std::vector<uint8_t> required_, shown_;  ///< [photos]
  int in_time_ = 0;
};

}  // namespace mosaic
