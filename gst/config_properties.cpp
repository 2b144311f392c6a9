// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/config_properties.h"

#include <algorithm>
#include <charconv>
#include <span>

#include "gst/install_property.h"
#include "gst/properties.h"
#include "mosaic/error.h"
#include "mosaic/grid.h"
#include "mosaic/list_text.h"

namespace mosaic_gst {
namespace {

constexpr int kLongestSide = 16384;

GType solver_type() {
  static const GEnumValue values[] = {
      {static_cast<int>(Solver::kAuto),
       "As the property placement says; in time for live pipelines", "auto"},
      {static_cast<int>(Solver::kExact), "The least sum of costs, however long it takes", "exact"},
      {static_cast<int>(Solver::kAuction), "Bids alone: near the least sum, its gap certified",
       "auction"},
      {static_cast<int>(Solver::kGreedy), "Cell by cell, row by row, the cheapest tile left",
       "greedy"},
      {static_cast<int>(Solver::kDiffusion), "The placement faiss_diffusion", "diffusion"},
      {0, nullptr, nullptr}};
  static const GType type = g_enum_register_static("GstMosaicTemporalSolver", values);
  return type;
}

GType pipeline_type() {
  static const GEnumValue values[] = {
      {static_cast<int>(Pipeline::kStream), "A frame may be under way when the next one comes",
       "stream"},
      {static_cast<int>(Pipeline::kSequential), "One frame at a time", "sequential"},
      {0, nullptr, nullptr}};
  static const GType type = g_enum_register_static("GstMosaicTemporalPipeline", values);
  return type;
}

/// The words of a selector: those of mosaic-temporal-gpu, of its sibling mosaic-temporal, and auto.
/// swap_impl has none: D1Config takes any word for it.
struct Selector {
  std::string_view property;
  std::span<const std::string_view> words;
};
constexpr std::string_view kSsimWords[] = {"auto", "torch_exact", "skimage"};
constexpr std::string_view kDeviceWords[] = {"auto", "gpu", "cpu"};
constexpr Selector kSelectors[] = {
    {"ssim-impl", kSsimWords}, {"assemble-impl", kDeviceWords}, {"postprocess-impl", kDeviceWords}};

/// A number from 1 to kLongestSide that fills the text; 0: it is none.
int parse_side(std::string_view text) {
  int side = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), side);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && side >= 1 && side <= kLongestSide ? side : 0;
}

/// Both 0 where it is no WxH.
void parse_size(std::string_view text, int* width, int* height) {
  const size_t x = text.find_first_of("xX");
  *width = x == text.npos ? 0 : parse_side(text.substr(0, x));
  *height = *width ? parse_side(text.substr(x + 1)) : 0;
  if (*height == 0) *width = 0;
}

constexpr char kSsimBlurb[] =
    "D1Config's choice of who computes SSIM: auto, torch_exact or skimage. Taken so that such "
    "configurations work as they are; both devices compute it alike here, to the bit";
constexpr char kSwapBlurb[] =
    "D1Config's choice of who swaps neighbouring tiles. Any word is taken, as D1Config does, so "
    "that such configurations work as they are; the picture does not depend on it";
constexpr char kAssembleBlurb[] =
    "D1Config's choice of who draws the tiles: auto, gpu or cpu. Taken so that such configurations "
    "work as they are; the property device says where everything runs";
constexpr char kPostprocessBlurb[] =
    "D1Config's choice of who finishes the picture: auto, gpu or cpu. Taken so that such "
    "configurations work as they are; the property device says where everything runs";

