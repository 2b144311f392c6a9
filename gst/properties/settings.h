// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gst/properties/refusal.h"
#include "mosaic/engine/engine.h"
#include "mosaic/engine/intermediate.h"
#include "mosaic/motion_network/raft_weights.h"
#include "mosaic/windows/window_options.h"

namespace mosaic_gst {

enum class Device { kAuto, kCpu, kCuda };
enum class Solver { kAuto, kExact, kAuction, kGreedy, kDiffusion };
enum class Pipeline { kStream, kSequential };
enum class LiveQuality { kAuto, kKeep };

/// The values of all writable properties (gst/properties/property_table.cpp and
/// look_properties.cpp); each value is valid by itself. The defaults here are those of the
/// properties.
struct Settings {
  int cuda_device_id = -1;      ///< -1: the GPU that the pipeline uses, or the first
  std::string config_location;  ///< the configuration that was read last; empty: none
  std::string profile_name;     ///< the profile that was read last
  std::string tile_location;    ///< empty: the built-in pool
  unsigned tile_size = 0;       ///< pixels, 8..256; 0: chosen by `size`
  std::string size = "700";
  std::string tile_aspect_ratio = "1:1";  ///< see parse_tile_aspect_ratio()
  mosaic::Crop crop = mosaic::Crop::kCentre;
  mosaic::Unit unit = mosaic::Unit::kPhoto;
  unsigned max_photo_uses = 0, min_photo_uses = 0, max_tile_uses = 0;
  double dedup_similarity = 0;   ///< 0..1; 0: off
  GstClockTime show_within = 0;  ///< 0: off
  GstClockTime show_for = 2 * GST_SECOND;
  bool augment = true;
  unsigned color_variants = 0;                ///< 0..mt::kMaxHues
  std::optional<std::string> cache_location;  ///< nullopt: the user's cache folder; empty: none
  unsigned lookahead = 0;                     ///< 0..64 frames
  GstClockTime max_solve_time = GST_CLOCK_TIME_NONE;  ///< 0: unlimited; NONE: see solve_budget()
  LiveQuality live_quality = LiveQuality::kAuto;
  unsigned n_threads = 0;
  bool silent = true;
  Device device = Device::kAuto;
  bool require_hardware = false;
  std::string flow_size = "480x272";
  std::string flow_weights;  ///< the file that was read last; empty: none
  mosaic::WindowPreset window_preset = mosaic::WindowPreset::kAuto;
  int window_size = -1, window_overlap = -1;           ///< pixels; -1: as the preset says
  int window_frames = -1, window_frames_overlap = -1;  ///< the same, frames
  unsigned window_batch = 8;
  Solver solver = Solver::kAuto;
  Pipeline pipeline = Pipeline::kStream;
  std::string ssim_impl = "auto", swap_impl = "auto", assemble_impl = "auto",
              postprocess_impl = "auto";
  bool keep_intermediate = false;
  std::string intermediate_location;                              ///< a folder; empty: none is set
  int png_compression = mosaic::IntermediateFiles{}.compression;  ///< 0..9

  /// Those properties that the engine gets as they are: the look, beta, flow and others. What it
  /// gets of them in another form (flow-size, windows, solver) is set by frame_settings() only.
  mosaic::FrameSettings frame;

  /// By the name of a property: why the last attempt to set it failed. It then keeps its value.
  std::map<std::string, std::exception_ptr> errors;

  /// Starts with the look of the default profile.
  Settings();

  /// Every reason why no mosaic can be made with these settings: `errors`, and values that
  /// contradict each other. All are mosaic::Error or std::bad_alloc.
  std::vector<std::exception_ptr> problems() const;
  /// Gives what was refused the value that is used instead, unless it has been changed since. Of
  /// problems, the errors are dropped, and what contradicts another setting is reset:
  /// keep-intermediate without a folder, flow without weights, sizes of windows, turns of photos,
  /// limits of what is not counted.
  void take_back(const Refusal& refusal);

  /// The settings of which a grid is made.
  GridSettings grid_settings() const { return {tile_size, size, tile_aspect_ratio}; }
  void set_grid_settings(const GridSettings& of) {
    tile_size = of.tile_size, size = of.size, tile_aspect_ratio = of.tile_aspect_ratio;
  }

  /// How often a frame may use what is counted.
  mosaic::UseSettings uses() const {
    if (unit == mosaic::Unit::kTile) return {.unit = unit, .most = max_tile_uses};
    return {.unit = unit,
            .most = max_photo_uses,
            .least = min_photo_uses,
            .similarity = dedup_similarity};
  }

  /// The time limit of a frame in nanoseconds: max_solve_time, or if that is NONE, a default
  /// that depends on whether the pipeline is live. 0: unlimited.
  int64_t solve_budget(bool live, GstClockTime frame_duration) const;

  /// The windows that frames are cut into for their motion; those of the preset if what was set is
  /// not valid.
  mosaic::WindowOptions windows() const;

  /// The settings that are passed to the engine with each frame.
  /// @param frame_duration nanoseconds; NONE: it is not known
  mosaic::FrameSettings frame_settings(int64_t solve_budget_ns,
                                       GstClockTime frame_duration = GST_CLOCK_TIME_NONE) const;
};

/// The look of a profile (see mosaic::load_profile). One that does not name fidelity, as none of
/// mosaicraft's does, has that of a new element.
mosaic::Look load_look(const std::string& profile);

/// The settings of a new element.
const Settings& default_settings();

/// Reads a shape as mosaic::read_cell_shape() does. @return nullopt for auto
/// Throws mosaic::Error (kSettings) for any other text.
std::optional<mosaic::Shape> parse_tile_aspect_ratio(const std::string& text);

/// Width and height in pixels.
struct FrameSize {
  int width, height;
};
/// Reads WIDTHxHEIGHT, each from 1 to 16384. Throws mosaic::Error (kSettings) for any other text.
FrameSize parse_flow_size(const std::string& text);

}  // namespace mosaic_gst
