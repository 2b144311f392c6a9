// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <string>

namespace mosaic_program {

/// A part of a film, in the times of the film.
struct FilmPart {
  GstClockTime start = 0, end = GST_CLOCK_TIME_NONE;
};

/// Gives a film what the one that it was made of says of itself, and what GStreamer's muxers leave
/// out or write in another way: titles and other tags, date and place, chapters, the names of
/// tracks and which of them are played first, the cover. The film is written anew, without
/// encoding, and replaced when that is complete.
/// @param input a file; of MP4, MOV, Matroska and WebM what they say is read
/// @param part of the input that is in the film
/// @return what could not be kept; empty: nothing
std::string copy_description(const std::string& input, const std::string& film,
                             const FilmPart& part);

}  // namespace mosaic_program
