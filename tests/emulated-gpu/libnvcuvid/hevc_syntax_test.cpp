// SPDX-License-Identifier: LGPL-2.1-or-later
// Parameter sets of HEVC, written from the parameters of a picture and read again by GStreamer:
// also the tools for which there is no encoder here.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "tests/emulated-gpu/libnvcuvid/hevc_params.h"
#include "tests/emulated-gpu/libnvcuvid/syntax.h"

namespace emulated_nvdec {
namespace {

/// A picture of 3x2 blocks of 64 samples.
CUVIDPICPARAMS picture() {
  CUVIDPICPARAMS params{};
  CUVIDHEVCPICPARAMS& hevc = params.CodecSpecific.hevc;
  hevc.pic_width_in_luma_samples = 192;
  hevc.pic_height_in_luma_samples = 128;
  hevc.log2_diff_max_min_luma_coding_block_size = 3;
  hevc.log2_diff_max_min_transform_block_size = 3;
  hevc.log2_max_pic_order_cnt_lsb_minus4 = 4;
  hevc.uniform_spacing_flag = 1;
  hevc.loop_filter_across_tiles_enabled_flag = 1;
  return params;
}

/// What GStreamer reads from the parameter sets.
CUVIDHEVCPICPARAMS read(const std::string& sets, unsigned* id) {
  GstH265Parser* parser = gst_h265_parser_new();
  const auto* data = reinterpret_cast<const guint8*>(sets.data());
  GstH265NalUnit unit{};
  GstH265VPS video{};
  GstH265SPS sequence{};
  GstH265PPS picture{};
  const auto next = [&] {
    gst_h265_parser_identify_nalu(parser, data, unit.offset + unit.size, sets.size(), &unit);
    return &unit;
  };
  EXPECT_EQ(gst_h265_parser_parse_vps(parser, next(), &video), GST_H265_PARSER_OK);
  EXPECT_EQ(gst_h265_parser_parse_sps(parser, next(), &sequence, TRUE), GST_H265_PARSER_OK);
  EXPECT_EQ(gst_h265_parser_parse_pps(parser, next(), &picture), GST_H265_PARSER_OK);
  EXPECT_EQ(unit.offset + unit.size, sets.size());
  CUVIDHEVCPICPARAMS params{};
  picture.sps = &sequence;  // which otherwise happens when a slice is read
  describe(picture, &params);
  *id = picture.id;
  gst_h265_parser_free(parser);
  return params;
}

void expect_same(CUVIDPICPARAMS params, unsigned wanted_id = 0) {
  // The beginning of a slice: its number of a parameter set is a code of at most 8 bits here.
  unsigned char slice[] = {0, 0, 1, 2, 1, 0x80, 0};
  const unsigned code = wanted_id + 1;
  const int length = code > 1 ? 3 : 1;
  slice[5] |= static_cast<unsigned char>(code << (7 - length));
  const unsigned offset = 0;
  params.pBitstreamData = slice;
  params.nBitstreamDataLen = sizeof slice;
  params.pSliceDataOffsets = &offset;
  params.nNumSlices = 1;
  const auto syntax = hevc_syntax();
  ASSERT_TRUE(syntax->is_supported(params));
  unsigned id = 99;
  CUVIDHEVCPICPARAMS wanted = params.CodecSpecific.hevc;
  const CUVIDHEVCPICPARAMS got = read(syntax->parameter_sets(params), &id);
  EXPECT_EQ(id, wanted_id);
  // What is not used has other values when it was read.
  const auto ignore = [&](auto& to, const auto& from) { std::memcpy(to, from, sizeof to); };
  if (!wanted.scaling_list_enable_flag) {
    ignore(wanted.ScalingList4x4, got.ScalingList4x4);
    ignore(wanted.ScalingList8x8, got.ScalingList8x8);
    ignore(wanted.ScalingList16x16, got.ScalingList16x16);
    ignore(wanted.ScalingList32x32, got.ScalingList32x32);
    ignore(wanted.ScalingListDCCoeff16x16, got.ScalingListDCCoeff16x16);
    ignore(wanted.ScalingListDCCoeff32x32, got.ScalingListDCCoeff32x32);
  }
  if (wanted.uniform_spacing_flag) {
    ignore(wanted.column_width_minus1, got.column_width_minus1);
    ignore(wanted.row_height_minus1, got.row_height_minus1);
  }
  const auto* a = reinterpret_cast<const unsigned char*>(&wanted);
  const auto* b = reinterpret_cast<const unsigned char*>(&got);
  for (std::size_t i = 0; i < sizeof wanted; ++i)
    ASSERT_EQ(a[i], b[i]) << "byte " << i << " of the parameters";
}

TEST(HevcSyntax, SaysTheSameAsTheParameters) {
  expect_same(picture());
  expect_same(picture(), 2);
}

TEST(HevcSyntax, KeepsEachField) {
  using Change = std::function<void(CUVIDHEVCPICPARAMS&)>;
  int number = 0;
  for (const Change& change : std::initializer_list<Change>{
#define FIELD(name, value) [](CUVIDHEVCPICPARAMS& p) { p.name = value; }
           FIELD(pic_width_in_luma_samples, 4096),
           FIELD(pic_height_in_luma_samples, 8),
           FIELD(log2_min_luma_coding_block_size_minus3, 1),
           FIELD(log2_diff_max_min_luma_coding_block_size, 2),
           FIELD(log2_diff_max_min_transform_block_size, 1),
           FIELD(max_transform_hierarchy_depth_inter, 3),
           FIELD(max_transform_hierarchy_depth_intra, 2),
           FIELD(amp_enabled_flag, 1),
           FIELD(sample_adaptive_offset_enabled_flag, 1),
           FIELD(long_term_ref_pics_present_flag, 1),
           FIELD(sps_temporal_mvp_enabled_flag, 1),
           FIELD(strong_intra_smoothing_enabled_flag, 1),
           FIELD(log2_max_pic_order_cnt_lsb_minus4, 12),
           FIELD(dependent_slice_segments_enabled_flag, 1),
           FIELD(output_flag_present_flag, 1),
           FIELD(num_extra_slice_header_bits, 2),
           FIELD(sign_data_hiding_enabled_flag, 1),
           FIELD(cabac_init_present_flag, 1),
           FIELD(num_ref_idx_l0_default_active_minus1, 14),
           FIELD(num_ref_idx_l1_default_active_minus1, 3),
           FIELD(init_qp_minus26, -26),
           FIELD(constrained_intra_pred_flag, 1),
           FIELD(transform_skip_enabled_flag, 1),
           FIELD(pps_cb_qp_offset, -12),
           FIELD(pps_cr_qp_offset, 12),
           FIELD(pps_slice_chroma_qp_offsets_present_flag, 1),
           FIELD(weighted_pred_flag, 1),
           FIELD(weighted_bipred_flag, 1),
           FIELD(transquant_bypass_enabled_flag, 1),
           FIELD(entropy_coding_sync_enabled_flag, 1),
           FIELD(loop_filter_across_slices_enabled_flag, 1),
           FIELD(deblocking_filter_override_enabled_flag, 1),
           FIELD(pps_deblocking_filter_disabled_flag, 1),
           FIELD(pps_beta_offset_div2, -6),
           FIELD(pps_tc_offset_div2, 6),
           FIELD(lists_modification_present_flag, 1),
           FIELD(log2_parallel_merge_level_minus2, 4),
           FIELD(slice_segment_header_extension_present_flag, 1),
#undef FIELD
           [](CUVIDHEVCPICPARAMS& p) { p.cu_qp_delta_enabled_flag = p.diff_cu_qp_delta_depth = 1; },
       }) {
    SCOPED_TRACE(number++);
    CUVIDPICPARAMS params = picture();
    change(params.CodecSpecific.hevc);
    expect_same(params);
  }
}

TEST(HevcSyntax, KeepsPcm) {
  CUVIDPICPARAMS params = picture();
  CUVIDHEVCPICPARAMS& hevc = params.CodecSpecific.hevc;
  hevc.pcm_enabled_flag = 1;
  hevc.pcm_sample_bit_depth_luma_minus1 = 7;
  hevc.pcm_sample_bit_depth_chroma_minus1 = 6;
  hevc.log2_min_pcm_luma_coding_block_size_minus3 = 0;
  hevc.log2_diff_max_min_pcm_luma_coding_block_size = 2;
  hevc.pcm_loop_filter_disabled_flag = 1;
  expect_same(params);
}

TEST(HevcSyntax, KeepsTiles) {
  CUVIDPICPARAMS params = picture();
  CUVIDHEVCPICPARAMS& hevc = params.CodecSpecific.hevc;
  hevc.tiles_enabled_flag = 1;
  hevc.num_tile_columns_minus1 = hevc.num_tile_rows_minus1 = 1;
  expect_same(params);
  hevc.loop_filter_across_tiles_enabled_flag = 0;
  hevc.uniform_spacing_flag = 0;
  hevc.column_width_minus1[0] = 1;
  hevc.column_width_minus1[1] = 0;
  expect_same(params);
}

TEST(HevcSyntax, KeepsScalingLists) {
  CUVIDPICPARAMS params = picture();
  CUVIDHEVCPICPARAMS& hevc = params.CodecSpecific.hevc;
  hevc.scaling_list_enable_flag = 1;
  unsigned weight = 1;
  const auto fill = [&](auto& lists) {
    for (auto& list : lists)
      for (auto& each : list) each = static_cast<unsigned char>(weight = weight * 7 % 251 + 1);
  };
  fill(hevc.ScalingList4x4);
  fill(hevc.ScalingList8x8);
  fill(hevc.ScalingList16x16);
  fill(hevc.ScalingList32x32);
  unsigned char dc = 1;
  for (auto& each : hevc.ScalingListDCCoeff16x16) each = dc += 30;
  for (auto& each : hevc.ScalingListDCCoeff32x32) each = dc += 30;
  expect_same(params);
}

TEST(HevcSyntax, RefusesWhatTheParametersDoNotContain) {
  const auto supported = [](const std::function<void(CUVIDHEVCPICPARAMS&)>& change) {
    CUVIDPICPARAMS params = picture();
    change(params.CodecSpecific.hevc);
    return hevc_syntax()->is_supported(params);
  };
  EXPECT_TRUE(supported([](auto&) {}));
  EXPECT_FALSE(supported([](auto& hevc) { hevc.num_short_term_ref_pic_sets = 1; }));
  EXPECT_FALSE(supported([](auto& hevc) { hevc.num_long_term_ref_pics_sps = 1; }));
  EXPECT_FALSE(supported([](auto& hevc) { hevc.sps_range_extension_flag = 1; }));
  EXPECT_FALSE(supported([](auto& hevc) { hevc.pps_range_extension_flag = 1; }));
  EXPECT_FALSE(supported([](auto& hevc) { hevc.num_tile_columns_minus1 = 21; }));
  EXPECT_FALSE(supported([](auto& hevc) { hevc.num_tile_rows_minus1 = 21; }));
}

TEST(HevcSyntax, RestartsWhereTheOrderOfDisplayGoesBack) {
  const auto syntax = hevc_syntax();
  const auto restarts = [&](int order, bool irap, bool idr) {
    CUVIDPICPARAMS params = picture();
    params.CodecSpecific.hevc.CurrPicOrderCntVal = order;
    params.CodecSpecific.hevc.IrapPicFlag = irap;
    params.CodecSpecific.hevc.IdrPicFlag = idr;
    return syntax->restarts(params);
  };
  EXPECT_TRUE(restarts(40, true, false)) << "the first";
  EXPECT_FALSE(restarts(44, false, false));
  EXPECT_FALSE(restarts(42, false, false));
  EXPECT_FALSE(restarts(48, true, false)) << "an open group of pictures";
  EXPECT_FALSE(restarts(46, false, false));
  EXPECT_TRUE(restarts(48, true, false)) << "after a jump";
  EXPECT_TRUE(restarts(0, true, true));
  EXPECT_FALSE(restarts(8, true, false));
}

}  // namespace
}  // namespace emulated_nvdec
