// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulated-gpu/libnvcuvid/hevc_params.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace emulated_nvdec {
namespace {

void describe_sequence(const GstH265SPS& sps, CUVIDHEVCPICPARAMS* hevc) {
  hevc->pic_width_in_luma_samples = sps.width;
  hevc->pic_height_in_luma_samples = sps.height;
  hevc->log2_min_luma_coding_block_size_minus3 = sps.log2_min_luma_coding_block_size_minus3;
  hevc->log2_diff_max_min_luma_coding_block_size = sps.log2_diff_max_min_luma_coding_block_size;
  hevc->log2_min_transform_block_size_minus2 = sps.log2_min_transform_block_size_minus2;
  hevc->log2_diff_max_min_transform_block_size = sps.log2_diff_max_min_transform_block_size;
  hevc->pcm_enabled_flag = sps.pcm_enabled_flag;
  hevc->log2_min_pcm_luma_coding_block_size_minus3 = sps.log2_min_pcm_luma_coding_block_size_minus3;
  hevc->log2_diff_max_min_pcm_luma_coding_block_size =
      sps.log2_diff_max_min_pcm_luma_coding_block_size;
  hevc->pcm_sample_bit_depth_luma_minus1 = sps.pcm_sample_bit_depth_luma_minus1;
  hevc->pcm_sample_bit_depth_chroma_minus1 = sps.pcm_sample_bit_depth_chroma_minus1;
  hevc->pcm_loop_filter_disabled_flag = sps.pcm_loop_filter_disabled_flag;
  hevc->strong_intra_smoothing_enabled_flag = sps.strong_intra_smoothing_enabled_flag;
  hevc->max_transform_hierarchy_depth_intra = sps.max_transform_hierarchy_depth_intra;
  hevc->max_transform_hierarchy_depth_inter = sps.max_transform_hierarchy_depth_inter;
  hevc->amp_enabled_flag = sps.amp_enabled_flag;
  hevc->separate_colour_plane_flag = sps.separate_colour_plane_flag;
  hevc->log2_max_pic_order_cnt_lsb_minus4 = sps.log2_max_pic_order_cnt_lsb_minus4;
  hevc->num_short_term_ref_pic_sets = sps.num_short_term_ref_pic_sets;
  hevc->long_term_ref_pics_present_flag = sps.long_term_ref_pics_present_flag;
  hevc->num_long_term_ref_pics_sps = sps.num_long_term_ref_pics_sps;
  hevc->sample_adaptive_offset_enabled_flag = sps.sample_adaptive_offset_enabled_flag;
  hevc->bit_depth_luma_minus8 = sps.bit_depth_luma_minus8;
  hevc->bit_depth_chroma_minus8 = sps.bit_depth_chroma_minus8;
  hevc->sps_range_extension_flag = sps.sps_range_extension_flag;
  hevc->sps_temporal_mvp_enabled_flag = sps.temporal_mvp_enabled_flag;
  hevc->scaling_list_enable_flag = sps.scaling_list_enabled_flag;
}

/// Both structures have the same order.
void describe_scaling(const GstH265ScalingList& lists, CUVIDHEVCPICPARAMS* hevc) {
  const auto copy = [](auto& to, const auto& from) {
    static_assert(sizeof to == sizeof from);
    std::memcpy(to, from, sizeof to);
  };
  copy(hevc->ScalingList4x4, lists.scaling_lists_4x4);
  copy(hevc->ScalingList8x8, lists.scaling_lists_8x8);
  copy(hevc->ScalingList16x16, lists.scaling_lists_16x16);
  copy(hevc->ScalingList32x32, lists.scaling_lists_32x32);
  const auto weight = [](gint16 minus8) { return static_cast<unsigned char>(minus8 + 8); };
  std::transform(std::begin(lists.scaling_list_dc_coef_minus8_16x16),
                 std::end(lists.scaling_list_dc_coef_minus8_16x16), hevc->ScalingListDCCoeff16x16,
                 weight);
  std::transform(std::begin(lists.scaling_list_dc_coef_minus8_32x32),
                 std::end(lists.scaling_list_dc_coef_minus8_32x32), hevc->ScalingListDCCoeff32x32,
                 weight);
}

}  // namespace

