// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/description/description.h"

#include "program/description/film_files.h"

#include <gst/tag/tag.h>
#include <strings.h>
#include <unistd.h>

extern "C" {
#include <libavcodec/avcodec.h>
}

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "program/extension.h"
#include "program/failure.h"

namespace mosaic_program {
namespace {

namespace fs = std::filesystem;

/// What tags say of a file and not of the film.
bool is_about_file(std::string_view key) {
  constexpr std::array<std::string_view, 8> kAboutFiles = {
      "major_brand", "minor_version", "compatible_brands", "encoder",
      "duration",    "handler_name",  "vendor_id",         "bps"};
  const auto is_key = [key](std::string_view other) {
    return key.size() == other.size() && strncasecmp(key.data(), other.data(), key.size()) == 0;
  };
  return std::any_of(kAboutFiles.begin(), kAboutFiles.end(), is_key) ||
         key.starts_with("_STATISTICS") || key.starts_with("NUMBER_OF_");
}

void copy_tags(const AVDictionary* from, AVDictionary** to) {
  const AVDictionaryEntry* tag = nullptr;
  while ((tag = av_dict_get(from, "", tag, AV_DICT_IGNORE_SUFFIX)))
    if (!is_about_file(tag->key)) av_dict_set(to, tag->key, tag->value, 0);
}

/// Whether there are any that GStreamer's muxers do not keep.
bool has_tags(const AVDictionary* tags) {
  AVDictionary* kept = nullptr;
  copy_tags(tags, &kept);
  av_dict_set(&kept, "language", nullptr, 0);
  const bool has = av_dict_count(kept) > 0;
  av_dict_free(&kept);
  return has;
}

/// MOV has a list of languages, most of them by their codes for libraries ("ger", not "deu").
void set_language(AVDictionary** tags, bool for_libraries) {
  const AVDictionaryEntry* language = av_dict_get(*tags, "language", nullptr, 0);
  const gchar* code =
      for_libraries && language ? gst_tag_get_language_code_iso_639_2B(language->value) : nullptr;
  if (code) av_dict_set(tags, "language", code, 0);
}

bool is_cover(const AVStream* stream) {
  return stream->disposition & AV_DISPOSITION_ATTACHED_PIC;
}

/// The streams of a type, without covers.
std::vector<const AVStream*> streams_of(const AVFormatContext& film, AVMediaType type) {
  std::vector<const AVStream*> streams;
  for (unsigned i = 0; i < film.nb_streams; ++i)
    if (const AVStream* stream = film.streams[i];
        stream->codecpar->codec_type == type && !is_cover(stream))
      streams.push_back(stream);
  return streams;
}

/// Whether a film says anything that is worth writing another one anew.
bool says_something(const AVFormatContext& film) {
  bool says = film.nb_chapters > 0 || has_tags(film.metadata) ||
              streams_of(film, AVMEDIA_TYPE_AUDIO).size() > 1;
  for (unsigned i = 0; i < film.nb_streams; ++i)
    says = says || is_cover(film.streams[i]) || has_tags(film.streams[i]->metadata);
  return says;
}

using Packet = std::unique_ptr<AVPacket, void (*)(AVPacket*)>;

Packet new_packet() {
  Packet packet(av_packet_alloc(), [](AVPacket* unused) { av_packet_free(&unused); });
  if (!packet) throw Failure("there is not enough memory");
  return packet;
}

constexpr AVRational kMicroseconds = {1, AV_TIME_BASE};
constexpr int64_t kNoLimit = INT64_MAX;

/// Of a video on average, microseconds; 0: unknown.
int64_t frame_length(const AVStream& stream) {
  const AVRational rate = stream.avg_frame_rate;
  return rate.num > 0 && rate.den > 0 ? av_rescale(AV_TIME_BASE, rate.den, rate.num) : 0;
}

/// When the last picture ends, if a text ends later; else kNoLimit. Microseconds.
int64_t end_of_pictures(const std::string& path) {
  const FilmInput film = open_film(path);
  if (!film || streams_of(*film, AVMEDIA_TYPE_SUBTITLE).empty()) return kNoLimit;
  check_libav(avformat_find_stream_info(film.get(), nullptr));
  int64_t pictures = 0, texts = 0;
  for (const Packet packet = new_packet(); av_read_frame(film.get(), packet.get()) >= 0;
       av_packet_unref(packet.get())) {
    const AVStream* stream = film->streams[packet->stream_index];
    if (packet->pts == AV_NOPTS_VALUE || is_cover(stream)) continue;
    const int64_t start = av_rescale_q(packet->pts, stream->time_base, kMicroseconds);
    const int64_t end = start + av_rescale_q(packet->duration, stream->time_base, kMicroseconds);
    // Nothing says how long the last picture lasts, if its length is not that of the others.
    if (stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO)
      pictures = std::max({pictures, end, start + frame_length(*stream)});
    if (stream->codecpar->codec_type == AVMEDIA_TYPE_SUBTITLE) texts = std::max(texts, end);
  }
  return pictures > 0 && texts > pictures ? pictures : kNoLimit;
}

/// Writes a film anew.
class Describer {
 public:
  /// @param limit when texts end, microseconds
  Describer(const AVFormatContext& input, AVFormatContext& film, const std::string& path,
            int64_t limit)
      : input_(input), film_(film), limit_(limit) {
    AVFormatContext* context = nullptr;
    check_libav(avformat_alloc_output_context2(&context, nullptr, nullptr, path.c_str()));
    output_.reset(context);
    // Formats that cannot store what comes before 0 would move everything. Their muxers allow for
    // what encoders of sound put there.
    output_->avoid_negative_ts = 0;
  }

