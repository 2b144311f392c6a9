// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Films as libavformat reads and writes them.
#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
}

#include <memory>
#include <string>
#include <vector>

namespace mosaic_program {

struct CloseInput {
  void operator()(AVFormatContext* context) const { avformat_close_input(&context); }
};
/// A film that is read.
using FilmInput = std::unique_ptr<AVFormatContext, CloseInput>;

struct CloseOutput {
  void operator()(AVFormatContext* context) const {
    if (context->pb) avio_closep(&context->pb);
    avformat_free_context(context);
  }
};
/// A film that is written.
using FilmOutput = std::unique_ptr<AVFormatContext, CloseOutput>;

struct FreePacket {
  void operator()(AVPacket* packet) const { av_packet_free(&packet); }
};
using Packet = std::unique_ptr<AVPacket, FreePacket>;

constexpr AVRational kMicroseconds = {1, AV_TIME_BASE}, kNanoseconds = {1, 1'000'000'000};

/// Opens an MP4, MOV, Matroska or WebM file. @return null: it is none
FilmInput open_film(const std::string& path);

/// Throws Failure if there is not enough memory.
Packet new_packet();

/// Whether a stream is only a picture of the film.
bool is_cover(const AVStream* stream);

/// The streams of a type, without covers.
std::vector<AVStream*> streams_of(const AVFormatContext& film, AVMediaType type);

/// Of a video on average, microseconds; 0: unknown.
int64_t frame_length(const AVStream& stream);

/// Whether a packet says that its picture is shown for less than any picture is: under 4 ms.
bool is_too_short(const AVPacket& packet, const AVStream& stream);

/// See description.h.
std::vector<std::string> sample_formats(const AVFormatContext& film);

/// The text of an error of libav.
std::string libav_text(int error);

/// Throws Failure if a function of libav returned an error.
void check_libav(int result);

}  // namespace mosaic_program
