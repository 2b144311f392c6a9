// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "program/input/media.h"
#include "program/options/options.h"
#include "program/output/output_format.h"
#include "program/pipeline/pipeline_line.h"

namespace mosaic_program {

/// The name of the source of subtitles, which ends by itself when the video does (SideStreams).
constexpr char kSubtitleSource[] = "subtitle-source";

/// Adds the sound and the subtitles of a film to its pipeline, as far as the output holds them.
class SideBranches {
 public:
  /// @param format of the output; null: a window
  /// @param notices what is left out is added to them
  SideBranches(PipelineLine& line, const Options& options, const OutputFormat* format,
               std::vector<std::string>& notices)
      : line_(line), options_(options), format_(format), notices_(notices) {}

  /// Whether any subtitles are kept.
  bool keeps_texts(const Media& media) const;
  void add_subtitles(const Media& media);
  /// What is not a file is read by the element "in", of parsed streams, or decoded ones if it is
  /// live.
  void add_sound(const Media& media);

 private:
  void link_queue(int bytes);
  void add_tracks(const Media& media);
  void add_track(const Track& track, const char* source, bool decoded);
  bool can_keep_texts(const Media& media) const;
  std::optional<std::string> maker_for(const Media& media, const std::string& caps) const;
  void add_text(const std::string& uri, const std::string& caps, const std::string& maker,
                bool first);

  PipelineLine& line_;
  const Options& options_;
  const OutputFormat* format_;
  std::vector<std::string>& notices_;
};

}  // namespace mosaic_program
