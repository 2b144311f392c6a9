// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/analysis/scene.h"

#include <algorithm>
#include <cmath>

#include "kernels/frame/thumbnail.h"

namespace mosaic {
namespace {

constexpr int kColumns = 480, kRows = 272;
constexpr int kMinSide = 16;  // so that the sum over a box of the largest frame is below 2^31

// A kept scene has returned if a frame differs from the scene's last frame by less than the motion
// in that scene (the difference of its last two frames) times the frames passed since, plus limit /
// kToleranceDivisor. It must also be less than limit / kDifferenceDivisor, because unrelated scenes
// sometimes differ by only half of what makes a cut.
constexpr int kToleranceDivisor = 8, kDifferenceDivisor = 2;

}  // namespace

SceneDetector::SceneDetector(int width, int height, const std::shared_ptr<mt::Executor>& executor)
    : executor_(executor), width_(width), height_(height), state_(executor, 1) {
  set_size(kColumns, kRows);
}

void SceneDetector::set_size(int columns, int rows) {
  columns = std::min(width_, std::max(columns, kMinSide));
  rows = std::min(height_, std::max(rows, kMinSide));
  if (columns == columns_ && rows == rows_) return;
  columns_ = rows_ = 0;  // until all memory is there
  const size_t pixels = static_cast<size_t>(columns) * rows;
  small_ = {executor_, pixels};
  last_ = {executor_, pixels};
  for (auto& kept : kept_) kept = {executor_, pixels};
  difference_ = {executor_, static_cast<size_t>(mt::kEarlierFrames) * rows};
  columns_ = columns;
  rows_ = rows;
  forget();
}

void SceneDetector::forget() {
  first_ = true;
  frames_left_.fill(0);
}

SceneUpdate SceneDetector::found() const {
  if (given_ != Continuation::kContinues) return {given_};
  const mt::SceneState& state = state_[0];
  const Continuation continuation = state.cut        ? Continuation::kCut
                                    : state.returned ? Continuation::kReturned
                                                     : Continuation::kContinues;
  return {continuation, state.kept, state.returned};
}

/// Makes the newest frame the last one. If it began a scene, the frame before it is kept in the
/// slot of the scene that was cut off.
void SceneDetector::store_last() {
  const mt::SceneState& newest = state_[0];
  for (int& left : frames_left_) left = std::max(0, left - 1);
  if (newest.kept) {
    kept_[newest.kept - 1].swap(last_);
    frames_left_[newest.kept - 1] = kReturns;
    motion_[newest.kept - 1] = last_motion_;
  }
  if (newest.returned) frames_left_[newest.returned - 1] = 0;
  last_motion_ = newest.difference;
  small_.swap(last_);
}

/// By how much a frame may differ from a kept scene's last frame and still belong to that scene.
/// The kernel uses the largest of the kept scenes' limits for all of them.
int64_t SceneDetector::return_limit(int scene, int64_t limit) const {
  // From the scene's last frame to this one.
  const int frames = kReturns - frames_left_[scene] + 2;
  return std::min(limit / kToleranceDivisor + frames * motion_[scene], limit / kDifferenceDivisor);
}

void SceneDetector::enqueue(const uint8_t* gray, int stride, double threshold, Continuation given) {
  given_ = given;
  if (!first_) store_last();
  const bool force = given != Continuation::kContinues;
  if (force) frames_left_.fill(0);
  mt::Thumbnail thumbnail{.gray = gray,
                          .stride = stride,
                          .width = width_,
                          .height = height_,
                          .small = small_.data(),
                          .columns = columns_,
                          .rows = rows_,
                          .earlier = {},
                          .difference = difference_.data()};
  mt::SceneChange scene{};
  scene.difference = difference_.data();
  scene.rows = rows_;
  scene.first = first_;
  scene.force = force;
  scene.limit = static_cast<int64_t>(std::ceil(threshold / 100 * 256.0 * columns_ * rows_));
  scene.state = state_.device();
  if (!first_) thumbnail.earlier[0] = last_.data();
  for (int k = 0; k < mt::kKeptScenes; ++k) {
    scene.kept[k] = frames_left_[k] > 0;
    if (scene.kept[k]) {
      thumbnail.earlier[1 + k] = kept_[k].data();
      scene.return_limit = std::max(scene.return_limit, return_limit(k, scene.limit));
    } else if (!scene.keep_slot) {
      scene.keep_slot = k + 1;
    }
  }
  executor_->launch(thumbnail, rows_);
  executor_->launch(scene, 1);
  state_.fetch(*executor_);
  first_ = false;
}

}  // namespace mosaic
