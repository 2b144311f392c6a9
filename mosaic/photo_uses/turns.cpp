// SPDX-License-Identifier: LGPL-2.1-or-later
//
// If the last turn of a photo ended with frame e, the next has to begin with frame e + within -
// show_for + 1 at the latest. Then any `within` successive frames show the photo `show_for` times:
// if they begin with the last k frames of a turn, 0 <= k < show_for, or later, in the gap after it
// (k = 0), at least the other show_for - k belong to the next one.
//
// Many photos wait equally long, as after the first frame. So that they do not all come at once, a
// frame asks for as many as are needed if about the same number is to come in each frame: of the
// photos in the order of their deadlines, photo k (from 0) with s frames left makes it at least
// (k + 1) / (s + 1), rounded down. A photo that is alone is asked for in its last frame only.
#include "mosaic/photo_uses/turns.h"

#include <algorithm>
#include <tuple>

namespace mosaic {

int64_t Turns::slack(int photo) const {
  return last_[photo] + settings_.within - settings_.show_for + 1 - frame_;
}

std::span<const uint8_t> Turns::begin_frame(const TurnSettings& settings, int photos, int most) {
  settings_ = settings;
  if (settings.within == 0) {
    last_.clear();
    in_time_ = photos;
    return {};
  }
  if (static_cast<int>(last_.size()) != photos) {
    frame_ = 0;
    last_.assign(photos, -1);
    run_.assign(photos, 0);
    in_turn_.assign(photos, 0);
  }
  required_.assign(photos, 0);
  int asked = 0;
  waiting_.clear();
  for (int photo = 0; photo < photos; ++photo) {
    if (in_turn_[photo] && asked < most)
      required_[photo] = 1, ++asked;
    else if (run_[photo] < settings.show_for || settings.show_for == settings.within)
      waiting_.push_back({slack(photo), photo});
  }
  std::sort(waiting_.begin(), waiting_.end(), [](const Waiting& a, const Waiting& b) {
    return std::tuple(a.slack, a.photo) < std::tuple(b.slack, b.photo);
  });
  int64_t now = 0;
  for (size_t k = 0; k < waiting_.size(); ++k) {
    const int64_t frames = std::max<int64_t>(waiting_[k].slack, 0) + 1;
    now = std::max(now, static_cast<int64_t>(k + 1) / frames);
  }
  now = std::min<int64_t>(now, most - asked);
  for (int64_t k = 0; k < now; ++k) {
    const int32_t photo = waiting_[k].photo;
    required_[photo] = in_turn_[photo] = 1;
  }
  return required_;
}

void Turns::end_frame(std::span<const int32_t> shown) {
  if (settings_.within == 0) return;
  const int photos = static_cast<int>(last_.size());
  shown_.assign(photos, 0);
  for (const int32_t photo : shown) shown_[photo] = 1;
  in_time_ = 0;
  for (int photo = 0; photo < photos; ++photo) {
    run_[photo] = shown_[photo] ? std::min(run_[photo] + 1, settings_.within) : 0;
    if (run_[photo] >= settings_.show_for) {
      last_[photo] = frame_;
      in_turn_[photo] = 0;
    }
    in_time_ += frame_ - last_[photo] <= settings_.within - settings_.show_for + run_[photo];
  }
  ++frame_;
}

}  // namespace mosaic
