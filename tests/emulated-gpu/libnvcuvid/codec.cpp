// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulated-gpu/libnvcuvid/codec.h"

extern "C" {
#include <libavcodec/avcodec.h>
}

#include <algorithm>
#include <cstring>
#include <new>

namespace emulated_nvdec {

struct Codec::State {
  AVCodecContext* context = nullptr;
  AVPacket* packet = nullptr;
  AVFrame* output = nullptr;   ///< not looked at
  AVFrame* current = nullptr;  ///< the buffer that libavcodec decodes into

  ~State() {
    avcodec_free_context(&context);
    av_packet_free(&packet);
    av_frame_free(&output);
    av_frame_free(&current);
  }
};

namespace {

/// Keeps the buffer that is given to libavcodec. If references are missing there are several for a
/// picture: its own is the last in H.264, the first in HEVC.
int keep_buffer(AVCodecContext* context, AVFrame* frame, int flags) {
  const int result = avcodec_default_get_buffer2(context, frame, flags);
  if (result < 0) return result;
  auto* current = static_cast<AVFrame*>(context->opaque);
  if (context->codec_id == AV_CODEC_ID_HEVC && current->data[0]) return result;
  av_frame_unref(current);
  return av_frame_ref(current, frame);
}

bool fits(const AVFrame& frame, const Nv12& to) {
  return (frame.format == AV_PIX_FMT_YUV420P || frame.format == AV_PIX_FMT_YUVJ420P) &&
         frame.width >= to.width && frame.height >= to.height;
}

void write(const AVFrame& frame, const Nv12& to) {
  const auto row = [&](int plane, int y) { return frame.data[plane] + y * frame.linesize[plane]; };
  for (int y = 0; y < to.height; ++y)
    std::memcpy(to.memory + static_cast<std::size_t>(y) * to.pitch, row(0, y),
                static_cast<std::size_t>(to.width));
  for (int y = 0; y < to.height / 2; ++y) {
    std::uint8_t* const chroma = to.chroma() + static_cast<std::size_t>(y) * to.pitch;
    const std::uint8_t *u = row(1, y), *v = row(2, y);
    for (int x = 0; x < to.width / 2; ++x) {
      chroma[2 * x] = u[x];
      chroma[2 * x + 1] = v[x];
    }
  }
}

}  // namespace

Codec::Codec(cudaVideoCodec codec) : state_(std::make_unique<State>()) {
  state_->context = avcodec_alloc_context3(
      avcodec_find_decoder(codec == cudaVideoCodec_HEVC ? AV_CODEC_ID_HEVC : AV_CODEC_ID_H264));
  state_->packet = av_packet_alloc();
  state_->output = av_frame_alloc();
  state_->current = av_frame_alloc();
  if (!state_->context || !state_->packet || !state_->output || !state_->current)
    throw std::bad_alloc();
  state_->context->thread_count = 1;
  state_->context->thread_type = 0;
  state_->context->opaque = state_->current;
  state_->context->get_buffer2 = keep_buffer;
  if (avcodec_open2(state_->context, nullptr, nullptr) < 0) throw std::bad_alloc();
}

Codec::~Codec() = default;

void Codec::flush() {
  avcodec_flush_buffers(state_->context);
}

bool Codec::decode(const std::string& data, const Nv12& to) {
  State& s = *state_;
  av_frame_unref(s.current);
  if (av_new_packet(s.packet, static_cast<int>(data.size())) < 0) return false;
  std::memcpy(s.packet->data, data.data(), data.size());
  const int sent = avcodec_send_packet(s.context, s.packet);
  av_packet_unref(s.packet);
  while (avcodec_receive_frame(s.context, s.output) == 0) av_frame_unref(s.output);
  const bool decoded = sent >= 0 && s.current->data[0] && fits(*s.current, to);
  if (decoded) write(*s.current, to);
  return decoded;
}

}  // namespace emulated_nvdec
