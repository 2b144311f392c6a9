// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "program/description/description.h"
#include "program/description/film_files.h"

namespace mosaic_program {

/// Writes a film anew, with what another one says of itself.
class Describer {
 public:
  static constexpr int64_t kNoLimit = INT64_MAX;

  /// @param input, film not owned
  /// @param path to write to; its extension says the format
  /// @param limit when texts end, microseconds @param stop to be set to end it
  Describer(const AVFormatContext& input, AVFormatContext& film, const std::string& path,
            int64_t limit, const std::atomic<bool>& stop);

  /// To be called before write(). Throws Failure, as write() does. @param part of the input in the
  /// film
  void describe(const FilmPart& part);
  /// See copy_description().
  void make_reproducible() { output_->flags |= AVFMT_FLAG_BITEXACT; }
  void write(const std::string& path);

 private:
  void add_stream(const AVStream* from);
  AVStream* new_stream();
  bool is(const char* format) const;
  void describe_tracks(AVMediaType type, bool is_part);
  void add_covers();
  int64_t end_of_chapter(unsigned i, int64_t end) const;
  void add_chapters(const FilmPart& part);
  void copy_packets();
  void mend_order(AVPacket& packet, int64_t& last) const;
  bool fits(AVPacket& packet) const;

  const AVFormatContext& input_;
  AVFormatContext& film_;
  int64_t limit_;
  const std::atomic<bool>& stop_;
  FilmOutput output_;
  std::vector<int> places_;  ///< of the film's streams in the output; -1: not there
};

}  // namespace mosaic_program
