// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/properties/property_table.h"

#include <algorithm>
#include <memory>

#include "gst/properties/config_file.h"
#include "mosaic/base/error.h"
#include "mosaic/base/list_text.h"
#include "mosaic/motion_network/raft_weights.h"
#include "mosaic/settings/profile.h"

namespace mosaic_gst {
namespace {

using mosaic::FrameSettings;

constexpr unsigned kSmallestTile = 8, kLargestTile = 256;  // pixels
constexpr unsigned kMaxThreads = 256;
constexpr unsigned kLongestLookahead = 64;  // frames
constexpr unsigned kLongestBlend = 16;      // frames

void take_config_file(Settings& settings, const std::string& path) {
  if (path.empty()) return;
  apply_config_file(settings, path, element_properties());
}

void take_profile(Settings& settings, const std::string& name) {
  settings.frame.look = load_look(name);
}

void check_size(Settings&, const std::string& size) {
  mosaic::check_size(size);
}

void take_flow_weights(Settings& settings, const std::string& file) {
  settings.frame.flow_weights =
      file.empty() ? nullptr
                   : std::make_shared<const mosaic::RaftWeights>(mosaic::load_raft_weights(file));
}

void check_flow_size(Settings&, const std::string& size) {
  parse_flow_size(size);
}

/// One of D1Config's choices between its own implementations, which has no effect here.
/// @param words that are valid: those of mosaic-temporal-gpu and of mosaic-temporal, and auto;
///              empty: any text is valid
Property without_effect(const Label& label, std::string Settings::*member,
                        const std::vector<std::string>& words = {}) {
  const TakeText check = [=](Settings&, const std::string& text) {
    if (words.empty() || std::find(words.begin(), words.end(), text) != words.end()) return;
    throw mosaic::Error(mosaic::Error::Kind::kSettings,
                        std::string(label.name) + " \"" + text + "\" is not valid",
                        "use " + mosaic::choice_text(words));
  };
  return in_config(text(label, kPlaying, member, check));
}

/// Raises a side below kSmallestTile to it, because a smaller cell has too few pixels for its
/// features.
Property tile_size(const Label& label) {
  Property property = number(label, kPlaying, &Settings::tile_size, 0, kLargestTile);
  const auto raise = [](Settings& s) {
    if (s.tile_size > 0) s.tile_size = std::max(s.tile_size, kSmallestTile);
  };
  property.set = [set = property.set, raise](Settings& s, const GValue* value) {
    set(s, value);
    raise(s);
  };
  property.read = [read = property.read, raise](Settings& s, const mosaic::Setting& from) {
    read(s, from);
    raise(s);
  };
  return property;
}

/// A file does not name another one.
Property not_in_files(Property property) {
  property.read = nullptr;
  return property;
}

constexpr GFlagsValue kOverlays[] = {
    {mosaic::kOverlayGrid, "Lines between cells", "grid"},
    {mosaic::kOverlayChanged, "A red border around cells whose tile has changed", "changed"},
    {mosaic::kOverlayMotion, "The motion that tiles follow, with flow=block or raft", "motion"},
    {mosaic::kOverlaySaliency, "Green: saliency of each cell", "saliency"},
    {mosaic::kOverlayCost, "Red: cost of the tile in each cell", "cost"},
    {mosaic::kOverlayAge, "Blue: age of the tile in each cell, new tiles brightest", "age"},
    {0, nullptr, nullptr}};

GParamSpec* make_overlay_spec(const Label& label, unsigned initial) {
  const GType type = g_flags_register_static("GstMosaicTemporalOverlay", kOverlays);
  gst_type_mark_as_plugin_api(type, static_cast<GstPluginAPIFlags>(0));
  return g_param_spec_flags(label.name, label.nick, label.blurb, type, initial, kControllable);
}

/// Names with + between them; an empty text: none.
unsigned read_overlay(const mosaic::Setting& from) {
  unsigned flags = 0;
  const std::string& text = from.text();
  for (size_t start = 0; start < text.size();) {
    const size_t end = std::min(text.find('+', start), text.size());
    const std::string name = text.substr(start, end - start);
    const GFlagsValue* flag = kOverlays;
    while (flag->value_nick && name != flag->value_nick) ++flag;
    if (!flag->value_nick)
      from.fail(from.key() + " \"" + name + "\" is not valid",
                "use names with + between them: grid, changed, motion, saliency, cost or age");
    flags |= flag->value;
    start = end + 1;
  }
  return flags;
}

Property overlay(const Label& label) {
  Property property{label};
  property.make_spec = [=](const Settings& defaults) {
    return make_overlay_spec(label, defaults.frame.overlay);
  };
  property.get = [](const Settings& s, GValue* to) { g_value_set_flags(to, s.frame.overlay); };
  property.set = [](Settings& s, const GValue* from) { s.frame.overlay = g_value_get_flags(from); };
  property.read = [](Settings& s, const mosaic::Setting& from) {
    s.frame.overlay = read_overlay(from);
  };
  return property;
}

GParamSpec* make_structure_spec(const Label& l) {
  return g_param_spec_boxed(l.name, l.nick, l.blurb, GST_TYPE_STRUCTURE, kReadable);
}

GParamSpec* make_texts_spec(const Label& l) {
  return g_param_spec_boxed(l.name, l.nick, l.blurb, G_TYPE_STRV, kReadable);
}

GParamSpec* make_text_spec(const Label& l) {
  return g_param_spec_string(l.name, l.nick, l.blurb, nullptr, kReadable);
}

/// In the order in which a GstPreset sets them: properties that set others come first. They are
/// those that no other list has.
const std::vector<Property> kProperties = {
    number({"cuda-device-id", "CUDA device",
            "Number of the GPU to use (-1 = the one that the pipeline uses, or the first). Frames "
            "that arrive in the memory of another GPU are drawn on that GPU"},
           kReady, &Settings::cuda_device_id, -1, G_MAXINT),
    not_in_files(text(
        {"config-location", "Configuration location",
         "TOML or YAML file with properties of this element, and _ for - in their names, such as a "
         "D1Config of mosaic-temporal-gpu. Setting this property sets the properties that the file "
         "names. Properties set later override the file"},
        kPlaying, &Settings::config_location, take_config_file)),
    in_config(text(
        {"profile-name", "Profile name",
         "The look: one of mosaicraft's, ultra, natural, vivid, vivid_b, tile, fast or plain; one "
         "of "
         "this element's, faithful (the scene first), film (for dark scenes) or photos (the photos "
         "first); or the path of a TOML file with fields of the look. Setting this property sets "
         "all properties of the look. "
         "Properties set later override the profile"},
        kPlaying, &Settings::profile_name, take_profile)),
    text({"tile-location", "Tile location",
          "Source of the tiles: a folder of photos (searched recursively), an image file, a pack "
          "(made by mosaic-temporal pack), or a "
          "video file or URI, whose frames at regular intervals are used; a pattern with *, ? or "
          "[a-z] that matches such folders and files (\"photos/*/2023\"); or several of these, "
          "separated by semicolons. A path that exists is always taken literally, and a semicolon "
          "in a URI is written %3B (NULL = built-in procedural pictures)"},
         kPlaying, &Settings::tile_location),
    tile_size({"tile-size", "Tile size",
               "Side of a cell in pixels of the input, from 8 to 256; 1 to 7 are raised to 8 (0 = "
               "chosen by the size property). If pixels are not square, the shorter side: the "
               "width if they are wider than high, and the cell is square on the display"}),
    in_config(text({"size", "Size",
                    "Number of cells in a frame: an approximate total (\"700\") or an exact grid, "
                    "COLUMNSxROWS (\"40x30\"). A total makes cells that are square on the display, "
                    "whatever the pixel aspect ratio; a grid divides the frame into equal parts. "
                    "Ignored if tile-size is not 0"},
                   kPlaying, &Settings::size, check_size)),
    boolean({"augment", "Augment",
             "Also use each photo mirrored, 10 % brighter and 10 % darker, which makes the number "
             "of tiles four times as large"},
            kPlaying, &Settings::augment),
    number({"color-variants", "Colour variants",
            "Number of copies of each tile with rotated hue, at equal steps around the circle of "
            "hues, to add colours to a small set of photos"},
           kPlaying, &Settings::color_variants, 0, mt::kMaxHues),
    optional_text({"cache-location", "Cache location",
                   "Folder in which prepared photos are cached for the next start (NULL = the "
                   "user's cache folder, empty = no cache)"},
                  kPlaying, &Settings::cache_location),
    in_config(number({"beta", "Beta",
                      "Price of changing the tile of a cell. Higher values give a steadier mosaic, "
                      "lower values one closer to each frame (0 = changes are free)"},
                     kControllable, in_frame(&FrameSettings::beta), 0, 1)),
    enumeration({"coherence", "Coherence", "Whether tiles stay in place from frame to frame"},
                kPlaying, in_frame(&FrameSettings::coherence), "GstMosaicTemporalCoherence",
                {{mosaic::Coherence::kTemporal, "temporal",
                  "Tiles stay while the picture in their cell does"},
                 {mosaic::Coherence::kNone, "none", "Each frame is independent"}}),
    enumeration({"flow", "Flow",
                 "Motion estimation for tiles that follow motion. With block, motion is estimated "
                 "at flow-size, and a tile moves to the next cell when its content has moved by "
                 "half a cell; raft does the same with a network, which finds the motion better, "
                 "takes far longer on a CPU, and needs flow-weights. Has no effect with "
                 "placement=faiss_diffusion"},
                kPlaying, in_frame(&FrameSettings::flow), "GstMosaicTemporalFlow",
                {{mosaic::Flow::kIdentity, "identity", "Tiles stay in their cells"},
                 {mosaic::Flow::kBlock, "block", "Tiles follow motion found by block matching"},
                 {mosaic::Flow::kRaft, "raft", "Tiles follow motion found by RAFT's small model"}}),
    number({"scene-threshold", "Scene threshold",
            "Difference between frames, in percent of full scale, above which a new scene begins: "
            "its mosaic does not depend on earlier frames"},
           kControllable, in_frame(&FrameSettings::scene_threshold), 0, 100),
    number({"lookahead", "Lookahead",
            "Number of later frames examined before a tile is changed, which is also the latency "
            "in frames. Higher values give fewer changes and a closer mosaic; 12 is a good choice "
            "(0 = no lookahead)"},
           kPlaying, &Settings::lookahead, 0, kLongestLookahead),
    number({"max-solve-time", "Maximum solve time",
            "Time limit in nanoseconds for choosing the tiles of a frame (0 = unlimited, "
            "18446744073709551615 = unlimited, but half the frame duration in a live pipeline). "
            "When the limit is reached, the best solution so far is used, gap in the statistics "
            "is its certified distance from the optimum, and the frames that follow improve it. "
            "Output is reproducible only without a limit"},
           kControllable, &Settings::max_solve_time, 0, GST_CLOCK_TIME_NONE),
    enumeration({"live-quality", "Live quality",
                 "What gives way in a live pipeline when frames take too long to draw and the sink "
                 "reports it (QoS). Frames that would come too late repeat the last mosaic in any "
                 "case, unless there is a lookahead"},
                kPlaying, &Settings::live_quality, "GstMosaicTemporalLiveQuality",
                {{LiveQuality::kAuto, "auto",
                  "Small changes of the source are left out, the more the less time there is "
                  "(with fidelity above 0)"},
                 {LiveQuality::kKeep, "keep", "The frame rate: each mosaic is complete"}}),
    number<guint>(
        {"temporal-blend", "Temporal blend",
         "Number of frames over which a new tile fades in (0 = tiles change at once). With "
         "fidelity above 0, tiles change at once in cells whose source moves"},
        kControllable, in_frame(&FrameSettings::temporal_blend), 0, kLongestBlend),
    number({"mix", "Mix",
            "Share of the mosaic in the picture; the rest is the source, scaled where sizes "
            "differ. The mosaic is made in full whatever the value, so that fades are smooth "
            "(0 = the source, 1 = the mosaic)"},
           kControllable, in_frame(&FrameSettings::mix), 0, 1),
    overlay(
        {"overlay", "Overlay", "Diagnostic marks drawn over the mosaic; flags may be combined"}),
    number({"n-threads", "Threads",
            "Number of CPU threads, which does not affect the picture (0 = one for each core)"},
           kPlaying, &Settings::n_threads, 0, kMaxThreads),
    in_config(boolean(
        {"silent", "Silent", "Do not post an element message mosaictemporal-stats for each frame"},
        kPlaying, &Settings::silent)),
    in_config(enumeration(
        {"device", "Device",
         "Device that makes the mosaic. Frames in the other device's memory are copied there and "
         "back; the picture does not depend on the device. It is an error if cuda is chosen and "
         "there is no usable GPU"},
        kReady, &Settings::device, "GstMosaicTemporalDevice",
        {{Device::kAuto, "auto", "The device in whose memory the frames are"},
         {Device::kCpu, "cpu", "The CPU"},
         {Device::kCuda, "cuda", "An NVIDIA GPU"}})),
    boolean({"require-hardware", "Require hardware",
             "Fail before the first frame if the decoder upstream does not decode in hardware into "
             "CUDA memory"},
            kReady, &Settings::require_hardware),
    read_only({"active-codec", "Active codec",
               "Factory name of the decoder upstream (NULL = none was found)"},
              make_text_spec),
    read_only({"stats", "Statistics",
               "Statistics since the start: frames, width, height, fps, active-codec, dropped, "
               "repeated (frames that show the last mosaic again to be in time), economy (0 = none "
               "to 5, see live-quality), skipped (photos), device; of the last frame: cells, "
               "tiles, changed, cost, gap, "
               "extra, and the time of each stage in milliseconds"},
              make_structure_spec),
    read_only({"photos", "Photos",
               "Photos used for the last frame, by the numbers in GstMosaicTemporalMeta: paths of "
               "files, \"PATH at SECONDS s\" for frames of a video, \"built-in NUMBER\" for "
               "built-in pictures (NULL = no frame was drawn)"},
              make_texts_spec),
    in_config(number({"ema-alpha", "EMA alpha",
                      "Weight of the newest frame in moving averages of the frame's statistics, "
                      "such as saliency and colours. Lower values are steadier (1 = the newest "
                      "frame only, 0 = the first frame of the scene)"},
                     kControllable, in_frame(&FrameSettings::ema_alpha), 0, 1)),
    in_config(text({"flow-size", "Flow size",
                    "WIDTHxHEIGHT, from 1x1 to 16384x16384, to which frames are scaled to detect "
                    "scene changes and motion (flow). Each side is at least 16 and at most the "
                    "frame's"},
                   kPlaying, &Settings::flow_size, check_flow_size)),
    text({"flow-weights", "Flow weights",
          "Weights of RAFT's small model for flow=raft, a safetensors file that "
          "scripts/raft_weights.py makes (NULL = none)"},
         kPlaying, &Settings::flow_weights, take_flow_weights),
    number<guint>({"flow-iterations", "Flow iterations",
                   "Updates of the motion with flow=raft: more are better and take longer"},
                  kPlaying, in_frame(&FrameSettings::flow_iterations), 1, 64),
    in_config(enumeration(
        {"solver", "Solver",
         "Method of assigning tiles to cells. Values other than auto override placement"},
        kPlaying, &Settings::solver, "GstMosaicTemporalSolver",
        {{Solver::kAuto, "auto", "According to placement; optimal, within max-solve-time"},
         {Solver::kExact, "exact", "Optimal, without a time limit"},
         {Solver::kExact, "scipy", nullptr},
         {Solver::kAuction, "auction",
          "Auction algorithm: close to the optimum, with a "
          "certified gap"},
         {Solver::kAuction, "torch-lap", nullptr},
         {Solver::kGreedy, "greedy", "Cell by cell, row by row, the cheapest free tile"},
         {Solver::kDiffusion, "diffusion", "As placement=faiss_diffusion"}})),
    in_config(enumeration(
        {"pipeline", "Pipeline",
         "Whether a frame is pushed while the GPU is still drawing it. Does not affect the "
         "picture, and has no effect on the CPU"},
        kPlaying, &Settings::pipeline, "GstMosaicTemporalPipeline",
        {{Pipeline::kStream, "stream", "Frames are pushed while the GPU may still be drawing them"},
         {Pipeline::kSequential, "sequential", "Each frame is finished before it is pushed"}})),
    without_effect({"ssim-impl", "SSIM implementation",
                    "D1Config's implementation of SSIM: auto, torch_exact or skimage. Accepted for "
                    "compatibility, without effect"},
                   &Settings::ssim_impl, {"auto", "torch_exact", "skimage"}),
    without_effect({"swap-impl", "Swap implementation",
                    "D1Config's implementation of swaps between neighbouring cells: any string. "
                    "Accepted for compatibility, without effect"},
                   &Settings::swap_impl),
    without_effect({"assemble-impl", "Assembly implementation",
                    "D1Config's device for drawing tiles: auto, gpu or cpu. Accepted for "
                    "compatibility, without effect; see the device property"},
                   &Settings::assemble_impl, {"auto", "gpu", "cpu"}),
    without_effect({"postprocess-impl", "Postprocessing implementation",
                    "D1Config's device for finishing the picture: auto, gpu or cpu. Accepted for "
                    "compatibility, without effect; see the device property"},
                   &Settings::postprocess_impl, {"auto", "gpu", "cpu"}),
    in_config(boolean({"keep-intermediate", "Keep intermediate",
                       "Write the intermediate pictures of each frame (source, saliency, tiles, "
                       "finished) to intermediate-location as PNG files, for debugging"},
                      kPlaying, &Settings::keep_intermediate)),
    text({"intermediate-location", "Intermediate location",
          "Folder for the files of keep-intermediate, which is created if it does not exist. Files "
          "are named after frame and stage, like frame-000012-finished.png"},
         kPlaying, &Settings::intermediate_location),
    in_config(number({"png-compression", "PNG compression",
                      "Compression level of the files of keep-intermediate (0 = none and fastest, "
                      "9 = smallest and slowest)"},
                     kPlaying, &Settings::png_compression, 0, 9)),
};

}  // namespace

const std::vector<Property>& element_properties() {
  static const std::vector<Property> properties = [] {
    std::vector<Property> all = kProperties;
    for (const auto more : {shape_properties, use_properties, window_properties, look_properties})
      for (Property& property : more()) all.push_back(std::move(property));
    return all;
  }();
  return properties;
}

}  // namespace mosaic_gst
