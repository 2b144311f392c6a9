// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photos/resize_part.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace mosaic {
namespace {

constexpr int kChannels = 3;

/// Packed pixels: a part of a photo, or that shrunk along one axis.
struct Source {
  const uint8_t* rgb;  // its first pixel
  size_t stride;       // bytes from row to row
  mt::PixelSize size;
};

Source source_of(const PhotoView& photo, const mt::CellRect& part) {
  const size_t stride = static_cast<size_t>(photo.width) * kChannels;
  return {photo.rgb + part.y * stride + static_cast<size_t>(part.x) * kChannels, stride,
          mt::PixelSize(part.width, part.height)};
}

/// What one output pixel covers along one axis, in units of 1 / per_source of a source pixel:
/// `first_weight` of source pixel `first`, all of those between, `last_weight` of pixel `last`.
struct PixelCover {
  int first, last;
  uint32_t first_weight, last_weight;  // last_weight is 0 where first == last
};

/// The ratio of the sizes along one axis in lowest terms: an output pixel covers `covered` units, a
/// source pixel is `per_source` of them. Whole factors have per_source 1.
struct Ratio {
  uint32_t covered;
  uint32_t per_source;

  Ratio(int source, int size) {
    const int divisor = std::gcd(source, size);
    covered = static_cast<uint32_t>(source / divisor);
    per_source = static_cast<uint32_t>(size / divisor);
  }

  PixelCover cover(int i) const {
    const uint64_t begin = uint64_t{covered} * i, end = begin + covered;
    const int first = static_cast<int>(begin / per_source);
    const int last = static_cast<int>((end - 1) / per_source);
    if (first == last)
      return {.first = first, .last = last, .first_weight = covered, .last_weight = 0};
    return {.first = first,
            .last = last,
            .first_weight = static_cast<uint32_t>(per_source - begin % per_source),
            .last_weight = static_cast<uint32_t>(end - uint64_t{per_source} * last)};
  }
};

/// sums[i] = the samples of column i under `rows`, weighted: at most 255 * covered.
/// The rows between the outer two are added up in 16 bits, so that even the oldest processors add
/// eight at once, and in runs short enough not to overflow.
void sum_rows(const Source& source, const PixelCover& rows, uint32_t per_source,
              std::vector<uint16_t>& partial, std::vector<uint32_t>& sums) {
  const size_t n = sums.size();
  uint32_t* const sum = sums.data();
  const uint8_t* row = source.rgb + rows.first * source.stride;
  for (size_t i = 0; i < n; ++i) sum[i] = rows.first_weight * row[i];
  for (int y = rows.first + 1; y < rows.last;) {
    const int end = std::min(rows.last, y + 257);  // 257 * 255 = 65535
    std::fill(partial.begin(), partial.end(), uint16_t{0});
    uint16_t* const part = partial.data();
    for (; y < end; ++y) {
      row = source.rgb + y * source.stride;
      for (size_t i = 0; i < n; ++i) part[i] = static_cast<uint16_t>(part[i] + row[i]);
    }
    for (size_t i = 0; i < n; ++i) sum[i] += per_source * part[i];
  }
  if (rows.last_weight == 0) return;
  row = source.rgb + rows.last * source.stride;
  for (size_t i = 0; i < n; ++i) sum[i] += rows.last_weight * row[i];
}

/// The weighted sum of one channel over `columns`. @param sums of sum_rows()
uint64_t sum_columns(const uint32_t* sums, const PixelCover& columns, uint32_t per_source) {
  uint64_t between = 0;
  for (int x = columns.first + 1; x < columns.last; ++x) between += sums[x * kChannels];
  uint64_t total =
      between * per_source + uint64_t{sums[columns.first * kChannels]} * columns.first_weight;
  if (columns.last_weight) total += uint64_t{sums[columns.last * kChannels]} * columns.last_weight;
  return total;
}

/// Divides sums by the area with the rounding that the ratios ask for.
class Mean {
 public:
  Mean(const Ratio& across, const Ratio& down)
      : area_(uint64_t{across.covered} * down.covered),
        whole_(across.per_source == 1 && down.per_source == 1 &&
               !(across.covered == 2 && down.covered == 2)),
        reciprocal_(1.0f / static_cast<float>(area_)) {}

