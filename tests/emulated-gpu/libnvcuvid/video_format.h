// SPDX-License-Identifier: LGPL-2.1-or-later
/// What H.264 and HEVC say alike of a sequence's pictures.
#pragma once

#include <ffnvcodec/dynlink_cuda.h>
// After the types that it needs.
#include <ffnvcodec/dynlink_nvcuvid.h>

#include <cstddef>

namespace emulated_nvdec {

/// @param sps       a sequence parameter set as GStreamer reads it
/// @param cropped   whether it has a rectangle of visible samples
/// @param pictures  that a decoder holds
template <class Sps>
CUVIDEOFORMAT sequence_format(cudaVideoCodec codec, const Sps& sps, bool cropped,
                              std::size_t pictures) {
  CUVIDEOFORMAT format{};
  format.codec = codec;
  format.bit_depth_luma_minus8 = sps.bit_depth_luma_minus8;
  format.bit_depth_chroma_minus8 = sps.bit_depth_chroma_minus8;
  // References, the current picture, and those on display.
  format.min_num_decode_surfaces = static_cast<unsigned char>(pictures + 4);
  format.coded_width = static_cast<unsigned>(sps.width);
  format.coded_height = static_cast<unsigned>(sps.height);
  format.display_area.right = sps.width;
  format.display_area.bottom = sps.height;
  if (cropped)
    format.display_area = {sps.crop_rect_x, sps.crop_rect_y, sps.crop_rect_x + sps.crop_rect_width,
                           sps.crop_rect_y + sps.crop_rect_height};
  format.chroma_format = static_cast<cudaVideoChromaFormat>(sps.chroma_format_idc);
  return format;
}

/// @param vui    the usability information of a sequence as GStreamer reads it; null: it has none
/// @param ticks  that a picture lasts
template <class Vui>
void describe_signal(const Vui* vui, unsigned ticks, CUVIDEOFORMAT* format) {
  if (vui && vui->timing_info_present_flag) {
    format->frame_rate.numerator = vui->time_scale;
    format->frame_rate.denominator = vui->num_units_in_tick * ticks;
  }
  const bool described = vui && vui->video_signal_type_present_flag;
  const bool colours = described && vui->colour_description_present_flag;
  auto& signal = format->video_signal_description;
  signal.video_format = 5;  // unspecified
  signal.video_full_range_flag = described && vui->video_full_range_flag ? 1 : 0;
  signal.color_primaries = colours ? vui->colour_primaries : 2;
  signal.transfer_characteristics = colours ? vui->transfer_characteristics : 2;
  signal.matrix_coefficients = colours ? vui->matrix_coefficients : 2;
}

}  // namespace emulated_nvdec
