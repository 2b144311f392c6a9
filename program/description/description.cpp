// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/description/description.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "program/description/describer.h"
#include "program/description/film_files.h"
#include "program/description/tags.h"
#include "program/extension.h"
#include "program/failure.h"

namespace mosaic_program {
namespace {

namespace fs = std::filesystem;

/// Whether a film says anything that is worth writing another one anew.
bool says_something(const AVFormatContext& film, bool also_dates) {
  bool says = film.nb_chapters > 0 || has_tags(film.metadata, also_dates) ||
              streams_of(film, AVMEDIA_TYPE_AUDIO).size() > 1;
  for (unsigned i = 0; i < film.nb_streams; ++i)
    says = says || is_cover(film.streams[i]) || has_tags(film.streams[i]->metadata, also_dates);
  return says;
}

/// When the last picture ends, if a text ends later; else Describer::kNoLimit. Microseconds.
int64_t end_of_pictures(const std::string& path) {
  const FilmInput film = open_film(path);
  if (!film || streams_of(*film, AVMEDIA_TYPE_SUBTITLE).empty()) return Describer::kNoLimit;
  check_libav(avformat_find_stream_info(film.get(), nullptr));
  int64_t pictures = 0, texts = 0;
  for (const Packet packet = new_packet(); av_read_frame(film.get(), packet.get()) >= 0;
       av_packet_unref(packet.get())) {
    const AVStream* stream = film->streams[packet->stream_index];
    if (packet->pts == AV_NOPTS_VALUE || is_cover(stream)) continue;
    const int64_t start = av_rescale_q(packet->pts, stream->time_base, kMicroseconds);
    const int64_t end = start + av_rescale_q(packet->duration, stream->time_base, kMicroseconds);
    if (stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO)
      pictures =
          std::max(pictures, is_too_short(*packet, *stream) ? start + frame_length(*stream) : end);
    if (stream->codecpar->codec_type == AVMEDIA_TYPE_SUBTITLE) texts = std::max(texts, end);
  }
  return pictures > 0 && texts > pictures ? pictures : Describer::kNoLimit;
}

/// A hidden name beside a film's, with the same extension. Nobody else uses it, as nobody else
/// writes the film; what a process that was killed left there is written over.
std::string name_beside(const std::string& film) {
  gchar number[16];
  g_snprintf(number, sizeof number, "%08x", g_str_hash(fs::path(film).filename().c_str()));
  return (fs::path(film).parent_path() /
          (".described-" + std::string(number) + "." + extension_of(film)))
      .string();
}

}  // namespace

std::vector<std::string> sample_formats(const std::string& film) {
  av_log_set_level(AV_LOG_QUIET);
  const FilmInput opened = open_film(film);
  return opened ? sample_formats(*opened) : std::vector<std::string>();
}

std::string copy_description(const std::string& input, const std::string& film,
                             const FilmPart& part, bool reproducible,
                             const std::atomic<bool>& stop) {
  av_log_set_level(AV_LOG_QUIET);
  FilmInput described = open_film(input);
  if (!described && !reproducible) return {};
  if (!described) described.reset(avformat_alloc_context());  // it says nothing
  const std::string name = name_beside(film);
  std::error_code error;
  try {
    const int64_t limit = end_of_pictures(film);
    if (limit == Describer::kNoLimit && !says_something(*described, true) && !reproducible)
      return {};
    const FilmInput made = open_film(film);
    if (!made) throw Failure("it cannot be read");
    check_libav(avformat_find_stream_info(made.get(), nullptr));
    Describer describer(*described, *made, name, limit, stop);
    describer.describe(part);
    if (reproducible) describer.make_reproducible();
    describer.write(name);
    fs::rename(name, film);
    return {};
  } catch (const std::exception& failure) {
    fs::remove(name, error);
    // libavformat does not write all kinds of films that GStreamer writes.
    if (reproducible)
      return std::string(
                 "the film says when it was made, and its titles and chapters are not kept: ") +
             failure.what();
    if (!says_something(*described, false)) return {};
    return std::string("titles, chapters and the like of the input were not kept: ") +
           failure.what();
  }
}

}  // namespace mosaic_program
