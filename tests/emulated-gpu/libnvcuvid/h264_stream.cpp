// SPDX-License-Identifier: LGPL-2.1-or-later
// These parsers of GStreamer have no stable interface, which their header wants to be told.
#define GST_USE_UNSTABLE_API
#include <gst/codecparsers/gsth264parser.h>

#include <algorithm>
#include <iterator>

#include "tests/emulated-gpu/libnvcuvid/picture_order.h"
#include "tests/emulated-gpu/libnvcuvid/stream.h"
#include "tests/emulated-gpu/libnvcuvid/video_format.h"

namespace emulated_nvdec {
namespace {

/// Frames that a decoder of this level holds (ITU-T H.264, table A-1).
std::size_t decoded_picture_buffer(const GstH264SPS& sps) {
  constexpr struct {
    int level;
    std::size_t macroblocks;
  } kLevels[] = {{10, 396},   {11, 900},   {20, 2376},  {21, 4752},   {30, 8100},   {31, 18000},
                 {32, 20480}, {41, 32768}, {42, 34816}, {50, 110400}, {52, 184320}, {255, 696320}};
  const auto level = std::find_if(std::begin(kLevels), std::end(kLevels),
                                  [&](const auto& entry) { return sps.level_idc <= entry.level; });
  const auto macroblocks = static_cast<std::size_t>(sps.width / 16 * sps.height / 16);
  return std::min<std::size_t>(level->macroblocks / std::max<std::size_t>(macroblocks, 1), 16);
}

std::size_t reordered_pictures(const GstH264SPS& sps) {
  if (sps.pic_order_cnt_type == 2) return 0;
  if (sps.vui_parameters_present_flag && sps.vui_parameters.bitstream_restriction_flag)
    return sps.vui_parameters.num_reorder_frames;
  return decoded_picture_buffer(sps);
}

CUVIDEOFORMAT format_of(const GstH264SPS& sps) {
  CUVIDEOFORMAT format = sequence_format(cudaVideoCodec_H264, sps, sps.frame_cropping_flag != 0,
                                         std::max<std::size_t>(decoded_picture_buffer(sps), 1));
  format.progressive_sequence = sps.frame_mbs_only_flag;
  describe_signal(sps.vui_parameters_present_flag ? &sps.vui_parameters : nullptr, 2, &format);
  return format;
}

void describe_h264(const GstH264SPS& sps, const GstH264SliceHdr& slice, CUVIDPICPARAMS* params) {
  params->PicWidthInMbs = static_cast<int>(sps.pic_width_in_mbs_minus1 + 1);
  params->FrameHeightInMbs =
      static_cast<int>(sps.pic_height_in_map_units_minus1 + 1) * (sps.frame_mbs_only_flag ? 1 : 2);
  params->field_pic_flag = slice.field_pic_flag;
  params->bottom_field_flag = slice.bottom_field_flag;
  CUVIDH264PICPARAMS& h264 = params->CodecSpecific.h264;
  h264.log2_max_frame_num_minus4 = sps.log2_max_frame_num_minus4;
  h264.pic_order_cnt_type = sps.pic_order_cnt_type;
  h264.log2_max_pic_order_cnt_lsb_minus4 = sps.log2_max_pic_order_cnt_lsb_minus4;
  h264.delta_pic_order_always_zero_flag = sps.delta_pic_order_always_zero_flag;
  h264.frame_mbs_only_flag = sps.frame_mbs_only_flag;
  h264.direct_8x8_inference_flag = sps.direct_8x8_inference_flag;
  h264.num_ref_frames = static_cast<int>(sps.num_ref_frames);
  h264.qpprime_y_zero_transform_bypass_flag = sps.qpprime_y_zero_transform_bypass_flag;
  h264.MbaffFrameFlag = sps.mb_adaptive_frame_field_flag && !slice.field_pic_flag;
  h264.frame_num = slice.frame_num;
}

void describe_h264(const GstH264PPS& pps, CUVIDH264PICPARAMS* h264) {
  h264->entropy_coding_mode_flag = pps.entropy_coding_mode_flag;
  h264->pic_order_present_flag = pps.pic_order_present_flag;
  h264->num_ref_idx_l0_active_minus1 = pps.num_ref_idx_l0_active_minus1;
  h264->num_ref_idx_l1_active_minus1 = pps.num_ref_idx_l1_active_minus1;
  h264->weighted_pred_flag = pps.weighted_pred_flag;
  h264->weighted_bipred_idc = pps.weighted_bipred_idc;
  h264->pic_init_qp_minus26 = pps.pic_init_qp_minus26;
  h264->pic_init_qs_minus26 = pps.pic_init_qs_minus26;
  h264->deblocking_filter_control_present_flag = pps.deblocking_filter_control_present_flag;
  h264->redundant_pic_cnt_present_flag = pps.redundant_pic_cnt_present_flag;
  h264->transform_8x8_mode_flag = pps.transform_8x8_mode_flag;
  h264->constrained_intra_pred_flag = pps.constrained_intra_pred_flag;
  h264->chroma_qp_index_offset = pps.chroma_qp_index_offset;
  h264->second_chroma_qp_index_offset = static_cast<gint8>(pps.second_chroma_qp_index_offset);
  h264->num_slice_groups_minus1 = static_cast<unsigned char>(pps.num_slice_groups_minus1);
  for (int i = 0; i < 6; ++i)
    gst_h264_quant_matrix_4x4_get_raster_from_zigzag(h264->WeightScale4x4[i],
                                                     pps.scaling_lists_4x4[i]);
  for (int i = 0; i < 2; ++i)
    gst_h264_quant_matrix_8x8_get_raster_from_zigzag(h264->WeightScale8x8[i],
                                                     pps.scaling_lists_8x8[i]);
}

/// Adds a slice to a picture. False if its parameter sets are not known.
bool add_slice(GstH264NalParser* nals, GstH264NalUnit* unit, CodedPicture* picture) {
  GstH264SliceHdr slice;
  if (gst_h264_parser_parse_slice_hdr(nals, unit, &slice, TRUE, TRUE) != GST_H264_PARSER_OK)
    return false;
  const GstH264SPS& sps = *slice.pps->sequence;
  if (picture->offsets.empty()) {
    describe_h264(sps, slice, &picture->params);
    describe_h264(*slice.pps, &picture->params.CodecSpecific.h264);
    picture->params.ref_pic_flag = unit->ref_idc != 0;
    picture->params.CodecSpecific.h264.ref_pic_flag = unit->ref_idc != 0;
    picture->params.intra_pic_flag = 1;
    picture->format = format_of(sps);
    picture->reordered = reordered_pictures(sps);
    picture->frame_num = slice.frame_num;
    picture->restarts = unit->type == GST_H264_NAL_SLICE_IDR;
  }
  if (!GST_H264_IS_I_SLICE(&slice) && !GST_H264_IS_SI_SLICE(&slice))
    picture->params.intra_pic_flag = 0;
  picture->add_slice(unit->data + unit->offset, unit->size);
  return true;
}

class H264Stream : public Stream {
 public:
  ~H264Stream() override { gst_h264_nal_parser_free(nals_); }

