// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>
#include <vector>

#include "program/options/options.h"
#include "program/output/video_encoder.h"
#include "program/pipeline/pipeline_line.h"

namespace mosaic_program {

/// A file format, by the extension of the file's name.
class OutputFormat {
 public:
  /// @param codec one of codecs(); empty: what is usual in that kind of file
  /// Throws WrongUsage if no such kind is known, or it cannot hold the codec.
  static OutputFormat of(const std::string& file, const std::string& codec = "");

  bool is_picture() const { return muxer_.empty() && !is_stream_; }
  /// Whether it is a mosaic as a stream of indices, without pixels and sound.
  bool is_stream() const { return is_stream_; }
  bool is_film() const { return !muxer_.empty(); }
  /// Whether files of this kind can hold subtitles that are text.
  bool holds_text() const { return holds_text_; }

  /// Begins a branch with the muxer, whose name becomes "out". What it has written can be played
  /// even if the process ends at once, unless subtitles are kept in MP4 or MOV.
  /// @param texts whether subtitles are kept
  void link_muxer(PipelineLine& line, bool texts) const;
  /// Links an encoder. Throws Failure if none is installed. @param hardware whether NVIDIA's may be
  /// taken
  LinkedEncoder link_encoder(PipelineLine& line, const Options& options, bool hardware) const;
  /// Whether link_encoder() takes NVIDIA's encoder if it may.
  bool has_hardware_encoder() const;

  /// The parser of what link_encoder()'s encoder makes; empty: none is needed, or installed.
  std::string parser() const;

  /// Whether a stream can be stored as it is. @param caps all that is known of it
  bool can_hold(const std::string& caps) const;
  /// The encoder for sound. Throws Failure if none is installed.
  std::string sound_encoder() const;

 private:
  void choose(const Codec& codec);

  std::string muxer_;  ///< empty: pictures, or a stream of indices
  bool is_stream_ = false;
  bool holds_text_ = false;
  std::vector<std::string> encoders_;        ///< of video or pictures, best first
  std::string parser_;                       ///< of what the encoder makes; empty: none is needed
  std::vector<std::string> sound_encoders_;  ///< best first
};

}  // namespace mosaic_program
