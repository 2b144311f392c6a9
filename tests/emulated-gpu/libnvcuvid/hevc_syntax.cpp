// SPDX-License-Identifier: LGPL-2.1-or-later
// Syntax: ITU-T H.265, 7.3.2.1 to 7.3.2.3 and 7.3.4.
#include <algorithm>
#include <climits>
#include <cstddef>
#include <iterator>

#include "tests/emulated-gpu/libnvcuvid/bits.h"
#include "tests/emulated-gpu/libnvcuvid/syntax.h"

namespace emulated_nvdec {
namespace {

constexpr unsigned kMainProfile = 1, kHevcLevel = 153;  // 5.1
constexpr unsigned kMostPictures = 16;
constexpr char kVideoSet = 32, kSequenceSet = 33, kPictureSet = 34;  // nal_unit_type

std::string header(char type) {
  return {static_cast<char>(type << 1), 1};
}

/// profile_tier_level(): a progressive sequence.
void profile(BitWriter& out) {
  out.bits(kMainProfile, 8);
  out.bits(3u << 29, 32);  // compatible with Main and Main 10
  out.bits(0b1001, 4);
  for (int i = 0; i < 44; ++i) out.flag(0);
  out.bits(kHevcLevel, 8);
}

/// The pictures that are kept, and how many wait for display: none, because the codec's output is
/// not looked at, and pictures that waited would remain after a jump in the stream.
void buffering(BitWriter& out) {
  out.flag(1);  // sub_layer_ordering_info_present_flag
  out.ue(kMostPictures - 1);
  out.ue(0);  // max_num_reorder_pics
  out.ue(0);  // max_latency_increase_plus1
}

std::string video_parameter_set() {
  BitWriter out;
  out.bits(0, 4);  // vps_video_parameter_set_id
  out.bits(3, 2);  // vps_base_layer_internal_flag, vps_base_layer_available_flag
  out.bits(0, 6);  // vps_max_layers_minus1
  out.bits(0, 3);  // vps_max_sub_layers_minus1
  out.flag(1);     // vps_temporal_id_nesting_flag
  out.bits(0xffff, 16);
  profile(out);
  buffering(out);
  out.bits(0, 6);  // vps_max_layer_id
  out.ue(0);       // vps_num_layer_sets_minus1
  out.flag(0);     // vps_timing_info_present_flag
  out.flag(0);     // vps_extension_flag
  return out.nal_unit(header(kVideoSet));
}

std::string sequence_parameter_set(const CUVIDHEVCPICPARAMS& hevc) {
  BitWriter out;
  out.bits(0, 4);  // sps_video_parameter_set_id
  out.bits(0, 3);  // sps_max_sub_layers_minus1
  out.flag(1);     // sps_temporal_id_nesting_flag
  profile(out);
  out.ue(0);  // sps_seq_parameter_set_id
  out.ue(1);  // chroma_format_idc: 4:2:0
  out.ue(static_cast<unsigned>(hevc.pic_width_in_luma_samples));
  out.ue(static_cast<unsigned>(hevc.pic_height_in_luma_samples));
  out.flag(0);  // conformance_window_flag: the surface is not cropped
  out.ue(0);    // bit_depth_luma_minus8
  out.ue(0);    // bit_depth_chroma_minus8
  out.ue(hevc.log2_max_pic_order_cnt_lsb_minus4);
  buffering(out);
  out.ue(hevc.log2_min_luma_coding_block_size_minus3);
  out.ue(hevc.log2_diff_max_min_luma_coding_block_size);
  out.ue(hevc.log2_min_transform_block_size_minus2);
  out.ue(hevc.log2_diff_max_min_transform_block_size);
  out.ue(hevc.max_transform_hierarchy_depth_inter);
  out.ue(hevc.max_transform_hierarchy_depth_intra);
  out.flag(hevc.scaling_list_enable_flag);
  if (hevc.scaling_list_enable_flag) out.flag(0);  // they are in the picture parameter set
  out.flag(hevc.amp_enabled_flag);
  out.flag(hevc.sample_adaptive_offset_enabled_flag);
  out.flag(hevc.pcm_enabled_flag);
  if (hevc.pcm_enabled_flag) {
    out.bits(hevc.pcm_sample_bit_depth_luma_minus1, 4);
    out.bits(hevc.pcm_sample_bit_depth_chroma_minus1, 4);
    out.ue(hevc.log2_min_pcm_luma_coding_block_size_minus3);
    out.ue(hevc.log2_diff_max_min_pcm_luma_coding_block_size);
    out.flag(hevc.pcm_loop_filter_disabled_flag);
  }
  out.ue(0);  // num_short_term_ref_pic_sets
  out.flag(hevc.long_term_ref_pics_present_flag);
  if (hevc.long_term_ref_pics_present_flag) out.ue(0);  // num_long_term_ref_pics_sps
  out.flag(hevc.sps_temporal_mvp_enabled_flag);
  out.flag(hevc.strong_intra_smoothing_enabled_flag);
  out.flag(0);  // vui_parameters_present_flag
  out.flag(0);  // sps_extension_present_flag
  return out.nal_unit(header(kSequenceSet));
}

/// @param list  weights in the order in which they are coded
/// @param dc    the weight of the constant part; 0: it is not coded
template <std::size_t N>
void scaling_list(BitWriter& out, const unsigned char (&list)[N], int dc) {
  out.flag(1);  // scaling_list_pred_mode_flag
  int last = 8;
  if (dc > 0) {
    out.se(dc - 8);
    last = dc;
  }
  for (const int weight : list) {
    out.se(static_cast<signed char>(weight - last));
    last = weight;
  }
}

void scaling_lists(BitWriter& out, const CUVIDHEVCPICPARAMS& hevc) {
  for (const auto& list : hevc.ScalingList4x4) scaling_list(out, list, 0);
  for (const auto& list : hevc.ScalingList8x8) scaling_list(out, list, 0);
  for (int i = 0; i < 6; ++i)
    scaling_list(out, hevc.ScalingList16x16[i], hevc.ScalingListDCCoeff16x16[i]);
  for (int i = 0; i < 2; ++i)
    scaling_list(out, hevc.ScalingList32x32[i], hevc.ScalingListDCCoeff32x32[i]);
}

void tiles(BitWriter& out, const CUVIDHEVCPICPARAMS& hevc) {
  out.ue(hevc.num_tile_columns_minus1);
  out.ue(hevc.num_tile_rows_minus1);
  out.flag(hevc.uniform_spacing_flag);
  if (!hevc.uniform_spacing_flag) {
    for (int i = 0; i < hevc.num_tile_columns_minus1; ++i) out.ue(hevc.column_width_minus1[i]);
    for (int i = 0; i < hevc.num_tile_rows_minus1; ++i) out.ue(hevc.row_height_minus1[i]);
  }
  out.flag(hevc.loop_filter_across_tiles_enabled_flag);
}

std::string picture_parameter_set(const CUVIDHEVCPICPARAMS& hevc, unsigned id) {
  BitWriter out;
  out.ue(id);
  out.ue(0);  // pps_seq_parameter_set_id
  out.flag(hevc.dependent_slice_segments_enabled_flag);
  out.flag(hevc.output_flag_present_flag);
  out.bits(hevc.num_extra_slice_header_bits, 3);
  out.flag(hevc.sign_data_hiding_enabled_flag);
  out.flag(hevc.cabac_init_present_flag);
  out.ue(hevc.num_ref_idx_l0_default_active_minus1);
  out.ue(hevc.num_ref_idx_l1_default_active_minus1);
  out.se(hevc.init_qp_minus26);
  out.flag(hevc.constrained_intra_pred_flag);
  out.flag(hevc.transform_skip_enabled_flag);
  out.flag(hevc.cu_qp_delta_enabled_flag);
  if (hevc.cu_qp_delta_enabled_flag) out.ue(hevc.diff_cu_qp_delta_depth);
  out.se(hevc.pps_cb_qp_offset);
  out.se(hevc.pps_cr_qp_offset);
  out.flag(hevc.pps_slice_chroma_qp_offsets_present_flag);
  out.flag(hevc.weighted_pred_flag);
  out.flag(hevc.weighted_bipred_flag);
  out.flag(hevc.transquant_bypass_enabled_flag);
  out.flag(hevc.tiles_enabled_flag);
  out.flag(hevc.entropy_coding_sync_enabled_flag);
  if (hevc.tiles_enabled_flag) tiles(out, hevc);
  out.flag(hevc.loop_filter_across_slices_enabled_flag);
  out.flag(1);  // deblocking_filter_control_present_flag
  out.flag(hevc.deblocking_filter_override_enabled_flag);
  out.flag(hevc.pps_deblocking_filter_disabled_flag);
  if (!hevc.pps_deblocking_filter_disabled_flag) {
    out.se(hevc.pps_beta_offset_div2);
    out.se(hevc.pps_tc_offset_div2);
  }
  out.flag(hevc.scaling_list_enable_flag);
  if (hevc.scaling_list_enable_flag) scaling_lists(out, hevc);
  out.flag(hevc.lists_modification_present_flag);
  out.ue(hevc.log2_parallel_merge_level_minus2);
  out.flag(hevc.slice_segment_header_extension_present_flag);
  out.flag(0);  // pps_extension_present_flag
  return out.nal_unit(header(kPictureSet));
}

class HevcSyntax : public Syntax {
 public:
  Size size(const CUVIDPICPARAMS& picture) const override {
    const CUVIDHEVCPICPARAMS& hevc = picture.CodecSpecific.hevc;
    return {hevc.pic_width_in_luma_samples, hevc.pic_height_in_luma_samples};
  }

