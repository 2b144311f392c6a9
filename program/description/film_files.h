// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Films as libavformat reads and writes them.
#pragma once

extern "C" {
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

/// Opens an MP4, MOV, Matroska or WebM file. @return null: it is none
FilmInput open_film(const std::string& path);

/// For each track of sound in a film its format in GStreamer's words ("F32LE"), if it is samples of
/// floating point; else an empty text.
std::vector<std::string> sample_formats(const AVFormatContext& film);

/// The text of an error of libav.
std::string libav_text(int error);

/// Throws Failure if a function of libav returned an error.
void check_libav(int result);

}  // namespace mosaic_program
