// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

extern "C" {
#include <libavutil/dict.h>
}

namespace mosaic_program {

/// Copies tags that say something of the film, and not of the file.
void copy_tags(const AVDictionary* from, AVDictionary** to);

/// Whether there are tags that GStreamer's muxers do not keep.
/// @param also_dates count those that only say when the film was made
bool has_tags(const AVDictionary* tags, bool also_dates);

/// Changes the tag of the language to the code that a format has. @param is_mp4 false: Matroska,
/// WebM or MOV
void set_language(AVDictionary** tags, bool is_mp4);

}  // namespace mosaic_program