void install_how(GObjectClass* klass, const ConfigSettings& d) {
  const PropertyInstaller install{klass};
  install(PROP_EMA_ALPHA,
          g_param_spec_double("ema-alpha", "EMA alpha",
                              "Weight of the newest frame where figures of the picture (what "
                              "matters in it, its colours) are averaged over time: the lower, the "
                              "steadier. 1: each frame by itself. 0: as the scene began",
                              0, 1, d.ema_alpha, kControllable));
  install(PROP_FLOW_SIZE,
          g_param_spec_string("flow-size", "Flow size",
                              "WIDTHxHEIGHT that frames are made small to where one is compared "
                              "with the next, to see where a scene ends and what moves (flow), "
                              "from 1x1 to 16384x16384; "
                              "less than 16 counts as 16, more than the frame has as the frame",
                              d.flow_size.c_str(), kPlaying));
  install(PROP_SOLVER,
          g_param_spec_enum("solver", "Solver",
                            "How tiles are given to cells. auto: as the property placement says, "
                            "and for the least sum of costs, which a live pipeline is given half a "
                            "frame's time to find; any other goes before placement",
                            solver_type(), static_cast<int>(d.solver), kPlaying));
  install(PROP_PIPELINE,
          g_param_spec_enum("pipeline", "Pipeline",
                            "Whether a frame is handed on while the GPU is still drawing it, or "
                            "each is finished first. The picture is the same, and on the CPU the "
                            "pace too",
                            pipeline_type(), static_cast<int>(d.pipeline), kPlaying));
}

void install_selectors(GObjectClass* klass, const ConfigSettings& d) {
  const auto install = [klass](guint id, const char* name, const char* nick, const char* blurb,
                               const std::string& value) {
    PropertyInstaller{klass}(id, g_param_spec_string(name, nick, blurb, value.c_str(), kPlaying));
  };
  install(PROP_SSIM_IMPL, "ssim-impl", "SSIM implementation", kSsimBlurb, d.ssim_impl);
  install(PROP_SWAP_IMPL, "swap-impl", "Swap implementation", kSwapBlurb, d.swap_impl);
  install(PROP_ASSEMBLE_IMPL, "assemble-impl", "Assembly implementation", kAssembleBlurb,
          d.assemble_impl);
  install(PROP_POSTPROCESS_IMPL, "postprocess-impl", "Postprocessing implementation",
          kPostprocessBlurb, d.postprocess_impl);
}

void install_intermediate(GObjectClass* klass, const ConfigSettings& d) {
  const PropertyInstaller install{klass};
  install(PROP_KEEP_INTERMEDIATE,
          g_param_spec_boolean("keep-intermediate", "Keep intermediate",
                               "Write what each frame looks like on its way as PNG files in "
                               "intermediate-location: source, saliency, tiles, finished. Takes "
                               "time and room; for looking into things",
                               d.keep_intermediate, kPlaying));
  install(PROP_INTERMEDIATE_LOCATION,
          g_param_spec_string("intermediate-location", "Intermediate location",
                              "Folder that keep-intermediate writes to, as "
                              "frame-000012-finished.png for the frame that the messages call 12; "
                              "made if it is not there",
                              nullptr, kPlaying));
  install(PROP_PNG_COMPRESSION,
          g_param_spec_int("png-compression", "PNG compression",
                           "How hard keep-intermediate compresses its files. 0: not at all, and "
                           "quick; 9: as small as can be, and slow",
                           0, 9, d.intermediate.compression, kPlaying));
}

const char* text_or(const GValue* value, const char* fallback) {
  const char* text = g_value_get_string(value);
  return text ? text : fallback;
}

}  // namespace

void check_text(std::string_view property, const std::string& text) {
  using mosaic::Error;
  const auto refuse = [&](const char* what, const std::string& allowed) {
    throw Error(Error::Kind::kSettings, std::string(property) + " \"" + text + "\" is " + what,
                allowed);
  };
  if (property == "size") return mosaic::check_size(text);
  if (property == "flow-size") {
    int width, height;
    parse_size(text, &width, &height);
    if (width == 0)
      refuse("no size", "WIDTHxHEIGHT in pixels, like 480x272, from 1x1 to 16384x16384");
  }
  for (const Selector& selector : kSelectors) {
    if (selector.property != property) continue;
    if (std::ranges::find(selector.words, text) != selector.words.end()) return;
    refuse("none of its words", mosaic::list_text(selector.words));
  }
}

void ConfigSettings::check() const {
  if (keep_intermediate && intermediate.folder.empty())
    throw mosaic::Error(mosaic::Error::Kind::kSettings,
                        "keep-intermediate has no folder to write to",
                        "set intermediate-location, or unset keep-intermediate");
  check_text("flow-size", flow_size);
  check_text("ssim-impl", ssim_impl);
  check_text("assemble-impl", assemble_impl);
  check_text("postprocess-impl", postprocess_impl);
}