void describe(const GstH265PPS& pps, CUVIDHEVCPICPARAMS* hevc) {
  hevc->dependent_slice_segments_enabled_flag = pps.dependent_slice_segments_enabled_flag;
  hevc->slice_segment_header_extension_present_flag =
      pps.slice_segment_header_extension_present_flag;
  hevc->sign_data_hiding_enabled_flag = pps.sign_data_hiding_enabled_flag;
  hevc->cu_qp_delta_enabled_flag = pps.cu_qp_delta_enabled_flag;
  hevc->diff_cu_qp_delta_depth = pps.diff_cu_qp_delta_depth;
  hevc->init_qp_minus26 = pps.init_qp_minus26;
  hevc->constrained_intra_pred_flag = pps.constrained_intra_pred_flag;
  hevc->weighted_pred_flag = pps.weighted_pred_flag;
  hevc->weighted_bipred_flag = pps.weighted_bipred_flag;
  hevc->transform_skip_enabled_flag = pps.transform_skip_enabled_flag;
  hevc->transquant_bypass_enabled_flag = pps.transquant_bypass_enabled_flag;
  hevc->entropy_coding_sync_enabled_flag = pps.entropy_coding_sync_enabled_flag;
  hevc->log2_parallel_merge_level_minus2 = pps.log2_parallel_merge_level_minus2;
  hevc->num_extra_slice_header_bits = pps.num_extra_slice_header_bits;
  hevc->loop_filter_across_tiles_enabled_flag = pps.loop_filter_across_tiles_enabled_flag;
  hevc->loop_filter_across_slices_enabled_flag = pps.loop_filter_across_slices_enabled_flag;
  hevc->output_flag_present_flag = pps.output_flag_present_flag;
  hevc->num_ref_idx_l0_default_active_minus1 = pps.num_ref_idx_l0_default_active_minus1;
  hevc->num_ref_idx_l1_default_active_minus1 = pps.num_ref_idx_l1_default_active_minus1;
  hevc->lists_modification_present_flag = pps.lists_modification_present_flag;
  hevc->cabac_init_present_flag = pps.cabac_init_present_flag;
  hevc->deblocking_filter_override_enabled_flag = pps.deblocking_filter_override_enabled_flag;
  hevc->tiles_enabled_flag = pps.tiles_enabled_flag;
  hevc->uniform_spacing_flag = pps.uniform_spacing_flag;
  hevc->num_tile_columns_minus1 = pps.num_tile_columns_minus1;
  hevc->num_tile_rows_minus1 = pps.num_tile_rows_minus1;
  hevc->pps_range_extension_flag = pps.pps_range_extension_flag;
  hevc->pps_cb_qp_offset = pps.cb_qp_offset;
  hevc->pps_cr_qp_offset = pps.cr_qp_offset;
  hevc->pps_slice_chroma_qp_offsets_present_flag = pps.slice_chroma_qp_offsets_present_flag;
  hevc->pps_deblocking_filter_disabled_flag = pps.deblocking_filter_disabled_flag;
  hevc->pps_beta_offset_div2 = pps.beta_offset_div2;
  hevc->pps_tc_offset_div2 = pps.tc_offset_div2;
  const auto size = [](guint32 minus1) { return static_cast<unsigned short>(minus1); };
  std::transform(std::begin(pps.column_width_minus1), std::end(pps.column_width_minus1),
                 hevc->column_width_minus1, size);
  std::transform(pps.row_height_minus1, pps.row_height_minus1 + std::size(hevc->row_height_minus1),
                 hevc->row_height_minus1, size);
  const GstH265SPS& sps = *pps.sps;
  describe_sequence(sps, hevc);
  // Without lists of its own, a picture parameter set has the default ones.
  const bool own = pps.scaling_list_data_present_flag || !sps.scaling_list_data_present_flag;
  describe_scaling(own ? pps.scaling_list : sps.scaling_list, hevc);
}

}  // namespace emulated_nvdec
