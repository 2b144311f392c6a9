// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/look.h"

namespace mosaic {

std::span<const LookField> look_fields() {
  static constexpr LookField kFields[] = {
      {"placement",
       "How tiles are given to cells: all at once, or one after another by error diffusion",
       &Look::placement},
      {"neighbor_swap_rounds",
       "Rounds in which neighbouring cells exchange their tiles where that lowers the cost",
       &Look::neighbor_swap_rounds, 0, 100},
      {"rerank", "How many of the nearest tiles a cell compares with its own by structure; 0: none",
       &Look::rerank, 0, 25},
      {"error_diffusion_strength",
       "Share of a cell's error that is handed on to the next cells, with faiss_diffusion",
       &Look::error_diffusion_strength, 0, 1},
      {"color_transfer", "How a tile takes on the colours of its cell", &Look::color_transfer},
      {"reinhard_l",
       "Strength of the colour transfer: of its lightness, or of all of it with mkl and mkl_hybrid",
       &Look::reinhard_l, 0, 1},
      {"reinhard_ab", "Strength of the colour transfer for a and b of CIELAB", &Look::reinhard_ab,
       0, 1},
      {"feather_width", "Feather at the borders of cells, pixels", &Look::feather_width, 0, 32},
      {"laplacian_blend", "Soften the borders of cells in a Laplacian pyramid",
       &Look::laplacian_blend},
      {"laplacian_levels", "Levels of that pyramid; from the second on no more of them show",
       &Look::laplacian_levels, 1, 8},
      {"base_blend_min", "How much of the source shows through where it matters least",
       &Look::base_blend_min, 0, 1},
      {"base_blend_max", "How much of the source shows through where it matters most",
       &Look::base_blend_max, 0, 1},
      {"gamma", "Exponent of every channel; below 1 is lighter", &Look::gamma, 0.1, 10},
      {"shadow_lift", "Levels that black is lifted by; what is lighter less", &Look::shadow_lift, 0,
       255},
      {"local_contrast_clip",
       "Clip limit of the local contrast (CLAHE); 0: neither that nor the boost of fine detail",
       &Look::local_contrast_clip, 0, 40},
      {"local_contrast_grid", "Tiles of the local contrast each way", &Look::local_contrast_grid, 1,
       64},
      {"vibrance", "How much pale colours gain, in Oklch", &Look::vibrance, 0, 2},
      {"saturation_boost", "Factor of saturation, where boost-cool and boost-warm leave it to this",
       &Look::saturation_boost, 0, 5},
      {"boost_cool", "Factor of saturation of cool hues; -1: as saturation-boost",
       &Look::boost_cool, -1, 5},
      {"boost_warm", "Factor of saturation of warm hues; -1: as saturation-boost",
       &Look::boost_warm, -1, 5},
      {"contrast_boost", "Factor of contrast around the middle grey", &Look::contrast_boost, 0, 5},
      {"color_harmony", "How far colours are drawn to their mean", &Look::color_harmony, 0, 1},
      {"sharpness", "Strength of the unsharp mask over 5 x 5 pixels", &Look::sharpness, 0, 5},
      {"skin_protection", "How much less vibrance and contrast skin gets", &Look::skin_protection,
       0, 1},
      {"skin_lum_protection", "How much of its lightness skin gets back",
       &Look::skin_lum_protection, 0, 1},
  };
  return kFields;
}

std::span<const std::string_view> placement_words() {
  static constexpr std::string_view kWords[] = {"hungarian", "faiss_diffusion"};
  return kWords;
}

std::span<const std::string_view> transfer_words() {
  static constexpr std::string_view kWords[] = {"none", "adaptive_reinhard", "histogram", "hybrid",
                                                "mkl",  "mkl_hybrid"};
  return kWords;
}

}  // namespace mosaic