  void describe(const FilmPart& part) {
    copy_tags(input_.metadata, &output_->metadata);
    for (unsigned i = 0; i < film_.nb_streams; ++i) add_stream(film_.streams[i]);
    for (const AVMediaType type : {AVMEDIA_TYPE_VIDEO, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_SUBTITLE})
      describe_tracks(type);
    if (std::string_view(output_->oformat->name) == "matroska") add_covers();
    add_chapters(part);
  }

  void write(const std::string& path) {
    check_libav(avio_open(&output_->pb, ("file:" + path).c_str(), AVIO_FLAG_WRITE));
    AVDictionary* options = nullptr;
    // Which tracks are played first is what the input says.
    av_dict_set(&options, "default_mode", "passthrough", 0);
    const int result = avformat_write_header(output_.get(), &options);
    av_dict_free(&options);
    check_libav(result);
    copy_packets();
    check_libav(av_write_trailer(output_.get()));
    check_libav(avio_closep(&output_->pb));
  }

 private:
  void add_stream(const AVStream* from) {
    const AVCodecParameters* codec = from->codecpar;
    // A cover comes back as add_covers() has it.
    const bool is_left_out = is_cover(from) && covers_are_attachments();
    places_.push_back(is_left_out ? -1 : static_cast<int>(output_->nb_streams));
    if (is_left_out) return;
    AVStream* to = new_stream();
    check_libav(avcodec_parameters_copy(to->codecpar, codec));
    // Without a tag that the format knows it chooses one by itself.
    if (av_codec_get_id(output_->oformat->codec_tag, codec->codec_tag) != codec->codec_id)
      to->codecpar->codec_tag = 0;
    to->time_base = from->time_base;
    to->avg_frame_rate = from->avg_frame_rate;
    to->r_frame_rate = from->r_frame_rate;
    to->sample_aspect_ratio = from->sample_aspect_ratio;
    to->disposition = from->disposition;
    if (const AVDictionaryEntry* language = av_dict_get(from->metadata, "language", nullptr, 0))
      av_dict_set(&to->metadata, "language", language->value, 0);
  }

  AVStream* new_stream() {
    AVStream* stream = avformat_new_stream(output_.get(), nullptr);
    if (!stream) throw Failure("there is not enough memory");
    return stream;
  }

  bool covers_are_attachments() const {
    return std::string_view(output_->oformat->name) != "mp4" &&
           std::string_view(output_->oformat->name) != "mov";
  }

  /// Tracks are in the order of the input. Where some were left out, nobody knows which.
  void describe_tracks(AVMediaType type) {
    const std::vector<const AVStream*> from = streams_of(input_, type),
                                       to = streams_of(*output_, type);
    const size_t count =
        type == AVMEDIA_TYPE_VIDEO ? std::min<size_t>(from.size(), 1) : from.size();
    if (to.size() != count) return;
    for (size_t i = 0; i < count; ++i) {
      auto* track = const_cast<AVStream*>(to[i]);
      copy_tags(from[i]->metadata, &track->metadata);
      set_language(&track->metadata, std::string_view(output_->oformat->name) == "mov");
      track->disposition = from[i]->disposition;
    }
  }

  /// Matroska has covers as files that are attached.
  void add_covers() {
    for (unsigned i = 0; i < input_.nb_streams; ++i) {
      const AVStream* cover = input_.streams[i];
      const AVPacket& picture = cover->attached_pic;
      if (!is_cover(cover) || !picture.data || picture.size <= 0) continue;
      const bool is_png = cover->codecpar->codec_id == AV_CODEC_ID_PNG;
      AVCodecParameters* attachment = new_stream()->codecpar;
      attachment->codec_type = AVMEDIA_TYPE_ATTACHMENT;
      attachment->codec_id = cover->codecpar->codec_id;
      attachment->extradata = static_cast<uint8_t*>(
          av_mallocz(static_cast<size_t>(picture.size) + AV_INPUT_BUFFER_PADDING_SIZE));
      if (!attachment->extradata) throw Failure("there is not enough memory");
      std::memcpy(attachment->extradata, picture.data, static_cast<size_t>(picture.size));
      attachment->extradata_size = picture.size;
      AVDictionary** tags = &output_->streams[output_->nb_streams - 1]->metadata;
      av_dict_set(tags, "filename", is_png ? "cover.png" : "cover.jpg", 0);
      av_dict_set(tags, "mimetype", is_png ? "image/png" : "image/jpeg", 0);
    }
  }

