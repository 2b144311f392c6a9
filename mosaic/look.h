// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// How a mosaic looks: the fields of mosaicraft's profiles, by their names.
#pragma once

#include <span>
#include <string_view>
#include <variant>

namespace mosaic {

enum class PlacementKind {
  kAssignment,  ///< the least sum of costs
  kDiffusion,   ///< cell by cell the nearest tile, its error handed on to the next cells
};

enum class TransferKind { kNone, kReinhard, kHistogram, kHybrid, kMkl, kMklHybrid };

/// The defaults are the profile `plain`: tiles as they are, nothing graded.
struct Look {
  PlacementKind placement = PlacementKind::kAssignment;
  int neighbor_swap_rounds = 0;
  int rerank = 25;
  double error_diffusion_strength = 0.85;
  TransferKind color_transfer = TransferKind::kNone;
  double reinhard_l = 0;
  double reinhard_ab = 0;
  int feather_width = 0;
  bool laplacian_blend = false;
  int laplacian_levels = 4;
  double base_blend_min = 0;
  double base_blend_max = 0;
  double gamma = 1;
  int shadow_lift = 0;
  double local_contrast_clip = 0;
  int local_contrast_grid = 16;
  double vibrance = 0;
  double saturation_boost = 1;
  double boost_cool = -1;
  double boost_warm = -1;
  double contrast_boost = 1;
  double color_harmony = 0;
  double sharpness = 0;
  double skin_protection = 0;
  double skin_lum_protection = 0;

  bool operator==(const Look&) const = default;

  double cool() const { return boost_cool < 0 ? saturation_boost : boost_cool; }
  double warm() const { return boost_warm < 0 ? saturation_boost : boost_warm; }
};

/// A field of Look as people set it.
struct LookField {
  std::string_view name;  ///< with underscores, as in profiles
  std::string_view blurb;
  std::variant<double Look::*, int Look::*, bool Look::*, PlacementKind Look::*,
               TransferKind Look::*>
      member;
  double least = 0, most = 0;  ///< of a number
};

/// All of them.
std::span<const LookField> look_fields();

/// The words of an enumeration, by their values.
std::span<const std::string_view> placement_words();
std::span<const std::string_view> transfer_words();

}  // namespace mosaic
