// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <deque>

namespace emulated_nvenc {

/// Which outputs may be locked: with B-frames those up to a P- or I-frame, because a B-frame is
/// encoded after it, and with look-ahead only after `lookahead` further pictures.
class OutputOrder {
 public:
  /// @param interval  distance of P-frames, at least 1
  /// @param gop       distance of IDR frames, at least 1
  OutputOrder(std::uint32_t interval, std::uint32_t gop, std::uint32_t lookahead)
      : interval_(interval), gop_(gop), lookahead_(lookahead) {}

  /// Counts a picture. Returns how many outputs may be locked for the first time.
  std::uint64_t submit(bool idr) {
    if (idr || position_ == gop_) position_ = 0;
    const std::uint64_t number = submitted_++;
    // The last frame before an IDR frame is none between two others.
    if (position_ % interval_ == 0 || position_ + 1 == gop_) ends_.push_back(number);
    ++position_;
    std::uint64_t allowed = allowed_;
    while (!ends_.empty() && ends_.front() + lookahead_ <= number) {
      allowed = ends_.front() + 1;
      ends_.pop_front();
    }
    return allow(allowed);
  }

  /// The stream ends. Returns as submit().
  std::uint64_t finish() {
    ends_.clear();
    position_ = 0;
    return allow(submitted_);
  }

 private:
  std::uint64_t allow(std::uint64_t allowed) {
    const std::uint64_t more = allowed - allowed_;
    allowed_ = allowed;
    return more;
  }

  std::uint32_t interval_, gop_, lookahead_;
  std::uint64_t position_ = 0;  ///< in the GOP
  std::uint64_t submitted_ = 0, allowed_ = 0;
  std::deque<std::uint64_t> ends_;  ///< pictures up to which nothing depends on later ones
};

}  // namespace emulated_nvenc
