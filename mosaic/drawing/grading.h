// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// What the two ways of grading have in common.
#pragma once

#include "kernels/finishing/frequency.h"
#include "kernels/finishing/grade_colour.h"
#include "kernels/math/blur.h"
#include "mosaic/settings/look.h"

namespace mosaic {

/// The Gaussian of standard deviation sigma over 15 taps, as OpenCV's getGaussianKernel has it, in
/// whole numbers whose sum is 2^kBlurBits.
mt::BlurWeights gaussian(double sigma);

/// Standard deviation of the blur that mosaicraft's mask of skin gets, pixels.
inline constexpr double kSkinSigma = 4;

/// How far CLAHE and the amplification of detail are applied. They brighten dark flat cells and
/// give them contrast that the source does not have; with fidelity they do so less.
double local_strength(const Look& look);

/// The gains of detail; without local contrast they change nothing.
/// @param low  how much of the difference of the two gains the blurred picture takes off again: 1
///             with the blur
mt::FrequencyGains frequency_gains(const Look& look, double low = 1);

mt::GradeLook grade_look(const Look& look);

/// Whether a look treats skin apart.
bool protects_skin(const Look& look);

}  // namespace mosaic
