// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <atomic>
#include <string>
#include <vector>

namespace mosaic_program {

/// A part of a film, in the times of the film.
struct FilmPart {
  GstClockTime start = 0, end = GST_CLOCK_TIME_NONE;
};

/// For each track of sound in a film the format of its samples by GStreamer's name ("F32LE"), if
/// they are floating point; else an empty text. No elements: the film could not be read.
std::vector<std::string> sample_formats(const std::string& film);

/// Gives a film what the one that it was made of says of itself, and what GStreamer's muxers leave
/// out or write in another way: titles and other tags, date and place, chapters, the names of
/// tracks and which of them are played first, the cover. The film is written anew, without
/// encoding, and replaced when that is complete.
/// @param input a file; MP4, MOV, Matroska and WebM are read, and others are taken to say nothing
/// @param film  the file that is replaced; if something fails, it stays as it was
/// @param part of the input that is in the film
/// @param reproducible write the film anew in any case, so that its bytes follow from what is in
/// it, and neither from the time nor from chance
/// @param stop to be set to end it early, with the film as it was
/// @return a sentence that says what could not be kept, and why; empty: everything was, or it was
/// ended
std::string copy_description(const std::string& input, const std::string& film,
                             const FilmPart& part, bool reproducible,
                             const std::atomic<bool>& stop);

}  // namespace mosaic_program
