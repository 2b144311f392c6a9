// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/stream/cell_source.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/math/lab.h"
#include "kernels/math/tables.h"
#include "mosaic/base/error.h"

namespace mosaic::stream {
namespace {

// The numbers of a picture: coefficients of luma, of blue and of red difference, then standard
// deviations of L, a, b, their correlations, and the share of the source.
constexpr int kChromaSide = 2, kChromaPixels = kChromaSide * kChromaSide;
constexpr int kBlueAt = mt::kCellPicturePixels, kRedAt = kBlueAt + kChromaPixels,
              kDeviationAt = kRedAt + kChromaPixels, kCorrelationAt = kDeviationAt + 3,
              kShareAt = kCorrelationAt + 3;
static_assert(kShareAt + 1 == kPictureNumbers);

/// Steps of the coefficients, which are sums of 16 and of 4 samples.
constexpr int32_t kLumaStep = 40, kChromaStep = 12;
constexpr int32_t kMostLuma = 128 * mt::kCellPicturePixels / kLumaStep + 1,
                  kMostChroma = 256 * kChromaPixels / kChromaStep + 1;
/// A deviation of d levels is the number 4 sqrt(d), so that its relative error is even.
constexpr int32_t kMostDeviation = 64;
constexpr int32_t kWholeCorrelation = 8;
constexpr int32_t kWholeShare = 255;

int32_t divide_rounded(int32_t value, int32_t step) {
  return value < 0 ? -((-value + step / 2) / step) : (value + step / 2) / step;
}

/// The Walsh-Hadamard transform of a square, in place. Applied twice it multiplies by side^2.
template <int kSide>
void transform(int32_t* square) {
  const auto line = [square](int first, int step) {
    for (int half = 1; half < kSide; half *= 2)
      for (int i = 0; i < kSide; ++i) {
        if (i & half) continue;
        int32_t &a = square[first + i * step], &b = square[first + (i + half) * step];
        const int32_t sum = a + b, difference = a - b;
        a = sum;
        b = difference;
      }
  };
  for (int i = 0; i < kSide; ++i) line(i * kSide, 1);
  for (int i = 0; i < kSide; ++i) line(i, kSide);
}

template <int kSide>
void quantise(int32_t* square, int32_t step, int32_t most, int32_t* numbers) {
  transform<kSide>(square);
  for (int i = 0; i < kSide * kSide; ++i)
    numbers[i] = std::clamp(divide_rounded(square[i], step), -most, most);
}

template <int kSide>
std::array<int32_t, size_t{kSide} * kSide> restore(const int32_t* numbers, int32_t step) {
  std::array<int32_t, size_t{kSide} * kSide> square;
  for (int i = 0; i < kSide * kSide; ++i) square[i] = numbers[i] * step;
  transform<kSide>(square.data());
  for (int32_t& v : square) v = divide_rounded(v, kSide * kSide);
  return square;
}

/// The pixel of the chroma's square that a pixel of the picture belongs to.
int chroma_of(int pixel) {
  const int x = pixel % mt::kCellPictureSide, y = pixel / mt::kCellPictureSide;
  return y / 2 * kChromaSide + x / 2;
}

uint8_t level(int32_t v) {
  return static_cast<uint8_t>(std::clamp(v, 0, 255));
}

int32_t round_to_int(double v) {
  return static_cast<int32_t>(std::lround(v));
}

}  // namespace

int count_of(SourceNeeds needs) {
  return needs == SourceNeeds::kPicture ? kPictureNumbers
         : needs == SourceNeeds::kMeans ? kMeansNumbers
                                        : 0;
}

NumberRange range_of_number(SourceNeeds needs, int i) {
  if (needs == SourceNeeds::kMeans) return {i < 12 ? 0 : -mt::kWhite, mt::kWhite};
  if (i < kBlueAt) return {-kMostLuma, kMostLuma};
  if (i < kDeviationAt) return {-kMostChroma, kMostChroma};
  if (i < kCorrelationAt) return {0, kMostDeviation};
  if (i < kShareAt) return {-kWholeCorrelation, kWholeCorrelation};
  return {0, kWholeShare};
}

void to_numbers(const mt::CellMeans& means, int32_t* numbers) {
  for (int channel = 0; channel < 3; ++channel) {
    int32_t sum = 0;
    for (int q = 0; q < 4; ++q) sum += numbers[q * 3 + channel] = means.quadrant[q][channel];
    numbers[12 + channel] = means.cell[channel] - sum / 4;
  }
}

mt::CellMeans means_of(const int32_t* numbers) {
  mt::CellMeans means;
  for (int channel = 0; channel < 3; ++channel) {
    int32_t sum = 0;
    for (int q = 0; q < 4; ++q) sum += means.quadrant[q][channel] = numbers[q * 3 + channel];
    means.cell[channel] = numbers[12 + channel] + sum / 4;
    if (means.cell[channel] < 0 || means.cell[channel] > mt::kWhite)
      throw Error(Error::Kind::kRead, "the mean of a cell is out of range");
  }
  return means;
}

// Colours are divided into luma and differences by the coefficients of ITU-R BT.601, times 256.
void to_numbers(const mt::CellPicture& picture, const mt::CellStats& stats, int pixels, float share,
                int32_t* numbers) {
  int32_t luma[mt::kCellPicturePixels], blue[kChromaPixels] = {}, red[kChromaPixels] = {};
  for (int i = 0; i < mt::kCellPicturePixels; ++i) {
    const int32_t r = picture.plane[0][i], g = picture.plane[1][i], b = picture.plane[2][i];
    const int32_t y = (77 * r + 150 * g + 29 * b + 128) >> 8;
    luma[i] = y - 128;
    blue[chroma_of(i)] += (b - y) * 144;
    red[chroma_of(i)] += (r - y) * 183;
  }
  for (int32_t* plane : {blue, red})
    for (int i = 0; i < kChromaPixels; ++i) plane[i] = divide_rounded(plane[i], 4 << 8);
  quantise<mt::kCellPictureSide>(luma, kLumaStep, kMostLuma, numbers);
  quantise<kChromaSide>(blue, kChromaStep, kMostChroma, numbers + kBlueAt);
  quantise<kChromaSide>(red, kChromaStep, kMostChroma, numbers + kRedAt);
  const double n = pixels;
  double deviation[3];
  for (int i = 0; i < 3; ++i) {
    const double mean = stats.lab[i] / n;
    const double variance = static_cast<double>(stats.lab_square[i]) / n - mean * mean;
    deviation[i] = std::sqrt(std::max(variance, 0.0));
    numbers[kDeviationAt + i] = std::min(round_to_int(4 * std::sqrt(deviation[i])), kMostDeviation);
  }
  for (int k = 0; k < 3; ++k) {
    const int i = k == 2 ? 1 : 0, j = k == 0 ? 1 : 2;  // L a, L b, a b
    const double covariance =
        static_cast<double>(stats.lab_cross[k]) / n - stats.lab[i] / n * (stats.lab[j] / n);
    const double both = deviation[i] * deviation[j];
    numbers[kCorrelationAt + k] =
        both > 0 ? std::clamp(round_to_int(covariance / both * kWholeCorrelation),
                              -kWholeCorrelation, kWholeCorrelation)
                 : 0;
  }
  numbers[kShareAt] = std::clamp(round_to_int(share * kWholeShare), 0, kWholeShare);
}

mt::CellPicture picture_of(const int32_t* numbers) {
  const auto luma = restore<mt::kCellPictureSide>(numbers, kLumaStep);
  const auto blue = restore<kChromaSide>(numbers + kBlueAt, kChromaStep);
  const auto red = restore<kChromaSide>(numbers + kRedAt, kChromaStep);
  mt::CellPicture picture;
  for (int i = 0; i < mt::kCellPicturePixels; ++i) {
    const int32_t y = luma[i] + 128, cb = blue[chroma_of(i)], cr = red[chroma_of(i)];
    picture.plane[0][i] = level(y + divide_rounded(359 * cr, 256));
    picture.plane[1][i] = level(y - divide_rounded(88 * cb + 183 * cr, 256));
    picture.plane[2][i] = level(y + divide_rounded(454 * cb, 256));
  }
  return picture;
}

mt::CellStats stats_of(const int32_t* numbers, const mt::CellPicture& picture, int pixels) {
  mt::CellStats stats{};
  const int64_t n = pixels;
  int64_t sum[3] = {};
  for (int i = 0; i < mt::kCellPicturePixels; ++i) {
    const mt::Triple lab = mt::rgb_to_lab(&mt::tables(), picture.plane[0][i], picture.plane[1][i],
                                          picture.plane[2][i]);
    for (int c = 0; c < 3; ++c) sum[c] += lab.v[c];
  }
  int64_t deviation[3];  // times 16
  for (int i = 0; i < 3; ++i) {
    const int64_t d = numbers[kDeviationAt + i];
    deviation[i] = d * d;
    stats.lab[i] = static_cast<int32_t>(sum[i] * n / mt::kCellPicturePixels);
    stats.lab_square[i] =
        (int64_t{stats.lab[i]} * stats.lab[i] + n * n * deviation[i] * deviation[i] / 256) / n;
  }
  for (int k = 0; k < 3; ++k) {
    const int i = k == 2 ? 1 : 0, j = k == 0 ? 1 : 2;
    const int64_t both = deviation[i] * deviation[j] * numbers[kCorrelationAt + k];
    stats.lab_cross[k] =
        (int64_t{stats.lab[i]} * stats.lab[j] + n * n * both / (256 * int64_t{kWholeCorrelation})) /
        n;
  }
  return stats;
}

float share_of(const int32_t* numbers) {
  return static_cast<float>(numbers[kShareAt]) / kWholeShare;
}

}  // namespace mosaic::stream
