// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mosaic/windows/window_axis.h"
#include "mosaic/windows/window_options.h"

namespace mosaic_program {

/// A frame of a film, as the pass that plans a job has seen it.
struct FilmFrame {
  uint64_t time = 0;      ///< in the film, nanoseconds
  uint64_t shown = 0;     ///< in the mosaic, whose first frame need not be at 0
  uint64_t hash = 0;      ///< of its pixels
  bool cut = false;       ///< a scene begins with it
  bool returned = false;  ///< it continues a scene that was cut off a few frames ago
  /// The mean change of luma from the frame before, in levels of 8 bits. It places the windows, and
  /// is not kept in a job.
  float change = 0;
};

/// Frames in their order, [begin, end).
struct FrameRange {
  int64_t begin = 0, end = 0;

  int64_t size() const { return end - begin; }
  bool operator==(const FrameRange&) const = default;
};

/// What one process draws of a film by itself.
struct FarmPart {
  /// Frames that are drawn. Those outside `frames` are only drawn so that the others follow what
  /// they follow in the film.
  FrameRange drawn;
  FrameRange frames;  ///< that are in the mosaic, or are mixed with those of other parts
  FrameRange own;     ///< of these, those that no other part has
  /// The part is window number `window` of this take. A part of whole takes has number 0, and all
  /// of them are its `take`.
  FrameRange take;
  int window = 0;

  bool operator==(const FarmPart&) const = default;
};

/// Divides a film into parts. A part begins at a cut, so that its frames are those of a film that
/// is drawn by one process; but a take that is longer than a window is cut inside, into windows
/// that overlap, as place_windows() says.
/// @param windows   valid, as check_windows() says
/// @param lookahead how many later frames a frame depends on
std::vector<FarmPart> divide(std::span<const FilmFrame> film, const mosaic::WindowOptions& windows,
                             int lookahead);

/// Frames that several parts have drawn, which are mixed.
struct Joint {
  FrameRange frames;
  int first_part = 0, last_part = 0;  ///< of those that have drawn any of them
};

/// In the order of the film.
std::vector<Joint> joints_of(std::span<const FarmPart> parts);

/// How much a part counts in each of its frames: [frames.size()], of mosaic::WindowAxis::kOne.
/// @param number  of the part
/// @param windows as in divide()
std::vector<uint16_t> weights_of(std::span<const FarmPart> parts, int number,
                                 const mosaic::WindowOptions& windows);

}  // namespace mosaic_program
