// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulated-gpu/libnvcuvid/hevc_params.h"

#include <algorithm>
#include <iterator>

#include "tests/emulated-gpu/libnvcuvid/picture_order.h"
#include "tests/emulated-gpu/libnvcuvid/stream.h"
#include "tests/emulated-gpu/libnvcuvid/video_format.h"

namespace emulated_nvdec {
namespace {

CUVIDEOFORMAT format_of(const GstH265SPS& sps) {
  const std::size_t pictures = sps.max_dec_pic_buffering_minus1[sps.max_sub_layers_minus1] + 1u;
  CUVIDEOFORMAT format =
      sequence_format(cudaVideoCodec_HEVC, sps, sps.conformance_window_flag != 0, pictures);
  format.progressive_sequence = 1;
  describe_signal(sps.vui_parameters_present_flag ? &sps.vui_params : nullptr, 1, &format);
  return format;
}

/// Finds the references that a picture itself uses among those in its parameters.
/// @param offsets  of references from its place in the order of display, [count]
/// @param used     whether it uses them itself, [count]
/// @param kept     how many are in its parameters
/// @param refpics  receives their indices there
/// @return their number
int current_references(const gint32* offsets, const guint8* used, int count, int kept,
                       const CUVIDHEVCPICPARAMS& hevc, unsigned char (&refpics)[8]) {
  int found = 0;
  for (int i = 0; i < count && found < 8; ++i) {
    const int* const end = hevc.PicOrderCntVal + kept;
    const int* const at = std::find(hevc.PicOrderCntVal, end, hevc.CurrPicOrderCntVal + offsets[i]);
    if (used[i] && at != end)
      refpics[found++] = static_cast<unsigned char>(at - hevc.PicOrderCntVal);
  }
  return found;
}

class HevcStream : public Stream {
 public:
  ~HevcStream() override { gst_h265_parser_free(nals_); }

  bool read(const unsigned char* data, std::size_t size, CodedPicture* picture) override {
    GstH265NalUnit unit{};
    GstH265ParserResult found = GST_H265_PARSER_OK;
    for (guint at = 0; found == GST_H265_PARSER_OK; at = unit.offset + unit.size) {
      found = gst_h265_parser_identify_nalu(nals_, data, at, size, &unit);
      if (found != GST_H265_PARSER_OK && found != GST_H265_PARSER_NO_NAL_END) break;
      if (unit.layer_id > 0) continue;
      if (unit.type <= GST_H265_NAL_SLICE_CRA_NUT)
        add_slice(&unit, picture);
      else
        keep_parameter_set(&unit);
    }
    picture->order = orders_.read(data, size).order;
    return !picture->offsets.empty();
  }

  /// Keeps those that the picture names; long-term references are not known here.
  void refer(std::deque<Reference>* references, CodedPicture* picture) const override {
    CUVIDHEVCPICPARAMS& hevc = picture->params.CodecSpecific.hevc;
    const auto names = [&](const gint32* offsets, int count, const Reference& each) {
      return std::find(offsets, offsets + count, each.order - picture->order) != offsets + count;
    };
    std::erase_if(*references, [&](const Reference& each) {
      return !names(set_.DeltaPocS0, set_.NumNegativePics, each) &&
             !names(set_.DeltaPocS1, set_.NumPositivePics, each);
    });
    references->resize(std::min(references->size(), std::size(hevc.RefPicIdx)));
    hevc.CurrPicOrderCntVal = picture->order;
    std::fill(std::begin(hevc.RefPicIdx), std::end(hevc.RefPicIdx), -1);
    int kept = 0;
    for (const Reference& each : *references) {
      hevc.RefPicIdx[kept] = each.surface;
      hevc.PicOrderCntVal[kept++] = each.order;
    }
    hevc.NumPocStCurrBefore =
        current_references(set_.DeltaPocS0, set_.UsedByCurrPicS0, set_.NumNegativePics, kept, hevc,
                           hevc.RefPicSetStCurrBefore);
    hevc.NumPocStCurrAfter =
        current_references(set_.DeltaPocS1, set_.UsedByCurrPicS1, set_.NumPositivePics, kept, hevc,
                           hevc.RefPicSetStCurrAfter);
    hevc.NumPocTotalCurr = hevc.NumPocStCurrBefore + hevc.NumPocStCurrAfter;
  }

 private:
  /// gst_h265_parser_parse_nal() would not read the usability information.
  void keep_parameter_set(GstH265NalUnit* unit) {
    GstH265VPS video;
    GstH265SPS sequence;
    GstH265PPS picture;
    if (unit->type == GST_H265_NAL_VPS) gst_h265_parser_parse_vps(nals_, unit, &video);
    if (unit->type == GST_H265_NAL_SPS) gst_h265_parser_parse_sps(nals_, unit, &sequence, TRUE);
    if (unit->type == GST_H265_NAL_PPS) gst_h265_parser_parse_pps(nals_, unit, &picture);
  }

  /// Slices whose parameter sets are not known are left out.
  void add_slice(GstH265NalUnit* unit, CodedPicture* picture) {
    GstH265SliceHdr slice{};
    if (gst_h265_parser_parse_slice_hdr(nals_, unit, &slice) == GST_H265_PARSER_OK) {
      if (picture->offsets.empty()) begin(*unit, slice, picture);
      picture->add_slice(unit->data + unit->offset, unit->size);
    }
    gst_h265_slice_hdr_free(&slice);
  }

  void begin(const GstH265NalUnit& unit, const GstH265SliceHdr& slice, CodedPicture* picture) {
    const GstH265SPS& sps = *slice.pps->sps;
    set_ = slice.short_term_ref_pic_set_sps_flag
               ? sps.short_term_ref_pic_set[slice.short_term_ref_pic_set_idx]
               : slice.short_term_ref_pic_sets;
    picture->entry = GST_H265_IS_NAL_TYPE_IRAP(unit.type);
    picture->restarts = GST_H265_IS_NAL_TYPE_IDR(unit.type) || GST_H265_IS_NAL_TYPE_BLA(unit.type);
    picture->format = format_of(sps);
    picture->reordered = sps.max_num_reorder_pics[sps.max_sub_layers_minus1];
    CUVIDPICPARAMS& params = picture->params;
    params.PicWidthInMbs = sps.width / 16;
    params.FrameHeightInMbs = sps.height / 16;
    params.ref_pic_flag = 1;  // until a later picture does not name it
    params.intra_pic_flag = picture->entry;
    CUVIDHEVCPICPARAMS& hevc = params.CodecSpecific.hevc;
    hevc.IrapPicFlag = picture->entry;
    hevc.IdrPicFlag = GST_H265_IS_NAL_TYPE_IDR(unit.type);
    hevc.NumBitsForShortTermRPSInSlice = static_cast<int>(slice.short_term_ref_pic_set_size);
    hevc.NumDeltaPocsOfRefRpsIdx = slice.short_term_ref_pic_sets.NumDeltaPocsOfRefRpsIdx;
    describe(*slice.pps, &hevc);
  }

  PictureOrder orders_{cudaVideoCodec_HEVC};
  GstH265Parser* nals_ = gst_h265_parser_new();
  GstH265ShortTermRefPicSet set_{};  ///< of the picture that was read last
};

}  // namespace

std::unique_ptr<Stream> hevc_stream() {
  return std::make_unique<HevcStream>();
}

}  // namespace emulated_nvdec
