// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/properties/settings.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "mosaic/base/error.h"
#include "mosaic/base/frame_budget.h"
#include "mosaic/settings/profile.h"

namespace mosaic_gst {
namespace {

using mosaic::Error;

constexpr char kDefaultProfile[] = "vivid_b";
/// Chosen by looking: dark and flat scenes read, and photos keep most of their contrast.
constexpr double kDefaultFidelity = 0.5;
constexpr int kDefaultBlend = 4;  // frames
constexpr int kLongestSide = 16384;

/// The number from 1 to kLongestSide that the whole text is; 0 for any other text.
int parse_side(std::string_view text) {
  int side = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), side);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && side >= 1 && side <= kLongestSide ? side : 0;
}

bool has_no_folder(const Settings& s) {
  return s.keep_intermediate && s.intermediate_location.empty();
}

/// Why there is no flow as it was set, or null.
std::exception_ptr problem_of_weights(const Settings& s) {
  if (s.frame.flow != mosaic::Flow::kRaft || s.frame.flow_weights) return nullptr;
  try {
    mosaic::load_raft_weights(s.flow_weights);
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

/// The windows that window-preset stands for, with the batch that was set.
mosaic::WindowOptions preset_windows(const Settings& s) {
  const FrameSize frame = parse_flow_size(s.flow_size);
  mosaic::WindowOptions windows =
      mosaic::window_options(s.window_preset, frame.width, frame.height, 0);
  windows.batch = static_cast<int>(s.window_batch);
  return windows;
}

/// The windows of pictures as they were set, valid or not. Those of takes are not used here:
/// whoever plans a film checks them.
mosaic::WindowOptions wanted_windows(const Settings& s) {
  mosaic::WindowOptions windows = preset_windows(s);
  if (s.window_size >= 0) windows.size = s.window_size;
  if (s.window_overlap >= 0) windows.overlap = s.window_overlap;
  return windows;
}

/// Why windows cannot be made as they were set, or null.
std::exception_ptr problem_of_windows(const Settings& s) {
  try {
    mosaic::check_windows(wanted_windows(s));
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

/// Why photos cannot have their turns as it was set; null: they can.
const char* problem_of_turns(const Settings& s) {
  if (s.show_within == 0) return nullptr;
  if (s.unit != mosaic::Unit::kPhoto) return "show-within is set, but unit is tile";
  if (s.show_for > s.show_within) return "show-for is longer than show-within";
  return nullptr;
}

/// Why uses cannot be limited as it was set; null: they can.
const char* problem_of_uses(const Settings& s) {
  const bool counts_photos = s.unit == mosaic::Unit::kPhoto;
  if (counts_photos && s.max_tile_uses > 0) return "max-tile-uses is set, but unit is photo";
  if (!counts_photos && s.max_photo_uses > 0) return "max-photo-uses is set, but unit is tile";
  if (!counts_photos && s.min_photo_uses > 0) return "min-photo-uses is set, but unit is tile";
  if (!counts_photos && s.dedup_similarity > 0) return "dedup-similarity is set, but unit is tile";
  return nullptr;
}

void drop_other_limits(Settings& s) {
  if (s.unit == mosaic::Unit::kPhoto)
    s.max_tile_uses = 0;
  else
    s.max_photo_uses = s.min_photo_uses = 0, s.dedup_similarity = 0;
}

/// Turns in frames. A stream without a constant rate counts as one of 25 frames a second.
mosaic::TurnSettings turns_of(const Settings& s, GstClockTime frame_duration) {
  if (s.show_within == 0 || problem_of_turns(s)) return {};
  if (!GST_CLOCK_TIME_IS_VALID(frame_duration) || frame_duration == 0)
    frame_duration = GST_SECOND / 25;
  const auto frames = [&](GstClockTime time) {
    return static_cast<int>(std::clamp<guint64>(time / frame_duration, 1, 1 << 24));
  };
  const int within = frames(s.show_within);
  return {.within = within, .show_for = std::min(frames(s.show_for), within)};
}

/// Removes the problems that `seen` also has.
void drop_problems(Settings& s, const Settings& seen) {
  std::erase_if(s.errors, [&](const auto& error) {
    const auto same = seen.errors.find(error.first);
    return same != seen.errors.end() && same->second == error.second;
  });
  if (has_no_folder(s)) s.keep_intermediate = false;
  if (problem_of_weights(s)) s.frame.flow = mosaic::Flow::kIdentity;
  if (problem_of_windows(s)) s.window_size = s.window_overlap = -1;
  if (problem_of_turns(s)) s.show_within = 0;
  if (problem_of_uses(s)) drop_other_limits(s);
}

}  // namespace

FrameSize parse_flow_size(const std::string& text) {
  const std::string_view view = text;
  const size_t x = view.find_first_of("xX");
  const int width = x == view.npos ? 0 : parse_side(view.substr(0, x));
  const int height = width ? parse_side(view.substr(x + 1)) : 0;
  if (height == 0)
    throw Error(Error::Kind::kSettings, "flow-size \"" + text + "\" is not a valid size",
                "use WIDTHxHEIGHT in pixels, like 480x272, from 1x1 to 16384x16384");
  return {width, height};
}

std::optional<mosaic::Shape> parse_tile_aspect_ratio(const std::string& text) {
  if (text == "auto") return {};
  if (const auto shape = mosaic::read_cell_shape(text)) return shape;
  throw Error(Error::Kind::kSettings,
              "tile-aspect-ratio \"" + text + "\" is not a shape that cells can have",
              "use WIDTH:HEIGHT, like 3:2, from 1:4 to 4:1, or auto");
}

mosaic::Look load_look(const std::string& profile) {
  mosaic::Look missing;
  missing.fidelity = kDefaultFidelity;
  return mosaic::load_profile(profile, missing);
}

Settings::Settings() : profile_name(kDefaultProfile) {
  frame.temporal_blend = kDefaultBlend;
  frame.look = load_look(profile_name);
}

const Settings& default_settings() {
  static const Settings defaults;
  return defaults;
}

std::vector<std::exception_ptr> Settings::problems() const {
  std::vector<std::exception_ptr> all;
  for (const auto& [property, error] : errors) all.push_back(error);
  if (has_no_folder(*this))
    all.push_back(std::make_exception_ptr(Error(
        Error::Kind::kSettings, "keep-intermediate is true, but intermediate-location is not set",
        "set intermediate-location to a folder, or keep-intermediate to false")));
  if (const char* problem = problem_of_turns(*this))
    all.push_back(std::make_exception_ptr(
        Error(Error::Kind::kSettings, problem,
              "set unit=photo, and show-for to at most show-within, or show-within to 0")));
  if (const char* problem = problem_of_uses(*this))
    all.push_back(std::make_exception_ptr(
        Error(Error::Kind::kSettings, problem,
              "use max-photo-uses, min-photo-uses and dedup-similarity with unit=photo, "
              "max-tile-uses with unit=tile")));
  if (const std::exception_ptr problem = problem_of_weights(*this)) all.push_back(problem);
  if (const std::exception_ptr problem = problem_of_windows(*this)) all.push_back(problem);
  return all;
}

void Settings::take_back(const Refusal& refusal) {
  if (const auto* problems = std::get_if<RefusedProblems>(&refusal)) {
    drop_problems(*this, *problems->of);
  } else if (const auto* grid = std::get_if<RefusedGrid>(&refusal)) {
    if (grid_settings() == grid->wanted) set_grid_settings(grid->instead);
  } else if (const auto* photos = std::get_if<RefusedPhotos>(&refusal)) {
    if (tile_location == photos->location) tile_location = photos->instead;
  }
}

int64_t Settings::solve_budget(bool live, GstClockTime frame_duration) const {
  constexpr GstClockTime kLongest = 3600 * GST_SECOND;
  if (GST_CLOCK_TIME_IS_VALID(max_solve_time))
    return static_cast<int64_t>(std::min(max_solve_time, kLongest));
  return static_cast<int64_t>(mosaic::FrameBudget::default_limit(live, frame_duration));
}

mosaic::WindowOptions Settings::windows() const {
  return problem_of_windows(*this) ? preset_windows(*this) : wanted_windows(*this);
}

mosaic::FrameSettings Settings::frame_settings(int64_t solve_budget_ns,
                                               GstClockTime frame_duration) const {
  mosaic::FrameSettings result = frame;
  result.turns = turns_of(*this, frame_duration);
  const FrameSize flow_frame = parse_flow_size(flow_size);
  result.flow_width = flow_frame.width;
  result.flow_height = flow_frame.height;
  result.flow_windows = windows();
  result.solve_budget_ns = solver == Solver::kExact ? 0 : solve_budget_ns;
  if (solver == Solver::kAuto) return result;
  result.look.placement = solver == Solver::kDiffusion ? mosaic::PlacementKind::kDiffusion
                                                       : mosaic::PlacementKind::kAssignment;
  if (solver == Solver::kAuction) result.effort = mosaic::Effort::kAuction;
  if (solver == Solver::kGreedy) result.effort = mosaic::Effort::kGreedy;
  return result;
}

}  // namespace mosaic_gst
