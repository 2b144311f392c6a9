// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <optional>
#include <string>
#include <vector>

#include "program/pipeline/framing.h"

namespace mosaic_program {

/// A track of sound.
struct Track {
  std::string kind;    ///< the media type and what tells it from others, as Media::video
  std::string caps;    ///< all that is known of it
  std::string format;  ///< of its samples, where the demuxer gives another one; empty: it is right
};

/// What a file or an address contains.
struct Media {
  std::string uri;
  bool still = false;  ///< a photo
  bool live = false;   ///< a network camera or the like
  bool interlaced = false;
  bool deep = false;          ///< more than 8 bits a sample
  bool turned = false;        ///< a tag says that the picture is to be rotated or mirrored
  bool in_container = false;  ///< and not a bare stream, whose duration is only estimated
  PictureSize size;           ///< as it is shown, that is, turned; 0: unknown
  GstClockTime duration = GST_CLOCK_TIME_NONE;
  // Caps of the streams, enough of them to tell one kind of stream from another ("video/x-h264").
  std::string video;
  std::string video_only;  ///< no other stream of the file has these caps
  /// The name of parsebin's pad, where several streams have the same media type, and not all
  /// parsers tell more of them at once. Empty: there is only one.
  std::string video_pad;
  bool colours_in_bitstream = false;  ///< what the demuxer says of the colours may be wrong
  std::string
      pixel_aspect;  ///< "1/1", in place of the container's, which makes no sense; empty: it does
  std::vector<std::string> subtitles;
  std::vector<Track> audio;
};

/// The element that makes text of what parsebin gives for subtitles; empty: it is text by then.
/// nullopt: nothing does, they are pictures. @param caps as in Media
std::optional<std::string> text_maker(const std::string& caps);

/// Whether an input is a camera: its device, or the word for any camera unless a file has that
/// name.
bool is_camera(const std::string& input);

/// Looks into a file or an address. Throws Failure, with the reason, if it cannot be read or has no
/// picture.
Media look_into(const std::string& file_or_uri);

}  // namespace mosaic_program
