// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// What a stream tells of a cell's source, as whole numbers, which differ little from one drawing
/// of the cell to the next. docs/mosaic-format.md lists them.
#pragma once

#include <cstdint>

#include "kernels/drawing/cell_correction.h"
#include "kernels/drawing/cell_pictures.h"
#include "kernels/features/cell_stats.h"
#include "mosaic/stream/stream_header.h"

namespace mosaic::stream {

/// How many numbers a cell has, by what drawing needs of its source.
inline constexpr int kMeansNumbers = 15, kPictureNumbers = 31, kMostNumbers = kPictureNumbers;
int count_of(SourceNeeds needs);

/// The range of number i.
struct NumberRange {
  int32_t low, high;
};
NumberRange range_of_number(SourceNeeds needs, int i);

/// SourceNeeds::kMeans: exact. @param numbers [kMeansNumbers]
void to_numbers(const mt::CellMeans& means, int32_t* numbers);
/// Throws Error (kRead) if a mean is out of range, which numbers in their ranges may give.
mt::CellMeans means_of(const int32_t* numbers);

/// SourceNeeds::kPicture: rounded. @param numbers [kPictureNumbers]
/// @param stats  of the cell; @param pixels  that they are sums of
/// @param share  CellUpdates::source_share()
void to_numbers(const mt::CellPicture& picture, const mt::CellStats& stats, int pixels, float share,
                int32_t* numbers);
mt::CellPicture picture_of(const int32_t* numbers);
/// The statistics that colour transfer uses: lab, lab_square and lab_cross; the others are 0.
/// @param picture picture_of() the same numbers
/// @param pixels  that the statistics are to be sums of
mt::CellStats stats_of(const int32_t* numbers, const mt::CellPicture& picture, int pixels);
float share_of(const int32_t* numbers);

}  // namespace mosaic::stream