  /// The tables of references that a sequence may have are not among the parameters, only their
  /// lengths; x265, for one, makes none.
  bool is_supported(const CUVIDPICPARAMS& picture) const override {
    const CUVIDHEVCPICPARAMS& hevc = picture.CodecSpecific.hevc;
    return hevc.num_short_term_ref_pic_sets == 0 && hevc.num_long_term_ref_pics_sps == 0 &&
           !hevc.sps_range_extension_flag && !hevc.pps_range_extension_flag &&
           hevc.num_tile_columns_minus1 < std::size(hevc.column_width_minus1) &&
           hevc.num_tile_rows_minus1 < std::size(hevc.row_height_minus1);
  }

  /// Nothing tells an open group of pictures from one at which the stream was entered, except for
  /// the order of display: within a stream it does not go back.
  bool restarts(const CUVIDPICPARAMS& picture) override {
    const CUVIDHEVCPICPARAMS& hevc = picture.CodecSpecific.hevc;
    const int order = hevc.CurrPicOrderCntVal;
    const bool restarts = hevc.IdrPicFlag || (hevc.IrapPicFlag && order <= last_order_);
    last_order_ = restarts ? order : std::max(last_order_, order);
    return restarts;
  }

  std::string parameter_sets(const CUVIDPICPARAMS& picture) const override {
    const CUVIDHEVCPICPARAMS& hevc = picture.CodecSpecific.hevc;
    // All slices of a picture refer to the same set.
    const unsigned char* const first = picture.pBitstreamData + picture.pSliceDataOffsets[0];
    BitReader slice(first, picture.pBitstreamData + picture.nBitstreamDataLen, 2);
    slice.bit();                        // first_slice_segment_in_pic_flag
    if (hevc.IrapPicFlag) slice.bit();  // no_output_of_prior_pics_flag
    return video_parameter_set() + sequence_parameter_set(hevc) +
           picture_parameter_set(hevc, slice.ue());
  }

 private:
  int last_order_ = INT_MAX;  ///< of display, since the last restart
};

}  // namespace

std::unique_ptr<Syntax> hevc_syntax() {
  return std::make_unique<HevcSyntax>();
}

}  // namespace emulated_nvdec
