// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/farm/job/division.h"

#include <algorithm>

#include "mosaic/analysis/scene.h"
#include "program/farm/job/window_places.h"

namespace mosaic_program {
namespace {

using mosaic::Range;
using mosaic::WindowAxis;
using mosaic::WindowOptions;

/// Frames of whole takes that are one part, at least: fewer would cost more than they take.
constexpr int64_t kLeastFrames = 240;
constexpr int kReturns = mosaic::SceneDetector::kReturns;
/// Frames that are drawn before a part, so that its first one is compared with what the scene
/// detector compares it with in the whole film: the last differences between frames, and scenes
/// that may still return.
constexpr int64_t kRunUp = kReturns + 4;

/// Whether a part may begin at a frame: it uses nothing of those before it, and neither does a
/// later one, by continuing the scene that was cut off. Nor does a scene return in the frames
/// before it, which the part's process would not notice.
bool is_free(std::span<const FilmFrame> film, int64_t frame) {
  if (!film[frame].cut) return false;
  const int64_t first = std::max<int64_t>(frame - kRunUp, 0);
  const int64_t last = std::min<int64_t>(frame + kReturns, std::ssize(film) - 1);
  return std::none_of(film.begin() + first, film.begin() + last + 1,
                      [](const FilmFrame& other) { return other.returned; });
}

std::vector<FrameRange> takes_of(std::span<const FilmFrame> film) {
  std::vector<FrameRange> takes;
  int64_t begin = 0;
  for (int64_t frame = 1; frame <= std::ssize(film); ++frame)
    if (frame == std::ssize(film) || is_free(film, frame)) {
      takes.push_back({begin, frame});
      begin = frame;
    }
  return takes;
}

FarmPart part_of_takes(const FrameRange& takes) {
  return {.drawn = takes, .frames = takes, .own = takes, .take = takes, .window = 0};
}

WindowAxis cut(std::span<const FilmFrame> film, const FrameRange& take,
               const WindowOptions& windows) {
  std::vector<float> changes;
  for (int64_t frame = take.begin; frame < take.end; ++frame) changes.push_back(film[frame].change);
  return WindowAxis::of_time(static_cast<int>(take.size()), place_windows(changes, windows),
                             windows.frames_overlap);
}

/// The windows of a part's take, from 0, where they begin in it. None if the parts cannot be those
/// of divide(), as in a plan that somebody has changed.
std::vector<int> begins_of(std::span<const FarmPart> parts, int number) {
  const FrameRange& take = parts[number].take;
  if (parts[number].window > number) return {};
  std::vector<int> begins;
  for (const FarmPart& part : parts.subspan(number - parts[number].window)) {
    const int window = static_cast<int>(begins.size());
    if (part.take != take) break;
    const int64_t begin = window == 0 ? 0 : part.frames.begin - take.begin;
    const bool rises = window == 0 || (begin > begins.back() && begin < take.size());
    if (part.window != window || !rises) return {};
    begins.push_back(static_cast<int>(begin));
  }
  return begins;
}

void add_windows(const FrameRange& take, const WindowAxis& axis, std::vector<FarmPart>& parts) {
  const std::span<const Range> windows = axis.windows();
  const int count = static_cast<int>(windows.size());
  for (int i = 0; i < count; ++i) {
    const int64_t first = take.begin + windows[i].begin;
    FarmPart part{.drawn = {first, take.begin + windows[i].end()},
                  .frames = {},
                  .own = {},
                  .take = take,
                  .window = i};
    // The first frame of a window that continues a take has the weight 0.
    part.frames = part.own = {first + (i > 0 ? 1 : 0), part.drawn.end};
    if (i > 0) part.own.begin = std::max(part.own.begin, take.begin + windows[i - 1].end());
    if (i + 1 < count) part.own.end = std::min(part.own.end, take.begin + windows[i + 1].begin + 1);
    if (part.own.size() <= 0) part.own = {part.frames.end, part.frames.end};
    parts.push_back(part);
  }
}

}  // namespace

std::vector<FarmPart> divide(std::span<const FilmFrame> film, const WindowOptions& windows,
                             int lookahead) {
  std::vector<FarmPart> parts;
  FrameRange open{0, 0};  // whole takes that are no part yet
  const auto close = [&] {
    if (open.size() > 0) parts.push_back(part_of_takes(open));
  };
  for (const FrameRange& take : takes_of(film)) {
    const bool is_long = windows.frames > 0 && take.size() > windows.frames;
    if (is_long || open.size() >= kLeastFrames) {
      close();
      open.begin = take.begin;
    }
    open.end = take.end;
    if (!is_long) continue;
    add_windows(take, cut(film, take, windows), parts);
    open.begin = take.end;
  }
  close();
  for (FarmPart& part : parts) {
    part.drawn.begin = std::max<int64_t>(part.drawn.begin - kRunUp, 0);
    part.drawn.end = std::min<int64_t>(part.drawn.end + lookahead, std::ssize(film));
  }
  return parts;
}

std::vector<Joint> joints_of(std::span<const FarmPart> parts) {
  std::vector<Joint> joints;
  int64_t done = 0;  // what is before is in a part or a joint
  for (int i = 0; i < static_cast<int>(parts.size()); ++i) {
    const FarmPart& part = parts[i];
    const bool is_mixed = part.own.size() == 0;
    if (!is_mixed && part.own.begin == done) {
      done = part.own.end;
      continue;
    }
    // Up to where some later part is alone, or the film ends.
    int last = i;
    while (parts[last].own.size() == 0 && last + 1 < static_cast<int>(parts.size())) ++last;
    Joint joint{.frames = {done, parts[last].own.begin}, .first_part = i, .last_part = last};
    while (joint.first_part > 0 && parts[joint.first_part - 1].frames.end > done)
      --joint.first_part;
    joints.push_back(joint);
    done = parts[last].own.end;
    i = last;
  }
  return joints;
}

std::vector<uint16_t> weights_of(std::span<const FarmPart> parts, int number,
                                 const WindowOptions& windows) {
  const FarmPart& part = parts[number];
  std::vector<uint16_t> weights(static_cast<size_t>(part.frames.size()), WindowAxis::kOne);
  if (part.own == part.frames) return weights;
  const std::vector<int> begins = begins_of(parts, number);
  if (part.window >= std::ssize(begins)) return weights;
  const WindowAxis axis =
      WindowAxis::of_time(static_cast<int>(part.take.size()), begins, windows.frames_overlap);
  const std::span<const uint16_t> all = axis.weights(part.window);
  const int64_t first = part.frames.begin - part.take.begin - axis.windows()[part.window].begin;
  for (int64_t i = 0; i < std::ssize(weights); ++i)
    if (first + i >= 0 && first + i < std::ssize(all)) weights[i] = all[first + i];
  return weights;
}

}  // namespace mosaic_program
