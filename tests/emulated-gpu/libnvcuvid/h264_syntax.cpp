// SPDX-License-Identifier: LGPL-2.1-or-later
// Syntax: ITU-T H.264, 7.3.2.1 and 7.3.2.2.
#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <set>

#include "tests/emulated-gpu/libnvcuvid/bits.h"
#include "tests/emulated-gpu/libnvcuvid/syntax.h"

namespace emulated_nvdec {
namespace {

constexpr int kHighProfile = 100, kH264Level = 51;

/// The raster index of each entry of a zigzag scan (ITU-T H.264, 8.5.6).
template <int N>
std::array<int, N * N> zigzag() {
  std::array<int, N * N> order{};
  int x = 0, y = 0, step = 1;
  for (int& at : order) {
    at = y * N + x;
    const bool up = step == 1;
    const int next_x = up ? x + 1 : x - 1, next_y = up ? y - 1 : y + 1;
    if (next_x >= 0 && next_x < N && next_y >= 0 && next_y < N) {
      x = next_x;
      y = next_y;
      continue;
    }
    if (up)
      x + 1 < N ? ++x : ++y;
    else
      y + 1 < N ? ++y : ++x;
    step = -step;
  }
  return order;
}

/// @param list  [N * N] weights >= 1, in raster order
template <int N>
void scaling_list(BitWriter& out, const unsigned char* list) {
  out.flag(1);
  int last = 8;
  for (const int at : zigzag<N>()) {
    out.se(static_cast<std::int8_t>(list[at] - last));
    last = list[at];
  }
}

/// Whether the weights differ from the default of sequences without a scaling matrix.
bool has_scaling_matrix(const CUVIDH264PICPARAMS& h264) {
  const auto differs = [](unsigned char weight) { return weight != 16; };
  const auto *four = &h264.WeightScale4x4[0][0], *eight = &h264.WeightScale8x8[0][0];
  return std::any_of(four, four + sizeof h264.WeightScale4x4, differs) ||
         std::any_of(eight, eight + sizeof h264.WeightScale8x8, differs);
}

std::string sequence_parameter_set(const CUVIDPICPARAMS& picture) {
  const CUVIDH264PICPARAMS& h264 = picture.CodecSpecific.h264;
  BitWriter out;
  out.bits(kHighProfile, 8);
  out.bits(0, 8);  // constraints
  out.bits(kH264Level, 8);
  out.ue(0);  // seq_parameter_set_id
  out.ue(1);  // chroma_format_idc: 4:2:0
  out.ue(0);  // bit_depth_luma_minus8
  out.ue(0);  // bit_depth_chroma_minus8
  out.flag(h264.qpprime_y_zero_transform_bypass_flag);
  out.flag(0);  // seq_scaling_matrix_present_flag: it is in the picture parameter set
  out.ue(static_cast<unsigned>(h264.log2_max_frame_num_minus4));
  out.ue(static_cast<unsigned>(h264.pic_order_cnt_type));
  if (h264.pic_order_cnt_type == 0)
    out.ue(static_cast<unsigned>(h264.log2_max_pic_order_cnt_lsb_minus4));
  out.ue(static_cast<unsigned>(h264.num_ref_frames));
  out.flag(0);  // gaps_in_frame_num_value_allowed_flag
  out.ue(static_cast<unsigned>(picture.PicWidthInMbs - 1));
  const int fields = h264.frame_mbs_only_flag ? 1 : 2;
  out.ue(static_cast<unsigned>(picture.FrameHeightInMbs / fields - 1));
  out.flag(h264.frame_mbs_only_flag);
  if (!h264.frame_mbs_only_flag) out.flag(h264.MbaffFrameFlag);
  out.flag(h264.direct_8x8_inference_flag);
  out.flag(0);  // frame_cropping_flag: the surface is not cropped
  out.flag(0);  // vui_parameters_present_flag
  return out.nal_unit("\x67");
}

std::string picture_parameter_set(const CUVIDH264PICPARAMS& h264, unsigned id) {
  BitWriter out;
  out.ue(id);
  out.ue(0);  // seq_parameter_set_id
  out.flag(h264.entropy_coding_mode_flag);
  out.flag(h264.pic_order_present_flag);
  out.ue(0);  // num_slice_groups_minus1
  out.ue(static_cast<unsigned>(h264.num_ref_idx_l0_active_minus1));
  out.ue(static_cast<unsigned>(h264.num_ref_idx_l1_active_minus1));
  out.flag(h264.weighted_pred_flag);
  out.bits(static_cast<unsigned>(h264.weighted_bipred_idc), 2);
  out.se(h264.pic_init_qp_minus26);
  out.se(h264.pic_init_qs_minus26);
  out.se(h264.chroma_qp_index_offset);
  out.flag(h264.deblocking_filter_control_present_flag);
  out.flag(h264.constrained_intra_pred_flag);
  out.flag(h264.redundant_pic_cnt_present_flag);
  out.flag(h264.transform_8x8_mode_flag);
  const bool matrix = has_scaling_matrix(h264);
  out.flag(matrix);
  if (matrix) {
    for (const auto& list : h264.WeightScale4x4) scaling_list<4>(out, list);
    if (h264.transform_8x8_mode_flag)
      for (const auto& list : h264.WeightScale8x8) scaling_list<8>(out, list);
  }
  out.se(h264.second_chroma_qp_index_offset);
  return out.nal_unit("\x68");
}

class H264Syntax : public Syntax {
 public:
  Size size(const CUVIDPICPARAMS& picture) const override {
    return {picture.PicWidthInMbs * 16, picture.FrameHeightInMbs * 16};
  }

  /// Frames. The table of type 1 of the order of output is not among the parameters.
  bool is_supported(const CUVIDPICPARAMS& picture) const override {
    const CUVIDH264PICPARAMS& h264 = picture.CodecSpecific.h264;
    return !picture.field_pic_flag && h264.pic_order_cnt_type != 1 &&
           h264.num_slice_groups_minus1 == 0;
  }

  bool restarts(const CUVIDPICPARAMS& picture) override {
    const auto& dpb = picture.CodecSpecific.h264.dpb;
    return std::all_of(std::begin(dpb), std::end(dpb),
                       [](const CUVIDH264DPBENTRY& entry) { return entry.PicIdx < 0; });
  }

  std::string parameter_sets(const CUVIDPICPARAMS& picture) const override {
    std::set<unsigned> ids;
    const unsigned char* const end = picture.pBitstreamData + picture.nBitstreamDataLen;
    for (unsigned i = 0; i < picture.nNumSlices; ++i) {
      BitReader slice(picture.pBitstreamData + picture.pSliceDataOffsets[i], end, 1);
      slice.ue();  // first_mb_in_slice
      slice.ue();  // slice_type
      ids.insert(slice.ue());
    }
    std::string sets = sequence_parameter_set(picture);
    for (const unsigned id : ids) sets += picture_parameter_set(picture.CodecSpecific.h264, id);
    return sets;
  }
};

}  // namespace

std::unique_ptr<Syntax> h264_syntax() {
  return std::make_unique<H264Syntax>();
}

}  // namespace emulated_nvdec
