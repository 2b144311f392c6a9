// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// How a frame continues the frames before it. The scene detector decides this once for each frame;
/// everything that keeps a state from frame to frame is told of it.
#pragma once

#include <array>

#include "kernels/frame/scene_change.h"

namespace mosaic {

enum class Continuation {
  kStart,      ///< nothing is known of earlier frames, or none of it is to be used
  kCut,        ///< a scene begins
  kReturned,   ///< continues a scene that was cut off a few frames ago, for example by a flash
  kContinues,  ///< continues the scene of the frame before
};

/// How one frame continues those before it.
struct SceneUpdate {
  Continuation continuation = Continuation::kContinues;
  /// 1..mt::kKeptScenes: the slot in which to keep the state of the scene that was cut off; 0: none
  int kept = 0;
  /// 1..mt::kKeptScenes: the slot whose state is to be used again; 0 unless kReturned
  int returned = 0;

  /// Whether the frame uses the state of no earlier one.
  bool keyframe() const {
    return continuation == Continuation::kStart || continuation == Continuation::kCut;
  }
  /// Whether the frame belongs to the same scene as the frame before it.
  bool continues() const { return continuation == Continuation::kContinues; }
};

/// Copies of a state that lasts from frame to frame, for scenes that were cut off and may return.
/// Kernels keep their states on the device, in slots of the same numbers, and read mt::SceneState
/// instead.
template <class State>
class KeptScenes {
 public:
  /// @param initial a state whose arrays have their final sizes: no update then allocates
  explicit KeptScenes(const State& initial) { slots_.fill(initial); }

  /// Updates `state`, which is that of the frame before. If that frame's scene was cut off and is
  /// kept, stores a copy; if a kept scene returns, replaces `state` with that scene's.
  /// @return whether it was replaced
  bool update(const SceneUpdate& scene, State& state) {
    if (scene.kept) slots_[scene.kept - 1] = state;
    if (scene.returned) state = slots_[scene.returned - 1];
    return scene.returned != 0;
  }

 private:
  std::array<State, mt::kKeptScenes> slots_;
};

}  // namespace mosaic
