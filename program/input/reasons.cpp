// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/input/reasons.h"

#include <gst/gst.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "gst/pointers.h"
#include "program/failure.h"
#include "program/input/input_path.h"
#include "program/input/media.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

std::string no_connection(const std::string& input) {
  return "there is no connection to " + input + ": check the address, and whether its server runs";
}

}  // namespace

void check_input_file(const std::string& input) {
  const std::string path = input_path(input);
  if (path.empty()) return;
  struct stat status {};
  if (stat(path.c_str(), &status) != 0)
    throw Failure(input + ": " +
                  (errno == ENOENT ? "there is no such file" : std::strerror(errno)));
  if (S_ISDIR(status.st_mode))
    throw Failure(input +
                  ": it is a folder; with --frames, the pictures in it become a video, and with "
                  "--tiles they become tiles");
  if (access(path.c_str(), R_OK) != 0)
    throw Failure(input + ": it cannot be read: " + std::strerror(errno));
  if (S_ISREG(status.st_mode) && status.st_size == 0) throw Failure(input + ": it is empty");
}

std::string why_unreadable(const std::string& input, const GError& error, const gchar* debug) {
  const auto is = [&error](GQuark domain, int code) {
    return g_error_matches(&error, domain, code);
  };
  const bool is_file = !input_path(input).empty();
  if (is(GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_AUTHORIZED))
    return input + ": it asks for a name and a password: write them into the address, as in " +
           "rtsp://NAME:PASSWORD@HOST/…";
  if (is_camera(input) && is(GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND))
    return input + ": no camera was found: connect one, or name its device, like /dev/video0";
  if (is(GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND))
    return is_file ? input + ": there is no such file"
                   : input + ": the server has nothing at this address (" + error.message + ")";
  if (is(GST_STREAM_ERROR, GST_STREAM_ERROR_TYPE_NOT_FOUND))
    return input + ": it is neither a film nor a picture of a kind that is known here";
  if (is(GST_STREAM_ERROR, GST_STREAM_ERROR_WRONG_TYPE))
    return input + ": it is neither a film nor a picture: " + error.message;
  if (!is_file &&
      (error.domain == GST_RESOURCE_ERROR || is(GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED)))
    return no_connection(input) +
           // Nothing more is known.
           (error.domain == GST_STREAM_ERROR ? "" : " (" + std::string(error.message) + ")");
  if (error.domain != GST_STREAM_ERROR) return input + ": " + error.message;
  // Where an element stopped is in the last line of what it tells developers.
  const gchar* line = debug ? std::strrchr(debug, '\n') : nullptr;
  return input + ": it is cut off, damaged or not of the kind that it seems to be (" +
         (line && line[1] ? line + 1 : error.message) + ")";
}

std::string why_silent(const std::string& input, int seconds) {
  const std::string time = std::to_string(seconds) + " seconds";
  return input_path(input).empty() ? input + ": nothing has come from this address for " + time +
                                         ": check it, and whether its server runs"
                                   : input + ": nothing could be read for " + time;
}

}  // namespace mosaic_program
