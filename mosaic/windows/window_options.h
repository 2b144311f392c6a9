// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <span>
#include <string_view>

namespace mosaic {

/// How pictures and takes are cut into overlapping windows, where a whole picture would need too
/// much memory, or a whole take of a film too much time of one machine.
struct WindowOptions {
  int size = 512;           ///< width and height, pixels; 0: frames are not cut
  int overlap = 64;         ///< of neighbours, pixels
  int frames = 64;          ///< length; 0: takes are not cut
  int frames_overlap = 24;  ///< of one window and the next, frames
  int batch = 8;            ///< how many windows of one shape are worked on at once

  bool operator==(const WindowOptions&) const = default;
};

/// Throws Error (kSettings), which names the number and the rule, unless `batch` is at least 1,
/// `size` at least 64, `frames` at least 16, sizes and overlaps are multiples of 32 pixels and 8
/// frames, and each overlap is less than its size. A size of 0 is valid, too.
void check_windows(const WindowOptions& options);

enum class WindowPreset {
  kDefault,       ///< 512 pixels, 64 frames
  kSpatialOnly,   ///< 512 pixels
  kTemporalOnly,  ///< 64 frames
  kAggressive,    ///< smaller: 256 pixels, 32 frames
  kConservative,  ///< larger: 768 pixels, 96 frames
  kAuto,          ///< only where it is needed: 512 pixels, 960 frames
};

/// The names of the presets, indexed by value.
std::span<const std::string_view> window_preset_words();

/// What a preset means for a take. `batch` is that of WindowOptions.
/// @param width,height pixels
/// @param frames how many; 0: unknown
WindowOptions window_options(WindowPreset preset, int width, int height, int frames);

}  // namespace mosaic
