// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/settings/look.h"

namespace mosaic {
namespace {

constexpr LookField kFields[] = {
    {"placement", "Method of assigning tiles to cells", &Look::placement},
    {"neighbor_swap_rounds",
     "Maximum number of rounds in which neighbouring cells swap tiles to lower the "
     "cost",
     &Look::neighbor_swap_rounds, 0, 100},
    {"rerank",
     "Number of nearest tiles that a cell compares with its own by structural "
     "similarity (0 = none)",
     &Look::rerank, 0, 25},
    {"error_diffusion_strength",
     "Fraction of the error of a cell that is passed on to the next cells, with "
     "placement=faiss_diffusion",
     &Look::error_diffusion_strength, 0, 1},
    {"color_transfer", "Method of adapting the colours of a tile to those of its cell",
     &Look::color_transfer},
    {"reinhard_l",
     "Strength of the colour transfer for lightness; with mkl and mkl_hybrid, for "
     "lightness and colour",
     &Look::reinhard_l, 0, 1},
    {"reinhard_ab", "Strength of the colour transfer for the a and b channels of CIELAB",
     &Look::reinhard_ab, 0, 1},
    {"feather_width",
     "mosaicraft's feather width in pixels. As in mosaicraft it softens nothing: any value above 0 "
     "lowers each channel by one level, unless laplacian-blend is set",
     &Look::feather_width, 0, 32},
    {"laplacian_blend", "Soften the borders of cells with a Laplacian pyramid",
     &Look::laplacian_blend},
    {"laplacian_levels",
     "Number of levels of the Laplacian pyramid; values from 2 on give the same "
     "picture",
     &Look::laplacian_levels, 1, 8},
    {"base_blend_min", "Opacity of the source picture over the tiles where saliency is lowest",
     &Look::base_blend_min, 0, 1},
    {"base_blend_max", "Opacity of the source picture over the tiles where saliency is highest",
     &Look::base_blend_max, 0, 1},
    {"gamma",
     "Exponent of the gamma curve applied to each channel; values below 1 brighten "
     "the picture",
     &Look::gamma, 0.1, 10},
    {"shadow_lift", "Number of levels by which black is raised; brighter values are raised less",
     &Look::shadow_lift, 0, 255},
    {"local_contrast_clip",
     "Clip limit of local contrast enhancement (CLAHE) (0 = neither CLAHE nor "
     "enhancement of fine detail)",
     &Look::local_contrast_clip, 0, 40},
    {"local_contrast_grid", "Number of CLAHE regions in each direction", &Look::local_contrast_grid,
     1, 64},
    {"vibrance", "Increase in saturation of pale colours, in Oklch", &Look::vibrance, 0, 2},
    {"saturation_boost",
     "Factor of saturation. Setting this property also sets boost-cool and "
     "boost-warm to -1; set them afterwards for other factors. In a profile, "
     "boost_cool and boost_warm override this field",
     &Look::saturation_boost, 0, 5},
    {"boost_cool", "Factor of saturation of cool hues (-1 = saturation-boost)", &Look::boost_cool,
     -1, 5},
    {"boost_warm", "Factor of saturation of warm hues (-1 = saturation-boost)", &Look::boost_warm,
     -1, 5},
    {"contrast_boost", "Factor of contrast around middle grey", &Look::contrast_boost, 0, 5},
    {"color_harmony", "Strength with which colours are drawn towards the mean colour",
     &Look::color_harmony, 0, 1},
    {"sharpness", "Strength of a 5 x 5 unsharp mask", &Look::sharpness, 0, kMostSharpness},
    {"skin_protection", "Reduction of vibrance and contrast for skin tones", &Look::skin_protection,
     0, 1},
    {"skin_lum_protection", "Fraction of the original lightness that is restored for skin tones",
     &Look::skin_lum_protection, 0, 1},
    {"fidelity",
     "How far the colours of each cell of the finished picture are moved towards those of the "
     "source; it also makes tiles change less often and weakens local contrast (0 = off, 1 = the "
     "source's mean colours)",
     &Look::fidelity, 0, 1},
};

}  // namespace

std::span<const LookField> look_fields() {
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
