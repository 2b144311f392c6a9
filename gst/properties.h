// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <exception>
#include <optional>
#include <string>

#include "gst/config_properties.h"
#include "mosaic/engine.h"

namespace mosaic_gst {

enum class Device { kAuto, kCpu, kCuda };

/// What the user has set. The defaults here are those of the properties.
struct Settings {
  std::string tile_location;  ///< empty: the built-in pool
  unsigned tile_size = 0;     ///< pixels, 8..256; 0: as `size` says
  std::string size = "700";
  unsigned max_tile_uses = 0;
  bool augment = true;
  unsigned color_variants = 0;                ///< 0..mt::kMostHues
  std::optional<std::string> cache_location;  ///< nullopt: the user's cache folder; empty: none
  unsigned n_threads = 0;
  bool silent = true;
  Device device = Device::kAuto;
  bool require_hardware = false;
  double beta = mosaic::FrameSettings{}.beta;
  mosaic::Coherence coherence = mosaic::FrameSettings{}.coherence;
  mosaic::Flow flow = mosaic::FrameSettings{}.flow;
  double scene_threshold = mosaic::FrameSettings{}.scene_threshold;
  unsigned dedup_radius = mosaic::FrameSettings{}.dedup_radius;
  unsigned lookahead = 0;                             ///< 0..64 frames
  GstClockTime max_solve_time = GST_CLOCK_TIME_NONE;  ///< 0: any; none: see solve_budget()
  unsigned temporal_blend = 4;
  unsigned overlay = mosaic::FrameSettings{}.overlay;
  ConfigSettings config;
  std::string profile_name;  ///< that `look` was written by, before anything else was set
  mosaic::Look look;
  std::exception_ptr profile_error;  ///< why there is no such profile; null: there is
  std::string config_location;       ///< of the file that was read last; empty: none was
  std::exception_ptr config_error;   ///< what is wrong with it

  /// With the look of the default profile.
  Settings();

  /// Throws what keeps the mosaic from being made with them: mosaic::Error, std::bad_alloc.
  void check() const;

  /// Time for a frame's assignment, nanoseconds; 0: as long as it takes.
  int64_t solve_budget(bool live, GstClockTime frame_duration) const;

  /// What of it goes to the engine with each frame.
  mosaic::FrameSettings frame_settings(int64_t solve_budget_ns) const;
};

/// Those that write others come first, as a GstPreset sets properties in this order.
enum PropertyId : guint {
  PROP_0,
  PROP_CONFIG_LOCATION,
  PROP_PROFILE_NAME,
  PROP_TILE_LOCATION,
  PROP_TILE_SIZE,
  PROP_SIZE,
  PROP_MAX_TILE_USES,
  PROP_AUGMENT,
  PROP_COLOR_VARIANTS,
  PROP_CACHE_LOCATION,
  PROP_DEDUP_RADIUS,
  PROP_BETA,
  PROP_COHERENCE,
  PROP_FLOW,
  PROP_SCENE_THRESHOLD,
  PROP_LOOKAHEAD,
  PROP_MAX_SOLVE_TIME,
  PROP_TEMPORAL_BLEND,
  PROP_OVERLAY,
  PROP_N_THREADS,
  PROP_SILENT,
  PROP_DEVICE,
  PROP_REQUIRE_HARDWARE,
  PROP_ACTIVE_CODEC,
  PROP_STATS,
  PROP_PHOTOS,
  PROP_EMA_ALPHA,
  PROP_FLOW_SIZE,
  PROP_SOLVER,
  PROP_PIPELINE,
  PROP_SSIM_IMPL,
  PROP_SWAP_IMPL,
  PROP_ASSEMBLE_IMPL,
  PROP_POSTPROCESS_IMPL,
  PROP_KEEP_INTERMEDIATE,
  PROP_INTERMEDIATE_LOCATION,
  PROP_PNG_COMPRESSION,
  PROP_LOOK,  ///< the first of the look's fields: none after it
};

/// Installs every property of the element.
void install_properties(GObjectClass* object_class);

/// Reads or writes the setting of one of those properties; false when it is none (active-codec,
/// stats and photos).
bool get_setting(const Settings& settings, guint id, GValue* value);
bool set_setting(Settings& settings, const GParamSpec* spec, const GValue* value);

}  // namespace mosaic_gst