void ConfigSettings::write(mosaic::FrameSettings& frame) const {
  frame.ema_alpha = ema_alpha;
  frame.flow_width = flow_width;
  frame.flow_height = flow_height;
  if (solver == Solver::kAuto) return;
  frame.look.placement = solver == Solver::kDiffusion ? mosaic::PlacementKind::kDiffusion
                                                      : mosaic::PlacementKind::kAssignment;
  if (solver == Solver::kExact) frame.solve_budget_ns = 0;
  if (solver == Solver::kAuction) frame.effort = mosaic::Effort::kAuction;
  if (solver == Solver::kGreedy) frame.effort = mosaic::Effort::kGreedy;
}

void install_config_properties(GObjectClass* object_class, const ConfigSettings& defaults) {
  install_how(object_class, defaults);
  install_selectors(object_class, defaults);
  install_intermediate(object_class, defaults);
  gst_type_mark_as_plugin_api(solver_type(), static_cast<GstPluginAPIFlags>(0));
  gst_type_mark_as_plugin_api(pipeline_type(), static_cast<GstPluginAPIFlags>(0));
}

bool get_config_setting(const ConfigSettings& s, guint id, GValue* value) {
  // clang-format off
  switch (id) {
    case PROP_EMA_ALPHA: g_value_set_double(value, s.ema_alpha); return true;
    case PROP_FLOW_SIZE: g_value_set_string(value, s.flow_size.c_str()); return true;
    case PROP_SOLVER: g_value_set_enum(value, static_cast<int>(s.solver)); return true;
    case PROP_PIPELINE: g_value_set_enum(value, static_cast<int>(s.pipeline)); return true;
    case PROP_SSIM_IMPL: g_value_set_string(value, s.ssim_impl.c_str()); return true;
    case PROP_SWAP_IMPL: g_value_set_string(value, s.swap_impl.c_str()); return true;
    case PROP_ASSEMBLE_IMPL: g_value_set_string(value, s.assemble_impl.c_str()); return true;
    case PROP_POSTPROCESS_IMPL:
      g_value_set_string(value, s.postprocess_impl.c_str());
      return true;
    case PROP_KEEP_INTERMEDIATE: g_value_set_boolean(value, s.keep_intermediate); return true;
    case PROP_INTERMEDIATE_LOCATION: {
      const std::string& folder = s.intermediate.folder;
      g_value_set_string(value, folder.empty() ? nullptr : folder.c_str());
      return true;
    }
    case PROP_PNG_COMPRESSION: g_value_set_int(value, s.intermediate.compression); return true;
    default: return false;
  }
  // clang-format on
}

bool set_config_setting(ConfigSettings& s, guint id, const GValue* value) {
  // clang-format off
  switch (id) {
    case PROP_EMA_ALPHA: s.ema_alpha = g_value_get_double(value); return true;
    case PROP_FLOW_SIZE:
      s.flow_size = text_or(value, ConfigSettings{}.flow_size.c_str());
      parse_size(s.flow_size, &s.flow_width, &s.flow_height);
      return true;
    case PROP_SOLVER: s.solver = static_cast<Solver>(g_value_get_enum(value)); return true;
    case PROP_PIPELINE: s.pipeline = static_cast<Pipeline>(g_value_get_enum(value)); return true;
    case PROP_SSIM_IMPL: s.ssim_impl = text_or(value, "auto"); return true;
    case PROP_SWAP_IMPL: s.swap_impl = text_or(value, "auto"); return true;
    case PROP_ASSEMBLE_IMPL: s.assemble_impl = text_or(value, "auto"); return true;
    case PROP_POSTPROCESS_IMPL: s.postprocess_impl = text_or(value, "auto"); return true;
    case PROP_KEEP_INTERMEDIATE: s.keep_intermediate = g_value_get_boolean(value); return true;
    case PROP_INTERMEDIATE_LOCATION: s.intermediate.folder = text_or(value, ""); return true;
    case PROP_PNG_COMPRESSION: s.intermediate.compression = g_value_get_int(value); return true;
    default: return false;
  }
  // clang-format on
}

}  // namespace mosaic_gst
