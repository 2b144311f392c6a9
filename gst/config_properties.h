// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The fields of mosaic-temporal-gpu's D1Config that are about how the work is done, not about the
/// picture wanted, and the folder of its intermediate pictures.
#pragma once

#include <gst/gst.h>

#include <string>
#include <string_view>

#include "mosaic/engine.h"
#include "mosaic/intermediate.h"

namespace mosaic_gst {

enum class Solver { kAuto, kExact, kAuction, kGreedy, kDiffusion };
enum class Pipeline { kStream, kSequential };

/// The defaults here are those of the properties.
struct ConfigSettings {
  double ema_alpha = mosaic::FrameSettings{}.ema_alpha;
  std::string flow_size = "480x272";
  int flow_width = 480, flow_height = 272;  ///< the same in pixels; 0: it is no size
  Solver solver = Solver::kAuto;
  Pipeline pipeline = Pipeline::kStream;
  std::string ssim_impl = "auto", swap_impl = "auto", assemble_impl = "auto",
              postprocess_impl = "auto";
  bool keep_intermediate = false;
  mosaic::IntermediateFiles intermediate;  ///< an empty folder: none is set

  /// Throws mosaic::Error (kSettings), naming what is allowed, if a text is nothing for its
  /// property, or the intermediate pictures have no folder.
  void check() const;

  /// Writes what of it goes to the engine with each frame.
  void write(mosaic::FrameSettings& frame) const;
};

/// Throws mosaic::Error (kSettings), naming what is allowed, where `text` is nothing for the
/// property of that name. Of properties that are no D1Config field anything is allowed.
void check_text(std::string_view property, const std::string& text);

/// Installs, reads and writes them, as in gst/properties.h.
void install_config_properties(GObjectClass* object_class, const ConfigSettings& defaults);
bool get_config_setting(const ConfigSettings& settings, guint id, GValue* value);
bool set_config_setting(ConfigSettings& settings, guint id, const GValue* value);

}  // namespace mosaic_gst