  bool read(const unsigned char* data, std::size_t size, CodedPicture* picture) override {
    GstH264NalUnit unit{};
    GstH264ParserResult found = GST_H264_PARSER_OK;
    for (guint at = 0; found == GST_H264_PARSER_OK; at = unit.offset + unit.size) {
      found = gst_h264_parser_identify_nalu(nals_, data, at, size, &unit);
      if (found != GST_H264_PARSER_OK && found != GST_H264_PARSER_NO_NAL_END) break;
      switch (unit.type) {
        case GST_H264_NAL_SPS:
        case GST_H264_NAL_PPS:
          gst_h264_parser_parse_nal(nals_, &unit);
          break;
        case GST_H264_NAL_SLICE:
        case GST_H264_NAL_SLICE_IDR:
          add_slice(nals_, &unit, picture);
          break;
        default:
          break;
      }
    }
    const PictureOrder::Place place = orders_.read(data, size);
    picture->order = place.order;
    picture->entry = place.entry;
    return !picture->offsets.empty();
  }

  /// Keeps as many as the sequence holds.
  void refer(std::deque<Reference>* references, CodedPicture* picture) const override {
    CUVIDH264PICPARAMS& h264 = picture->params.CodecSpecific.h264;
    const auto kept =
        std::min<std::size_t>(static_cast<std::size_t>(h264.num_ref_frames), std::size(h264.dpb));
    if (references->size() > kept) references->resize(kept);
    h264.CurrFieldOrderCnt[0] = h264.CurrFieldOrderCnt[1] = picture->order;
    for (CUVIDH264DPBENTRY& entry : h264.dpb) entry.PicIdx = -1;
    std::transform(references->begin(), references->end(), h264.dpb, [](const Reference& each) {
      return CUVIDH264DPBENTRY{each.surface, each.frame_num, 0, 0, 3, {each.order, each.order}};
    });
  }

 private:
  PictureOrder orders_{cudaVideoCodec_H264};
  GstH264NalParser* nals_ = gst_h264_nal_parser_new();
};

}  // namespace

std::unique_ptr<Stream> h264_stream() {
  return std::make_unique<H264Stream>();
}

}  // namespace emulated_nvdec
