// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The look of a mosaic: the fields of mosaicraft's profiles, under the same names.
#pragma once

#include <span>
#include <string_view>
#include <variant>

namespace mosaic {

/// The highest Look::sharpness.
inline constexpr double kMostSharpness = 5;

enum class PlacementKind {
  kAssignment,  ///< optimal assignment: the lowest total cost
  kDiffusion,   ///< error diffusion: each cell in turn takes the nearest tile
};

enum class TransferKind { kNone, kReinhard, kHistogram, kHybrid, kMkl, kMklHybrid };

/// The defaults are those of the profile `plain`: tiles keep their colours, no grading.
/// look_fields() has a description and the range of each field.
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
  double fidelity = 0;

  bool operator==(const Look&) const = default;

  /// Factors of saturation for cool and for warm hues.
  double cool() const { return boost_cool < 0 ? saturation_boost : boost_cool; }
  double warm() const { return boost_warm < 0 ? saturation_boost : boost_warm; }
};

/// A field of Look as users set it.
struct LookField {
  std::string_view name;   ///< with underscores, as in profiles
  std::string_view blurb;  ///< description for users
  std::variant<double Look::*, int Look::*, bool Look::*, PlacementKind Look::*,
               TransferKind Look::*>
      member;
  double min = 0, max = 0;  ///< range of a number
};

/// All fields of Look, in the order of the properties.
std::span<const LookField> look_fields();

/// The names of an enumeration's values, indexed by value.
std::span<const std::string_view> placement_words();
std::span<const std::string_view> transfer_words();

}  // namespace mosaic
