// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulated-gpu/libnvcuvid/h264_stream.h"

// These parsers of GStreamer have no stable interface, which their header wants to be told.
#define GST_USE_UNSTABLE_API
#include <gst/codecparsers/gsth264parser.h>

extern "C" {
#include <libavcodec/avcodec.h>
}

#include <algorithm>
#include <new>

namespace emulated_nvdec {

struct H264Stream::State {
  GstH264NalParser* nals = gst_h264_nal_parser_new();
  AVCodecContext* context = avcodec_alloc_context3(avcodec_find_decoder(AV_CODEC_ID_H264));
  AVCodecParserContext* orders = av_parser_init(AV_CODEC_ID_H264);

  ~State() {
    if (orders) av_parser_close(orders);
    avcodec_free_context(&context);
    gst_h264_nal_parser_free(nals);
  }
};

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
  CUVIDEOFORMAT format{};
  const GstH264VUIParams& vui = sps.vui_parameters;
  format.codec = cudaVideoCodec_H264;
  if (sps.vui_parameters_present_flag && vui.timing_info_present_flag) {
    format.frame_rate.numerator = vui.time_scale;
    format.frame_rate.denominator = vui.num_units_in_tick * 2;
  }
  format.progressive_sequence = sps.frame_mbs_only_flag;
  format.bit_depth_luma_minus8 = sps.bit_depth_luma_minus8;
  format.bit_depth_chroma_minus8 = sps.bit_depth_chroma_minus8;
  // References, the current picture, and those on display.
  format.min_num_decode_surfaces =
      static_cast<unsigned char>(std::max<std::size_t>(decoded_picture_buffer(sps), 1) + 4);
  format.coded_width = static_cast<unsigned>(sps.width);
  format.coded_height = static_cast<unsigned>(sps.height);
  format.display_area.right = sps.width;
  format.display_area.bottom = sps.height;
  if (sps.frame_cropping_flag)
    format.display_area = {sps.crop_rect_x, sps.crop_rect_y, sps.crop_rect_x + sps.crop_rect_width,
                           sps.crop_rect_y + sps.crop_rect_height};
  format.chroma_format = static_cast<cudaVideoChromaFormat>(sps.chroma_format_idc);
  const bool described = sps.vui_parameters_present_flag && vui.video_signal_type_present_flag;
  const bool colours = described && vui.colour_description_present_flag;
  format.video_signal_description.video_format = 5;  // unspecified
  format.video_signal_description.video_full_range_flag =
      described && vui.video_full_range_flag ? 1 : 0;
  format.video_signal_description.color_primaries = colours ? vui.colour_primaries : 2;
  format.video_signal_description.transfer_characteristics =
      colours ? vui.transfer_characteristics : 2;
  format.video_signal_description.matrix_coefficients = colours ? vui.matrix_coefficients : 2;
  return format;
}

void describe(const GstH264SPS& sps, const GstH264SliceHdr& slice, CUVIDPICPARAMS* params) {
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

void describe(const GstH264PPS& pps, CUVIDH264PICPARAMS* h264) {
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
    describe(sps, slice, &picture->params);
    describe(*slice.pps, &picture->params.CodecSpecific.h264);
    picture->params.ref_pic_flag = unit->ref_idc != 0;
    picture->params.CodecSpecific.h264.ref_pic_flag = unit->ref_idc != 0;
    picture->params.intra_pic_flag = 1;
    picture->format = format_of(sps);
    picture->reordered = reordered_pictures(sps);
    picture->references = sps.num_ref_frames;
    picture->idr = unit->type == GST_H264_NAL_SLICE_IDR;
  }
  if (!GST_H264_IS_I_SLICE(&slice) && !GST_H264_IS_SI_SLICE(&slice))
    picture->params.intra_pic_flag = 0;
  picture->offsets.push_back(static_cast<unsigned>(picture->slices.size()));
  picture->slices += std::string{'\0', '\0', '\1'};
  picture->slices.append(reinterpret_cast<const char*>(unit->data) + unit->offset, unit->size);
  return true;
}

}  // namespace

H264Stream::H264Stream() : state_(std::make_unique<State>()) {
  if (!state_->context || !state_->orders) throw std::bad_alloc();
  state_->orders->flags |= PARSER_FLAG_COMPLETE_FRAMES;
}

H264Stream::~H264Stream() = default;

bool H264Stream::read(const unsigned char* data, std::size_t size, CodedPicture* picture) {
  GstH264NalUnit unit{};
  GstH264ParserResult found = GST_H264_PARSER_OK;
  for (guint at = 0; found == GST_H264_PARSER_OK; at = unit.offset + unit.size) {
    found = gst_h264_parser_identify_nalu(state_->nals, data, at, size, &unit);
    if (found != GST_H264_PARSER_OK && found != GST_H264_PARSER_NO_NAL_END) break;
    switch (unit.type) {
      case GST_H264_NAL_SPS:
      case GST_H264_NAL_PPS:
        gst_h264_parser_parse_nal(state_->nals, &unit);
        break;
      case GST_H264_NAL_SLICE:
      case GST_H264_NAL_SLICE_IDR:
        add_slice(state_->nals, &unit, picture);
        break;
      default:
        break;
    }
  }
  std::uint8_t* whole = nullptr;
  int bytes = 0;
  // libavcodec reads past the end.
  std::string padded(reinterpret_cast<const char*>(data), size);
  padded.append(AV_INPUT_BUFFER_PADDING_SIZE, '\0');
  av_parser_parse2(state_->orders, state_->context, &whole, &bytes,
                   reinterpret_cast<const std::uint8_t*>(padded.data()), static_cast<int>(size),
                   AV_NOPTS_VALUE, AV_NOPTS_VALUE, 0);
  picture->order = state_->orders->output_picture_number;
  picture->entry = state_->orders->key_frame == 1;
  return !picture->offsets.empty();
}

}  // namespace emulated_nvdec
