// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

extern "C" {
#include <libavutil/dict.h>
}

namespace mosaic_program {

/// Copies tags that say something of the film, and not of the file.
void copy_tags(const AVDictionary* from, AVDictionary** to);

/// Whether there are any that GStreamer's muxers do not keep. @param also_dates whether one that
/// only says when the film was made is enough
bool has_tags(const AVDictionary* tags, bool also_dates);

/// Writes the language as a format has it. @param is_mp4 or else Matroska, WebM or MOV
void set_language(AVDictionary** tags, bool is_mp4);

}  // namespace mosaic_program