  void add_chapters(const FilmPart& part) {
    constexpr AVRational kNanoseconds = {1, 1'000'000'000};
    const auto start = static_cast<int64_t>(part.start);
    int64_t end = film_.duration == AV_NOPTS_VALUE
                      ? INT64_MAX
                      : av_rescale_q(film_.duration, kMicroseconds, kNanoseconds);
    if (GST_CLOCK_TIME_IS_VALID(part.end)) end = std::min<int64_t>(end, part.end - part.start);
    std::vector<AVChapter*> kept;
    for (unsigned i = 0; i < input_.nb_chapters; ++i) {
      const AVChapter& from = *input_.chapters[i];
      const int64_t begin =
          std::max<int64_t>(av_rescale_q(from.start, from.time_base, kNanoseconds) - start, 0);
      const int64_t until =
          std::min(av_rescale_q(from.end, from.time_base, kNanoseconds) - start, end);
      if (until <= begin) continue;
      auto* chapter = static_cast<AVChapter*>(av_mallocz(sizeof(AVChapter)));
      if (!chapter) continue;
      chapter->id = from.id;
      chapter->time_base = kNanoseconds;
      chapter->start = begin;
      chapter->end = until;
      av_dict_copy(&chapter->metadata, from.metadata, 0);
      kept.push_back(chapter);
    }
    if (kept.empty()) return;
    output_->chapters = static_cast<AVChapter**>(av_malloc(kept.size() * sizeof(AVChapter*)));
    if (!output_->chapters) return;
    std::copy(kept.begin(), kept.end(), output_->chapters);
    output_->nb_chapters = static_cast<unsigned>(kept.size());
  }

  void copy_packets() {
    const Packet packet = new_packet();
    int result = 0;
    while ((result = av_read_frame(&film_, packet.get())) >= 0) {
      const size_t from = static_cast<size_t>(packet->stream_index);
      const int place = from < places_.size() ? places_[from] : -1;
      if (place < 0 || !fits(*packet)) {
        av_packet_unref(packet.get());
        continue;
      }
      av_packet_rescale_ts(packet.get(), film_.streams[from]->time_base,
                           output_->streams[place]->time_base);
      packet->stream_index = place;
      packet->pos = -1;
      check_libav(av_interleaved_write_frame(output_.get(), packet.get()));
    }
    if (result != AVERROR_EOF) check_libav(result);
  }

  /// Whether a packet is to be kept. Shortens texts at the limit.
  bool fits(AVPacket& packet) const {
    const AVStream* stream = film_.streams[packet.stream_index];
    const AVMediaType type = stream->codecpar->codec_type;
    // qtmux may give the last picture no length.
    if (type == AVMEDIA_TYPE_VIDEO && !is_cover(stream))
      packet.duration = std::max(
          packet.duration, av_rescale_q(frame_length(*stream), kMicroseconds, stream->time_base));
    if (limit_ == kNoLimit || type != AVMEDIA_TYPE_SUBTITLE) return true;
    const int64_t end = av_rescale_q(limit_, kMicroseconds, stream->time_base);
    if (packet.pts == AV_NOPTS_VALUE || packet.pts >= end) return false;
    packet.duration = std::min(packet.duration, end - packet.pts);
    return true;
  }

  const AVFormatContext& input_;
  AVFormatContext& film_;
  int64_t limit_;
  FilmOutput output_;
  std::vector<int> places_;  ///< of the film's streams in the output; -1: not there
};

/// A name beside a film's, with the same extension.
std::string name_beside(const std::string& film) {
  const fs::path path(film);
  return (path.parent_path() /
          (".described." + std::to_string(getpid()) + "." + extension_of(film)))
      .string();
}

}  // namespace

std::vector<std::string> sample_formats(const std::string& film) {
  av_log_set_level(AV_LOG_QUIET);
  const FilmInput opened = open_film(film);
  return opened ? sample_formats(*opened) : std::vector<std::string>();
}

std::string copy_description(const std::string& input, const std::string& film,
                             const FilmPart& part) {
  av_log_set_level(AV_LOG_QUIET);
  const FilmInput described = open_film(input);
  if (!described) return {};
  const std::string name = name_beside(film);
  std::error_code error;
  try {
    const int64_t limit = end_of_pictures(film);
    if (limit == kNoLimit && !says_something(*described)) return {};
    const FilmInput made = open_film(film);
    if (!made) throw Failure("it cannot be read");
    check_libav(avformat_find_stream_info(made.get(), nullptr));
    Describer describer(*described, *made, name, limit);
    describer.describe(part);
    describer.write(name);
    fs::rename(name, film);
    return {};
  } catch (const std::exception& failure) {
    fs::remove(name, error);
    return std::string("titles, chapters and the like of the input were not kept: ") +
           failure.what();
  }
}

}  // namespace mosaic_program
