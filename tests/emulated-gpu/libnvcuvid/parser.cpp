// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulated-gpu/libnvcuvid/parser.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace emulated_nvdec {

using emulated_gpu::kInvalidValue;
using emulated_gpu::kNotSupported;
using emulated_gpu::kSuccess;

Parser::Parser(const CUVIDPARSERPARAMS& params)
    : params_(params),
      stream_(params.CodecType == cudaVideoCodec_HEVC ? hevc_stream() : h264_stream()),
      surfaces_(static_cast<int>(std::max(params.ulMaxNumDecodeSurfaces, 1u))) {}
Parser::~Parser() = default;

Result Parser::parse(const CUVIDSOURCEDATAPACKET& packet) {
  if (packet.flags & CUVID_PKT_DISCONTINUITY) joined_ = false;
  if (packet.payload_size > 0) {
    if (!packet.payload) return kInvalidValue;
    if (!(packet.flags & CUVID_PKT_ENDOFPICTURE)) return kNotSupported;
    if (const Result result = picture(packet); result != kSuccess) return result;
  }
  if (!(packet.flags & CUVID_PKT_ENDOFSTREAM)) return kSuccess;
  const Result result = display(0, 0);
  // Also if the client refused a picture, what follows has nothing to do with those before.
  waiting_.clear();
  ready_.clear();
  joined_ = false;
  if (result == kSuccess && (packet.flags & CUVID_PKT_NOTIFY_EOS) && params_.pfnDisplayPicture)
    params_.pfnDisplayPicture(params_.pUserData, nullptr);
  return result;
}

Result Parser::picture(const CUVIDSOURCEDATAPACKET& packet) {
  CodedPicture coded;
  if (!stream_->read(packet.payload, packet.payload_size, &coded)) return kSuccess;
  if (coded.params.field_pic_flag) return kNotSupported;
  if (!joined_ && !coded.entry) return kSuccess;
  // Pictures before one that restarts the order of display are displayed before it.
  if (coded.restarts || !joined_) {
    if (const Result result = display(0, params_.ulMaxDisplayDelay); result != kSuccess)
      return result;
    references_.clear();
  }
  joined_ = true;
  if (const Result result = begin_sequence(coded); result != kSuccess) return result;
  if (const Result result = decode(coded); result != kSuccess) return result;
  const bool timed = packet.flags & CUVID_PKT_TIMESTAMP;
  waiting_.push_back({last_surface_, coded.order, coded.format.progressive_sequence != 0,
                      timed ? packet.timestamp : 0});
  return display(coded.reordered, params_.ulMaxDisplayDelay);
}

Result Parser::begin_sequence(const CodedPicture& coded) {
  if (has_format_ && std::memcmp(&format_, &coded.format, sizeof format_) == 0) return kSuccess;
  if (const Result result = display(0, 0); result != kSuccess) return result;
  has_format_ = false;
  CUVIDEOFORMAT format = coded.format;
  const int answer = params_.pfnSequenceCallback(params_.pUserData, &format);
  if (answer <= 0) return kInvalidValue;
  if (answer > 1) surfaces_ = answer;
  format_ = coded.format;
  has_format_ = true;
  return kSuccess;
}

Result Parser::decode(CodedPicture& coded) {
  stream_->refer(&references_, &coded);
  const int surface = free_surface();
  if (surface < 0) return kInvalidValue;
  CUVIDPICPARAMS& params = coded.params;
  params.CurrPicIdx = surface;
  params.nBitstreamDataLen = static_cast<unsigned>(coded.slices.size());
  params.pBitstreamData = reinterpret_cast<const unsigned char*>(coded.slices.data());
  params.nNumSlices = static_cast<unsigned>(coded.offsets.size());
  params.pSliceDataOffsets = coded.offsets.data();
  if (params_.pfnDecodePicture(params_.pUserData, &params) <= 0) return kInvalidValue;
  last_surface_ = surface;
  if (params.ref_pic_flag) references_.push_front({surface, coded.order, coded.frame_num});
  return kSuccess;
}

int Parser::free_surface() const {
  const auto is_used = [&](int index) {
    const auto has_it = [&](const Waiting& each) { return each.index == index; };
    return std::any_of(waiting_.begin(), waiting_.end(), has_it) ||
           std::any_of(ready_.begin(), ready_.end(), has_it) ||
           std::any_of(references_.begin(), references_.end(),
                       [&](const Reference& each) { return each.surface == index; });
  };
  // In turn, so that a surface rests as long as possible.
  for (int i = 1; i <= surfaces_; ++i)
    if (const int index = (last_surface_ + i) % surfaces_; !is_used(index)) return index;
  return -1;
}

Result Parser::display(std::size_t reordered, std::size_t delayed) {
  while (waiting_.size() > reordered) {
    const auto next =
        std::min_element(waiting_.begin(), waiting_.end(),
                         [](const Waiting& a, const Waiting& b) { return a.order < b.order; });
    ready_.push_back(*next);
    waiting_.erase(next);
  }
  while (ready_.size() > delayed) {
    const Waiting next = ready_.front();
    ready_.pop_front();
    CUVIDPARSERDISPINFO info{};
    info.picture_index = next.index;
    info.progressive_frame = next.progressive;
    info.top_field_first = 1;
    info.timestamp = next.timestamp;
    if (params_.pfnDisplayPicture && params_.pfnDisplayPicture(params_.pUserData, &info) <= 0)
      return kInvalidValue;
  }
  return kSuccess;
}

}  // namespace emulated_nvdec
