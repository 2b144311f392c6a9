// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photo_uses/near_duplicates.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

namespace mosaic {
namespace {

constexpr int kSide = 8;  // places of a hash in each direction
constexpr int kBits = 2 * kSide * kSide;
/// By how many levels the mean colours of two photos that are nearly the same differ at most, in
/// each channel: the hash alone would take all plain pictures for one.
constexpr int kColour = 16;

/// The sums over equal parts of a line of pixels, in units of 1 / parts pixel.
void add_up(const int64_t* line, int pixels, int parts, int64_t* sums) {
  for (int part = 0; part < parts; ++part) {
    const int from = part * pixels, to = from + pixels;  // pixel p: from p * parts on
    sums[part] = 0;
    for (int p = from / parts; p * parts < to; ++p)
      sums[part] += line[p] * (std::min((p + 1) * parts, to) - std::max(p * parts, from));
  }
}

/// The sums over kColumns x kRows equal parts of a square picture, row by row.
template <int kColumns, int kRows>
std::array<int64_t, kColumns * kRows> parts_of(std::span<const uint8_t> gray, int side) {
  std::vector<int64_t> line(side), columns(static_cast<size_t>(kColumns) * side);
  for (int y = 0; y < side; ++y) {
    std::copy_n(gray.begin() + static_cast<ptrdiff_t>(y) * side, side, line.begin());
    std::array<int64_t, kColumns> sums;
    add_up(line.data(), side, kColumns, sums.data());
    for (int i = 0; i < kColumns; ++i) columns[static_cast<size_t>(i) * side + y] = sums[i];
  }
  std::array<int64_t, kColumns * kRows> parts;
  for (int i = 0; i < kColumns; ++i) {
    std::array<int64_t, kRows> sums;
    add_up(&columns[static_cast<size_t>(i) * side], side, kRows, sums.data());
    for (int row = 0; row < kRows; ++row) parts[row * kColumns + i] = sums[row];
  }
  return parts;
}

struct Sample {
  PictureHash hash;
  std::array<int, 3> mean;  ///< R, G, B
};

Sample sample_of(const Pool& pool, int photo) {
  const int side = pool.side();
  const size_t pixels = static_cast<size_t>(side) * side;
  const auto [width, height] = pool.draw_size();
  const size_t plane = static_cast<size_t>(width) * height;
  Sample sample{picture_hash(pool.grays().subspan(photo * pixels, pixels), side), {}};
  for (int channel = 0; channel < 3; ++channel) {
    int64_t sum = 0;
    for (const uint8_t level : pool.pixels().subspan((size_t{3} * photo + channel) * plane, plane))
      sum += level;
    sample.mean[channel] = static_cast<int>(sum / static_cast<int64_t>(plane));
  }
  return sample;
}

bool are_alike(const Sample& a, const Sample& b, int most_different) {
  int different = 0;
  for (size_t i = 0; i < a.hash.size(); ++i) different += std::popcount(a.hash[i] ^ b.hash[i]);
  if (different > most_different) return false;
  for (size_t i = 0; i < a.mean.size(); ++i)
    if (std::abs(a.mean[i] - b.mean[i]) > kColour) return false;
  return true;
}

/// The first photos of groups, by their mean colours: photos that are alike are in the same part of
/// the colour cube, or in neighbouring ones.
class FirstPhotos {
 public:
  FirstPhotos(const std::vector<Sample>& samples, int most_different)
      : samples_(samples), most_different_(most_different), parts_(kParts * kParts * kParts) {}

  /// The first of those added before that is like the photo; if none is, the photo, which is added.
  int32_t find_or_add(int32_t photo) {
    const std::array<int, 3>& mean = samples_[photo].mean;
    int32_t found = photo;
    for (int r = lowest(mean[0]); r <= highest(mean[0]); ++r)
      for (int g = lowest(mean[1]); g <= highest(mean[1]); ++g)
        for (int b = lowest(mean[2]); b <= highest(mean[2]); ++b)
          found = std::min(found, find(parts_[part(r, g, b)], photo));
    if (found == photo)
      parts_[part(mean[0] / kWidth, mean[1] / kWidth, mean[2] / kWidth)].push_back(photo);
    return found;
  }

 private:
  static constexpr int kWidth = kColour + 1, kParts = 255 / kWidth + 1;
  static int part(int r, int g, int b) { return (r * kParts + g) * kParts + b; }
  static int lowest(int level) { return std::max(0, level / kWidth - 1); }
  static int highest(int level) { return std::min(kParts - 1, level / kWidth + 1); }

  /// The first photo of a part that is like the photo, or the photo itself.
  int32_t find(const std::vector<int32_t>& of_part, int32_t photo) const {
    const auto found = std::find_if(of_part.begin(), of_part.end(), [&](int32_t other) {
      return are_alike(samples_[photo], samples_[other], most_different_);
    });
    return found != of_part.end() ? *found : photo;
  }

  const std::vector<Sample>& samples_;  ///< [photos]
  int most_different_;                  ///< bits of the hash
  std::vector<std::vector<int32_t>> parts_;
};

}  // namespace

PictureHash picture_hash(std::span<const uint8_t> gray, int side) {
  const auto wide = parts_of<kSide + 1, kSide>(gray, side);
  const auto high = parts_of<kSide, kSide + 1>(gray, side);
  PictureHash hash{};
  for (int row = 0; row < kSide; ++row)
    for (int column = 0; column < kSide; ++column) {
      const uint64_t bit = uint64_t{1} << (row * kSide + column);
      const size_t across = row * (kSide + 1) + column, down = row * kSide + column;
      if (wide[across + 1] > wide[across]) hash[0] |= bit;
      if (high[down + kSide] > high[down]) hash[1] |= bit;
    }
  return hash;
}

std::vector<int32_t> find_near_duplicates(const Pool& pool, double similarity,
                                          mt::WorkerPool& workers) {
  const int most_different = static_cast<int>(std::floor(kBits * (1 - similarity) + 1e-9));
  std::vector<Sample> samples(pool.photos());
  workers.run(pool.photos(), 16, [&](int, int begin, int end) {
    for (int photo = begin; photo < end; ++photo) samples[photo] = sample_of(pool, photo);
  });
  std::vector<int32_t> first(pool.photos());
  FirstPhotos firsts(samples, most_different);
  for (int photo = 0; photo < pool.photos(); ++photo) {
    workers.cancellation().check();
    first[photo] = firsts.find_or_add(photo);
  }
  return first;
}

}  // namespace mosaic
