// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Instance normalisation (Ulyanov, Vedaldi and Lempitsky 2016): each channel of each picture gets
/// mean 0 and variance 1. Moments are summed in a fixed order: along rows, then over rows.
#pragma once

#include <cmath>

#include "kernels/group.h"
#include "kernels/kernel_list.h"
#include "kernels/network/layer.h"

namespace mt {

/// Mean and sum of squared deviations of each row's values. Index: row of all pictures.
struct RowMoments {
  static constexpr KernelId kId = KernelId::kRowMoments;
  Layer in;
  float* moments;  ///< [rows of all pictures][2][channels]: means, sums of squared deviations

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const float* row = in.at(index);
    const int width = in.width, channels = in.channels;
    float* means = moments + int64_t{2} * index * channels;
    float* squares = means + channels;
    g.for_each(channels, [=](int c) {
      float sum = 0;
      for (int x = 0; x < width; ++x) sum += row[int64_t{x} * channels + c];
      const float mean = sum / static_cast<float>(width);
      float square = 0;
      for (int x = 0; x < width; ++x) {
        const float d = row[int64_t{x} * channels + c] - mean;
        square += d * d;
      }
      means[c] = mean;
      squares[c] = square;
    });
  }
};

/// From the moments of the rows those of the picture. Index: picture.
struct PictureMoments {
  static constexpr KernelId kId = KernelId::kPictureMoments;
  static constexpr float kEpsilon = 1e-5f;  ///< added to the variance
  const float* rows;                        ///< RowMoments::moments
  int32_t width, height, channels;
  float* moments;  ///< [pictures][2][channels]: means, reciprocals of standard deviations

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const int n = channels, h = height;
    const float* of_rows = rows + int64_t{2} * index * h * n;
    float* out = moments + int64_t{2} * index * n;
    const auto in_row = static_cast<float>(width), in_column = static_cast<float>(h);
    g.for_each(n, [=](int c) {
      float sum = 0, square = 0, between = 0;
      for (int y = 0; y < h; ++y) sum += of_rows[int64_t{2} * y * n + c];
      const float mean = sum / in_column;
      for (int y = 0; y < h; ++y) {
        const float d = of_rows[int64_t{2} * y * n + c] - mean;
        square += of_rows[(int64_t{2} * y + 1) * n + c];
        between += d * d;
      }
      const float variance = square / in_row / in_column + between / in_column;
      out[c] = mean;
      out[n + c] = 1 / sqrtf(variance + kEpsilon);
    });
  }
};

/// Normalises a layer and cuts off what is negative; then adds another one, if there is one, and
/// cuts off again: the end of a residual block. Index: row of all pictures.
struct Normalise {
  static constexpr KernelId kId = KernelId::kNormalise;
  Layer in;              ///< may be `out`
  const float* moments;  ///< PictureMoments::moments
  int32_t each_picture;  ///< 1; 0: the first picture's moments are for all
  Layer other;           ///< without data: none
  const float* other_moments;
  int32_t other_each_picture;
  Layer out;  ///< with as many channels

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const int n = in.channels, width = in.width, picture = index / in.height;
    const float* values = in.at(index);
    const float* mean = moments + int64_t{2} * picture * each_picture * n;
    float* to = out.at(index);
    if (!other.data) {
      g.for_each(width, n, [=](int x, int c) {
        const float v = (values[x * n + c] - mean[c]) * mean[n + c];
        to[x * n + c] = v > 0 ? v : 0;
      });
      return;
    }
    const float* others = other.at(index);
    const float* other_mean = other_moments + int64_t{2} * picture * other_each_picture * n;
    g.for_each(width, n, [=](int x, int c) {
      const float v = (values[x * n + c] - mean[c]) * mean[n + c];
      const float u = (others[x * n + c] - other_mean[c]) * other_mean[n + c];
      const float sum = u + (v > 0 ? v : 0);
      to[x * n + c] = sum > 0 ? sum : 0;
    });
  }
};

}  // namespace mt
