// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/properties.h"

#include <algorithm>

#include "gst/config_file.h"
#include "gst/install_property.h"
#include "gst/look_properties.h"
#include "mosaic/profile.h"

namespace mosaic_gst {
namespace {

constexpr unsigned kSmallestTile = 8, kLargestTile = 256;
constexpr unsigned kLargestRadius = 16384;  // the longest side of a grid
constexpr unsigned kMostThreads = 256;
constexpr unsigned kFarthestLook = 64;  // frames
constexpr unsigned kLongestBlend = 16;  // frames
constexpr char kDefaultProfile[] = "vivid_b";

GType coherence_type() {
  static const GEnumValue values[] = {
      {static_cast<int>(mosaic::Coherence::kTemporal), "Tiles stay where the picture does",
       "temporal"},
      {static_cast<int>(mosaic::Coherence::kNone), "Every frame on its own", "none"},
      {0, nullptr, nullptr}};
  static const GType type = g_enum_register_static("GstMosaicTemporalCoherence", values);
  return type;
}

GType flow_type() {
  static const GEnumValue values[] = {
      {static_cast<int>(mosaic::Flow::kIdentity), "Tiles stay in their cells", "identity"},
      {static_cast<int>(mosaic::Flow::kBlock), "Tiles go where a search for blocks says", "block"},
      {0, nullptr, nullptr}};
  static const GType type = g_enum_register_static("GstMosaicTemporalFlow", values);
  return type;
}

GType device_type() {
  static const GEnumValue values[] = {
      {static_cast<int>(Device::kAuto), "Where the negotiated memory lies", "auto"},
      {static_cast<int>(Device::kCpu), "The processor", "cpu"},
      {static_cast<int>(Device::kCuda), "An NVIDIA GPU", "cuda"},
      {0, nullptr, nullptr}};
  static const GType type = g_enum_register_static("GstMosaicTemporalDevice", values);
  return type;
}

GType overlay_type() {
  static const GFlagsValue values[] = {
      {mosaic::kOverlayGrid, "A line between cells", "grid"},
      {mosaic::kOverlayChanged, "A red border around cells whose tile is new", "changed"},
      {mosaic::kOverlayMotion, "The motion that cells follow, if any is looked for", "motion"},
      {mosaic::kOverlaySaliency, "Green: how much a cell matters", "saliency"},
      {mosaic::kOverlayCost, "Red: how little a tile is like its cell", "cost"},
      {mosaic::kOverlayAge, "Blue: how new a tile is", "age"},
      {0, nullptr, nullptr}};
  static const GType type = g_flags_register_static("GstMosaicTemporalOverlay", values);
  return type;
}

void install_pool_properties(GObjectClass* klass, const Settings& d) {
  const PropertyInstaller install{klass};
  install(PROP_PHOTOS,
          g_param_spec_boxed("photos", "Photos",
                             "The photos of the last frame's pool, in the order of the numbers in "
                             "GstMosaicTemporalMeta: the paths of files, \"PATH at SECONDS s\" for "
                             "the frames of a video, \"built-in NUMBER\" for the built-in pool. "
                             "NULL: no frame was drawn",
                             G_TYPE_STRV, kReadable));
  install(PROP_TILE_LOCATION,
          g_param_spec_string(
              "tile-location", "Tile location",
              "Where the tiles come from: a folder of photos, which is searched recursively, one "
              "image file, or a video file or URI whose frames, spread over its length, become "
              "tiles. Unset: a built-in pool of procedural pictures",
              nullptr, kPlaying));
  install(PROP_TILE_SIZE,
          g_param_spec_uint("tile-size", "Tile size",
                            "Side of a cell in pixels of the input, 8 to 256 (less becomes 8). 0: "
                            "as the property size says",
                            0, kLargestTile, d.tile_size, kPlaying));
  install(PROP_SIZE,
          g_param_spec_string("size", "Size",
                              "How many cells a frame has: about that many (\"700\"), or exactly "
                              "COLSxROWS (\"40x30\"). Only looked at where tile-size is 0",
                              d.size.c_str(), kPlaying));
  install(PROP_MAX_TILE_USES,
          g_param_spec_uint("max-tile-uses", "Maximum tile uses",
                            "How often one tile may stand in a frame. 0: as few times as the pool "
                            "can cover the frame with. 1: strictly once; a pool too small for that "
                            "is an error",
                            0, G_MAXUINT, d.max_tile_uses, kPlaying));
  install(PROP_AUGMENT, g_param_spec_boolean("augment", "Augment",
                                             "Use each photo also mirrored, 10 % brighter and 10 % "
                                             "darker, which makes the pool four times as large",
                                             d.augment, kPlaying));
  install(PROP_COLOR_VARIANTS,
          g_param_spec_uint("color-variants", "Colour variants",
                            "Copies of each tile with its hue turned, evenly around the circle, "
                            "beside the tile itself: what a small pool lacks in colours",
                            0, mt::kMostHues, d.color_variants, kPlaying));
  install(PROP_CACHE_LOCATION,
          g_param_spec_string("cache-location", "Cache location",
                              "Folder in which prepared pools are kept, so that the next start is "
                              "fast. Unset: the user's cache folder. Empty: nowhere",
                              nullptr, kPlaying));
  install(PROP_DEDUP_RADIUS,
          g_param_spec_uint("dedup-radius", "Deduplication radius",
                            "Cells within which one photo is not repeated, where tiles may be used "
                            "more than once. 0: it may be repeated anywhere",
                            0, kLargestRadius, d.dedup_radius, kControllable));
}

void install_frame_properties(GObjectClass* klass, const Settings& d) {
  const PropertyInstaller install{klass};
  install(PROP_BETA, g_param_spec_double("beta", "Beta",
                                         "How dear it is for a cell to change its tile: the higher "
                                         "the steadier the mosaic, the lower the closer each frame "
                                         "to its picture. 0: changes are free",
                                         0, 1, d.beta, kControllable));
  install(PROP_COHERENCE,
          g_param_spec_enum("coherence", "Coherence",
                            "Whether a frame's mosaic builds on the one before", coherence_type(),
                            static_cast<int>(d.coherence), kPlaying));
  install(PROP_FLOW,
          g_param_spec_enum("flow", "Flow",
                            "How motion is found that tiles follow. block: it is looked for at "
                            "flow-size, and a tile goes on to the next cell when its content has "
                            "moved by half a cell; not with the placement faiss_diffusion",
                            flow_type(), static_cast<int>(d.flow), kPlaying));
  install(PROP_SCENE_THRESHOLD,
          g_param_spec_double("scene-threshold", "Scene threshold",
                              "Frame difference, in percent of full scale, above which a scene has "
                              "changed: the mosaic is then made anew and holds on to nothing",
                              0, 100, d.scene_threshold, kControllable));
  install(
      PROP_LOOKAHEAD,
      g_param_spec_uint("lookahead", "Lookahead",
                        "Frames that are seen before a tile changes: the more, the fewer tiles "
                        "do and the better they fit. Adds as much latency. 12 is a good choice; "
                        "0: none",
                        0, kFarthestLook, d.lookahead, kPlaying));
  install(
      PROP_MAX_SOLVE_TIME,
      g_param_spec_uint64("max-solve-time", "Maximum solve time",
                          "Nanoseconds for the choice of a frame's tiles, after which the best "
                          "found so far is taken, how far it is from the best there is certified "
                          "as gap, and the frames that follow go on from it. 0: as long as it "
                          "takes. Unless set, that too, but half a frame's duration in a live "
                          "pipeline. Frames are the same on every run only without a limit",
                          0, GST_CLOCK_TIME_NONE, d.max_solve_time, kControllable));
  install(PROP_TEMPORAL_BLEND,
          g_param_spec_uint("temporal-blend", "Temporal blend",
                            "Frames over which a cell's new tile takes over from the old one, so "
                            "that nothing pops. 0: it does so at once",
                            0, kLongestBlend, d.temporal_blend, kControllable));
  install(PROP_OVERLAY,
          g_param_spec_flags("overlay", "Overlay",
                             "What of the mosaic's making is drawn over it; any of them together",
                             overlay_type(), d.overlay, kControllable));
  install(PROP_N_THREADS, g_param_spec_uint("n-threads", "Threads",
                                            "CPU threads to work with. 0: one for each core. The "
                                            "picture does not depend on it",
                                            0, kMostThreads, d.n_threads, kPlaying));
  install(PROP_SILENT, g_param_spec_boolean("silent", "Silent",
                                            "FALSE: post an element message mosaictemporal-stats "
                                            "for every frame",
                                            d.silent, kPlaying));
}

void install_device_properties(GObjectClass* klass, const Settings& d) {
  const PropertyInstaller install{klass};
  install(PROP_DEVICE, g_param_spec_enum(
                           "device", "Device",
                           "Where the mosaic is made. auto: where the frames are. cuda with "
                           "frames in system memory copies them there and back, cpu with frames in "
                           "CUDA memory too; the picture is the same. cuda without a usable GPU is "
                           "an error",
                           device_type(), static_cast<int>(d.device), kReady));
  install(PROP_REQUIRE_HARDWARE,
          g_param_spec_boolean("require-hardware", "Require hardware",
                               "Make it an error, before any frame, if the decoder upstream does "
                               "not decode in hardware into CUDA memory",
                               d.require_hardware, kReady));
  install(PROP_ACTIVE_CODEC,
          g_param_spec_string("active-codec", "Active codec",
                              "Name of the factory of the decoder upstream. NULL: none was found",
                              nullptr, kReadable));
  install(PROP_STATS, g_param_spec_boxed(
                          "stats", "Statistics",
                          "What has happened since the start: frames, width, height, fps, "
                          "active-codec, cells, tiles, changed, cost, gap, extra (of the last "
                          "frame), dropped, skipped (photos), device, and the last frame's times "
                          "in milliseconds",
                          GST_TYPE_STRUCTURE, kReadable));
}

/// Of properties that write others.
void install_file_properties(GObjectClass* klass, const Settings& d) {
  const PropertyInstaller install{klass};
  install(
      PROP_CONFIG_LOCATION,
      g_param_spec_string(
          "config-location", "Configuration location",
          "A TOML or YAML file of mosaic-temporal-gpu's D1Config. Setting it writes the properties "
          "that are named there, with - for _; what is set after it stays",
          nullptr, kPlaying));
  install(PROP_PROFILE_NAME,
          g_param_spec_string(
              "profile-name", "Profile name",
              "The look: ultra, natural, vivid, vivid_b, tile, fast, plain, or the path "
              "of a TOML file of such fields. Setting it writes all the properties of "
              "the look; what is set after it stays",
              d.profile_name.c_str(), kPlaying));
}

/// Writes what the file says, if there is nothing wrong with it; that is told when it is needed.
void load_config(Settings& s, const char* location, GObjectClass* klass) {
  s.config_error = nullptr;
  if (location && *location) try {
      apply_config_file(s, location, klass);
    } catch (const std::exception&) {
      s.config_error = std::current_exception();
    }
  s.config_location = location ? location : "";
}

/// Writes the look; a profile that is not there is told when it is needed.
void load_profile(Settings& s, const std::string& name) {
  s.profile_name = name;
  s.profile_error = nullptr;
  try {
    s.look = mosaic::load_profile(name);
  } catch (const std::exception&) {
    s.profile_error = std::current_exception();
  }
}

std::string string_or(const GValue* value, const char* fallback) {
  const char* text = g_value_get_string(value);
  return text ? text : fallback;
}

}  // namespace

Settings::Settings() {
  load_profile(*this, kDefaultProfile);
}

void Settings::check() const {
  if (config_error) std::rethrow_exception(config_error);
  if (profile_error) std::rethrow_exception(profile_error);
  config.check();
}

int64_t Settings::solve_budget(bool live, GstClockTime frame_duration) const {
  constexpr GstClockTime kLongest = 3600 * GST_SECOND;
  if (GST_CLOCK_TIME_IS_VALID(max_solve_time))
    return static_cast<int64_t>(std::min(max_solve_time, kLongest));
  return live ? static_cast<int64_t>(frame_duration / 2) : 0;
}

mosaic::FrameSettings Settings::frame_settings(int64_t solve_budget_ns) const {
  mosaic::FrameSettings frame;
  frame.beta = beta;
  frame.coherence = coherence;
  frame.flow = flow;
  frame.scene_threshold = scene_threshold;
  frame.dedup_radius = dedup_radius;
  frame.temporal_blend = static_cast<int>(temporal_blend);
  frame.overlay = overlay;
  frame.solve_budget_ns = solve_budget_ns;
  frame.look = look;
  config.write(frame);
  return frame;
}

void install_properties(GObjectClass* object_class) {
  const Settings defaults;
  install_pool_properties(object_class, defaults);
  install_frame_properties(object_class, defaults);
  install_device_properties(object_class, defaults);
  install_config_properties(object_class, defaults.config);
  install_file_properties(object_class, defaults);
  install_look_properties(object_class, PROP_LOOK, defaults.look);
  gst_type_mark_as_plugin_api(coherence_type(), static_cast<GstPluginAPIFlags>(0));
  gst_type_mark_as_plugin_api(flow_type(), static_cast<GstPluginAPIFlags>(0));
  gst_type_mark_as_plugin_api(device_type(), static_cast<GstPluginAPIFlags>(0));
  gst_type_mark_as_plugin_api(overlay_type(), static_cast<GstPluginAPIFlags>(0));
}

bool get_setting(const Settings& s, guint id, GValue* value) {
  // clang-format off
  switch (id) {
    case PROP_TILE_LOCATION:
      g_value_set_string(value, s.tile_location.empty() ? nullptr : s.tile_location.c_str());
      return true;
    case PROP_TILE_SIZE: g_value_set_uint(value, s.tile_size); return true;
    case PROP_SIZE: g_value_set_string(value, s.size.c_str()); return true;
    case PROP_MAX_TILE_USES: g_value_set_uint(value, s.max_tile_uses); return true;
    case PROP_AUGMENT: g_value_set_boolean(value, s.augment); return true;
    case PROP_COLOR_VARIANTS: g_value_set_uint(value, s.color_variants); return true;
    case PROP_CACHE_LOCATION:
      g_value_set_string(value, s.cache_location ? s.cache_location->c_str() : nullptr);
      return true;
    case PROP_DEDUP_RADIUS: g_value_set_uint(value, s.dedup_radius); return true;
    case PROP_BETA: g_value_set_double(value, s.beta); return true;
    case PROP_COHERENCE: g_value_set_enum(value, static_cast<int>(s.coherence)); return true;
    case PROP_FLOW: g_value_set_enum(value, static_cast<int>(s.flow)); return true;
    case PROP_SCENE_THRESHOLD: g_value_set_double(value, s.scene_threshold); return true;
    case PROP_LOOKAHEAD: g_value_set_uint(value, s.lookahead); return true;
    case PROP_MAX_SOLVE_TIME: g_value_set_uint64(value, s.max_solve_time); return true;
    case PROP_TEMPORAL_BLEND: g_value_set_uint(value, s.temporal_blend); return true;
    case PROP_OVERLAY: g_value_set_flags(value, s.overlay); return true;
    case PROP_N_THREADS: g_value_set_uint(value, s.n_threads); return true;
    case PROP_SILENT: g_value_set_boolean(value, s.silent); return true;
    case PROP_DEVICE: g_value_set_enum(value, static_cast<int>(s.device)); return true;
    case PROP_REQUIRE_HARDWARE: g_value_set_boolean(value, s.require_hardware); return true;
    case PROP_CONFIG_LOCATION:
      g_value_set_string(value, s.config_location.empty() ? nullptr : s.config_location.c_str());
      return true;
    case PROP_PROFILE_NAME: g_value_set_string(value, s.profile_name.c_str()); return true;
    default:
      return get_config_setting(s.config, id, value) ||
             (id >= PROP_LOOK && get_look_field(s.look, id - PROP_LOOK, value));
  }
  // clang-format on
}

bool set_setting(Settings& s, const GParamSpec* spec, const GValue* value) {
  const guint id = spec->param_id;
  // clang-format off
  switch (id) {
    case PROP_TILE_LOCATION: s.tile_location = string_or(value, ""); return true;
    case PROP_TILE_SIZE:
      s.tile_size = g_value_get_uint(value);
      if (s.tile_size) s.tile_size = std::max(s.tile_size, kSmallestTile);
      return true;
    case PROP_SIZE: s.size = string_or(value, "700"); return true;
    case PROP_MAX_TILE_USES: s.max_tile_uses = g_value_get_uint(value); return true;
    case PROP_AUGMENT: s.augment = g_value_get_boolean(value); return true;
    case PROP_COLOR_VARIANTS: s.color_variants = g_value_get_uint(value); return true;
    case PROP_CACHE_LOCATION:
      s.cache_location.reset();
      if (g_value_get_string(value)) s.cache_location = g_value_get_string(value);
      return true;
    case PROP_DEDUP_RADIUS: s.dedup_radius = g_value_get_uint(value); return true;
    case PROP_BETA: s.beta = g_value_get_double(value); return true;
    case PROP_COHERENCE:
      s.coherence = static_cast<mosaic::Coherence>(g_value_get_enum(value));
      return true;
    case PROP_FLOW: s.flow = static_cast<mosaic::Flow>(g_value_get_enum(value)); return true;
    case PROP_SCENE_THRESHOLD: s.scene_threshold = g_value_get_double(value); return true;
    case PROP_LOOKAHEAD: s.lookahead = g_value_get_uint(value); return true;
    case PROP_MAX_SOLVE_TIME: s.max_solve_time = g_value_get_uint64(value); return true;
    case PROP_TEMPORAL_BLEND: s.temporal_blend = g_value_get_uint(value); return true;
    case PROP_OVERLAY: s.overlay = g_value_get_flags(value); return true;
    case PROP_N_THREADS: s.n_threads = g_value_get_uint(value); return true;
    case PROP_SILENT: s.silent = g_value_get_boolean(value); return true;
    case PROP_DEVICE: s.device = static_cast<Device>(g_value_get_enum(value)); return true;
    case PROP_REQUIRE_HARDWARE: s.require_hardware = g_value_get_boolean(value); return true;
    case PROP_CONFIG_LOCATION:
      load_config(s, g_value_get_string(value),
                  G_OBJECT_CLASS(g_type_class_peek(spec->owner_type)));
      return true;
    case PROP_PROFILE_NAME: load_profile(s, string_or(value, kDefaultProfile)); return true;
    default:
      return set_config_setting(s.config, id, value) ||
             (id >= PROP_LOOK && set_look_field(s.look, id - PROP_LOOK, value));
  }
  // clang-format on
}

}  // namespace mosaic_gst