  uint8_t operator()(uint64_t sum) const {
    // For whole factors, OpenCV's INTER_AREA multiplies by a float reciprocal and rounds to even,
    // so the reciprocal's rounding error decides ties; for a factor of 2 it adds a half instead.
    if (whole_) return static_cast<uint8_t>(std::lrintf(static_cast<float>(sum) * reciprocal_));
    return static_cast<uint8_t>((sum + area_ / 2) / area_);
  }

 private:
  uint64_t area_;
  bool whole_;
  float reciprocal_;
};

/// How the samples of an output lie in memory: sample (x, y) of channel c at `row` y + `pixel` x +
/// `channel` c.
struct Order {
  size_t row, pixel, channel;
};
Order planar(const mt::PixelSize& size) {
  return {static_cast<size_t>(size.width), 1, static_cast<size_t>(size.width) * size.height};
}
Order packed(const mt::PixelSize& size) {
  return {static_cast<size_t>(size.width) * kChannels, kChannels, 1};
}

void shrink(const Source& source, const mt::PixelSize& size, const Order& order, uint8_t* out) {
  const Ratio across(source.size.width, size.width), down(source.size.height, size.height);
  const Mean mean(across, down);
  std::vector<PixelCover> columns(size.width);
  for (int x = 0; x < size.width; ++x) columns[x] = across.cover(x);
  std::vector<uint32_t> sums(static_cast<size_t>(source.size.width) * kChannels);
  std::vector<uint16_t> partial(sums.size());
  for (int y = 0; y < size.height; ++y) {
    sum_rows(source, down.cover(y), down.per_source, partial, sums);
    uint8_t* row = out + y * order.row;
    for (int c = 0; c < kChannels; ++c)
      for (int x = 0; x < size.width; ++x)
        row[c * order.channel + x * order.pixel] =
            mean(sum_columns(sums.data() + c, columns[x], across.per_source));
  }
}

/// The two source pixels between which the centre of an output pixel lies; the second's weight is
/// in 1 / (2 * size).
struct Between {
  int first, second;
  int64_t second_weight;
};

std::vector<Between> centres(int source, int size) {
  std::vector<Between> all(size);
  const int64_t unit = int64_t{2} * size;
  for (int i = 0; i < size; ++i) {
    // (i + 1/2) * source / size - 1/2
    const int64_t at = std::max<int64_t>((2 * int64_t{i} + 1) * source - size, 0);
    const int first = static_cast<int>(at / unit);
    all[i] = {first, std::min(first + 1, source - 1), at % unit};
  }
  return all;
}

void enlarge(const Source& source, const mt::PixelSize& size, uint8_t* out) {
  const std::vector<Between> columns = centres(source.size.width, size.width);
  const std::vector<Between> rows = centres(source.size.height, size.height);
  const Order order = planar(size);
  const int64_t across = int64_t{2} * size.width, along = int64_t{2} * size.height;
  for (int y = 0; y < size.height; ++y) {
    const uint8_t* upper = source.rgb + rows[y].first * source.stride;
    const uint8_t* lower = source.rgb + rows[y].second * source.stride;
    const int64_t down = rows[y].second_weight;
    for (int x = 0; x < size.width; ++x) {
      const int64_t right = columns[x].second_weight;
      for (int c = 0; c < kChannels; ++c) {
        const int l = columns[x].first * kChannels + c, r = columns[x].second * kChannels + c;
        const int64_t top = upper[l] * (across - right) + upper[r] * right;
        const int64_t bottom = lower[l] * (across - right) + lower[r] * right;
        const int64_t sum = top * (along - down) + bottom * down;
        out[y * order.row + x * order.pixel + c * order.channel] =
            static_cast<uint8_t>((sum + across * along / 2) / (across * along));
      }
    }
  }
}

}  // namespace

void resize_part(const PhotoView& photo, const mt::CellRect& part, const mt::PixelSize& size,
                 uint8_t* out) {
  const Source source = source_of(photo, part);
  const mt::PixelSize smaller{std::min(size.width, source.size.width),
                              std::min(size.height, source.size.height)};
  if (smaller == size) {
    shrink(source, size, planar(size), out);
  } else if (smaller == source.size) {
    enlarge(source, size, out);
  } else {
    std::vector<uint8_t> shrunk(size_t{kChannels} * smaller.width * smaller.height);
    const Order order = packed(smaller);
    shrink(source, smaller, order, shrunk.data());
    enlarge({shrunk.data(), order.row, smaller}, size, out);
  }
}

}  // namespace mosaic
