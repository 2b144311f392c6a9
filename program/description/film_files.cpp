// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/description/film_files.h"

#include "program/failure.h"

namespace mosaic_program {

FilmInput open_film(const std::string& path) {
  // Nothing else is tried with a file that may be anything, and no other file is opened for it.
  AVDictionary* options = nullptr;
  av_dict_set(&options, "format_whitelist", "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm", 0);
  av_dict_set(&options, "protocol_whitelist", "file", 0);
  AVFormatContext* context = nullptr;
  const int result = avformat_open_input(&context, ("file:" + path).c_str(), nullptr, &options);
  av_dict_free(&options);
  return FilmInput(result < 0 ? nullptr : context);
}

Packet new_packet() {
  Packet packet(av_packet_alloc());
  if (!packet) throw Failure("there is not enough memory");
  return packet;
}

bool is_cover(const AVStream* stream) {
  return stream->disposition & AV_DISPOSITION_ATTACHED_PIC;
}

std::vector<AVStream*> streams_of(const AVFormatContext& film, AVMediaType type) {
  std::vector<AVStream*> streams;
  for (unsigned i = 0; i < film.nb_streams; ++i)
    if (AVStream* stream = film.streams[i];
        stream->codecpar->codec_type == type && !is_cover(stream))
      streams.push_back(stream);
  return streams;
}

int64_t frame_length(const AVStream& stream) {
  const AVRational rate = stream.avg_frame_rate;
  return rate.num > 0 && rate.den > 0 ? av_rescale(AV_TIME_BASE, rate.den, rate.num) : 0;
}

bool is_too_short(const AVPacket& packet, const AVStream& stream) {
  constexpr int64_t kShortest = 4000;  // microseconds: qtmux may give the last picture one tick
  return av_rescale_q(packet.duration, stream.time_base, kMicroseconds) < kShortest;
}

std::vector<std::string> sample_formats(const AVFormatContext& film) {
  std::vector<std::string> formats;
  for (unsigned i = 0; i < film.nb_streams; ++i) {
    const AVCodecParameters& codec = *film.streams[i]->codecpar;
    if (codec.codec_type != AVMEDIA_TYPE_AUDIO) continue;
    std::string& format = formats.emplace_back();
    if (codec.codec_id == AV_CODEC_ID_PCM_F32LE) format = "F32LE";
    if (codec.codec_id == AV_CODEC_ID_PCM_F32BE) format = "F32BE";
    if (codec.codec_id == AV_CODEC_ID_PCM_F64LE) format = "F64LE";
    if (codec.codec_id == AV_CODEC_ID_PCM_F64BE) format = "F64BE";
  }
  return formats;
}

std::string libav_text(int error) {
  char text[AV_ERROR_MAX_STRING_SIZE] = "";
  av_strerror(error, text, sizeof text);
  return text;
}

void check_libav(int result) {
  if (result < 0) throw Failure(libav_text(result));
}

}  // namespace mosaic_program
