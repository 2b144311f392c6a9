// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulated-gpu/libnvcuvid/picture_order.h"

extern "C" {
#include <libavcodec/avcodec.h>
}

#include <cstdint>
#include <new>
#include <string>

namespace emulated_nvdec {

PictureOrder::PictureOrder(cudaVideoCodec codec) {
  const AVCodecID id = codec == cudaVideoCodec_HEVC ? AV_CODEC_ID_HEVC : AV_CODEC_ID_H264;
  context_ = avcodec_alloc_context3(avcodec_find_decoder(id));
  parser_ = av_parser_init(id);
  if (context_ && parser_) {
    parser_->flags |= PARSER_FLAG_COMPLETE_FRAMES;
    return;
  }
  if (parser_) av_parser_close(parser_);
  avcodec_free_context(&context_);
  throw std::bad_alloc();
}

PictureOrder::~PictureOrder() {
  av_parser_close(parser_);
  avcodec_free_context(&context_);
}

PictureOrder::Place PictureOrder::read(const unsigned char* data, std::size_t size) {
  std::uint8_t* whole = nullptr;
  int bytes = 0;
  // libavcodec reads past the end.
  std::string padded(reinterpret_cast<const char*>(data), size);
  padded.append(AV_INPUT_BUFFER_PADDING_SIZE, '\0');
  av_parser_parse2(parser_, context_, &whole, &bytes,
                   reinterpret_cast<const std::uint8_t*>(padded.data()), static_cast<int>(size),
                   AV_NOPTS_VALUE, AV_NOPTS_VALUE, 0);
  return {parser_->output_picture_number, parser_->key_frame == 1};
}

}  // namespace emulated_nvdec
