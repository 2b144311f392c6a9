// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/description/describer.h"

#include <algorithm>
#include <cstring>

#include "program/description/tags.h"
#include "program/failure.h"

namespace mosaic_program {
namespace {

/// @param usual for covers that do not say it
void set_tag_of_file(const AVStream* cover, const char* name, const char* usual,
                     AVDictionary** tags) {
  const AVDictionaryEntry* given = av_dict_get(cover->metadata, name, nullptr, 0);
  av_dict_set(tags, name, given ? given->value : usual, 0);
}

}  // namespace

Describer::Describer(const AVFormatContext& input, AVFormatContext& film, const std::string& path,
                     int64_t limit, const std::atomic<bool>& stop)
    : input_(input), film_(film), limit_(limit), stop_(stop) {
  AVFormatContext* context = nullptr;
  // By the name .m4v, libavformat makes a file that holds less.
  const char* format = path.ends_with(".m4v") ? "mp4" : nullptr;
  check_libav(avformat_alloc_output_context2(&context, nullptr, format, path.c_str()));
  output_.reset(context);
  // Formats that cannot store what comes before 0 would move everything. Their muxers allow for
  // what encoders of sound put there.
  output_->avoid_negative_ts = 0;
}

void Describer::describe(const FilmPart& part) {
  copy_tags(input_.metadata, &output_->metadata);
  for (unsigned i = 0; i < film_.nb_streams; ++i) add_stream(film_.streams[i]);
  for (const AVMediaType type : {AVMEDIA_TYPE_VIDEO, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_SUBTITLE})
    describe_tracks(type, part.start > 0);
  // The time at which the input began.
  if (part.start > 0) av_dict_set(&output_->metadata, "timecode", nullptr, 0);
  if (is("matroska")) add_covers();
  add_chapters(part);
}

void Describer::write(const std::string& path) {
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

void Describer::add_stream(const AVStream* from) {
  const AVCodecParameters* codec = from->codecpar;
  // A cover comes back as add_covers() has it.
  const bool is_left_out = is_cover(from) && !is("mp4") && !is("mov");
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

AVStream* Describer::new_stream() {
  AVStream* stream = avformat_new_stream(output_.get(), nullptr);
  if (!stream) throw Failure("there is not enough memory");
  return stream;
}

bool Describer::is(const char* format) const {
  return std::strcmp(output_->oformat->name, format) == 0;
}

/// Tracks are in the order of the input. Where some were left out, nobody knows which.
void Describer::describe_tracks(AVMediaType type, bool is_part) {
  const std::vector<AVStream*> from = streams_of(input_, type), to = streams_of(*output_, type);
  const size_t count = type == AVMEDIA_TYPE_VIDEO ? std::min<size_t>(from.size(), 1) : from.size();
  if (to.size() != count) return;
  for (size_t i = 0; i < count; ++i) {
    AVStream* track = to[i];
    copy_tags(from[i]->metadata, &track->metadata);
    set_language(&track->metadata, is("mp4"));
    if (is_part) av_dict_set(&track->metadata, "timecode", nullptr, 0);
    track->disposition = from[i]->disposition;
  }
}

/// Matroska has covers as files that are attached.
void Describer::add_covers() {
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
    set_tag_of_file(cover, "filename", is_png ? "cover.png" : "cover.jpg", tags);
    set_tag_of_file(cover, "mimetype", is_png ? "image/png" : "image/jpeg", tags);
  }
}

/// When a chapter of the input ends, nanoseconds: some only begin. @param end of the film
int64_t Describer::end_of_chapter(unsigned i, int64_t end) const {
  const AVChapter& chapter = *input_.chapters[i];
  if (chapter.end != AV_NOPTS_VALUE && chapter.end > chapter.start)
    return av_rescale_q(chapter.end, chapter.time_base, kNanoseconds);
  if (i + 1 == input_.nb_chapters) return end;
  const AVChapter& next = *input_.chapters[i + 1];
  return av_rescale_q(next.start, next.time_base, kNanoseconds);
}

void Describer::add_chapters(const FilmPart& part) {
  const auto start = static_cast<int64_t>(part.start);
  int64_t end = film_.duration == AV_NOPTS_VALUE
                    ? INT64_MAX / 2
                    : av_rescale_q(film_.duration, kMicroseconds, kNanoseconds);
  if (GST_CLOCK_TIME_IS_VALID(part.end)) end = std::min<int64_t>(end, part.end - part.start);
  std::vector<AVChapter*> kept;
  for (unsigned i = 0; i < input_.nb_chapters; ++i) {
    const AVChapter& from = *input_.chapters[i];
    const int64_t begin =
        std::max<int64_t>(av_rescale_q(from.start, from.time_base, kNanoseconds) - start, 0);
    const int64_t until = std::min(end_of_chapter(i, start + end) - start, end);
    if (from.start == AV_NOPTS_VALUE || until <= begin) continue;
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

void Describer::copy_packets() {
  const Packet packet = new_packet();
  std::vector<int64_t> last(film_.nb_streams, AV_NOPTS_VALUE);
  int result = 0;
  while ((result = av_read_frame(&film_, packet.get())) >= 0) {
    if (stop_) throw Failure("interrupted");
    const size_t from = static_cast<size_t>(packet->stream_index);
    // A stream that begins later than the others is not known at first.
    const int place = from < places_.size() ? places_[from] : -1;
    if (place < 0 || !fits(*packet)) {
      av_packet_unref(packet.get());
      continue;
    }
    av_packet_rescale_ts(packet.get(), film_.streams[from]->time_base,
                         output_->streams[place]->time_base);
    mend_order(*packet, last[from]);
    packet->stream_index = place;
    packet->pos = -1;
    check_libav(av_interleaved_write_frame(output_.get(), packet.get()));
  }
  if (result != AVERROR_EOF) check_libav(result);
}

/// Muxers refuse times of decoding that go back, or are later than those of showing.
/// @param last time of the stream, updated
void Describer::mend_order(AVPacket& packet, int64_t& last) const {
  if (packet.dts == AV_NOPTS_VALUE) return;
  const AVMediaType type = film_.streams[packet.stream_index]->codecpar->codec_type;
  const bool may_be_equal =
      type == AVMEDIA_TYPE_SUBTITLE || output_->oformat->flags & AVFMT_TS_NONSTRICT;
  const int64_t least = last == AV_NOPTS_VALUE ? packet.dts : last + (may_be_equal ? 0 : 1);
  if (packet.pts != AV_NOPTS_VALUE) packet.dts = std::min(packet.dts, packet.pts);
  packet.dts = std::max(packet.dts, least);
  if (packet.pts != AV_NOPTS_VALUE) packet.pts = std::max(packet.pts, packet.dts);
  last = packet.dts;
}

/// Whether a packet is to be kept. Shortens texts at the limit.
bool Describer::fits(AVPacket& packet) const {
  const AVStream* stream = film_.streams[packet.stream_index];
  const AVMediaType type = stream->codecpar->codec_type;
  // qtmux may give the last picture nearly no length.
  if (type == AVMEDIA_TYPE_VIDEO && !is_cover(stream) && is_too_short(packet, *stream))
    packet.duration = av_rescale_q(frame_length(*stream), kMicroseconds, stream->time_base);
  if (limit_ == kNoLimit || type != AVMEDIA_TYPE_SUBTITLE) return true;
  const int64_t end = av_rescale_q(limit_, kMicroseconds, stream->time_base);
  if (packet.pts == AV_NOPTS_VALUE || packet.pts >= end) return false;
  packet.duration = std::min(packet.duration, end - packet.pts);
  return true;
}

}  // namespace mosaic_program
