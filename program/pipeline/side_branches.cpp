// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/pipeline/side_branches.h"

#include <algorithm>

#include "program/extension.h"
#include "program/output/sound.h"

namespace mosaic_program {
namespace {

constexpr char kSoundSource[] = "sound";
/// Bytes of a track that are read ahead. If one track pauses, the others are read ahead for as
/// long.
constexpr int kMostSound = 256 << 20;

}  // namespace

bool SideBranches::keeps_texts(const Media& media) const {
  return std::any_of(media.subtitles.begin(), media.subtitles.end(),
                     [&](const std::string& caps) { return maker_for(media, caps).has_value(); });
}

void SideBranches::add_sound(const Media& media) {
  if (media.still || (format_ && format_->is_picture())) return;
  if (!options_.sink.empty() && !media.audio.empty())
    notices_.emplace_back("the sound is left out: --sink takes the picture");
  else if (format_ && format_->is_stream() && !media.audio.empty())
    notices_.emplace_back("the sound is left out: a .mosaic file cannot hold it");
  else
    add_tracks(media);
}

/// The sound of a file is read apart from the pictures: a muxer takes no more pictures before it
/// knows what is to be heard then, and where a track ends early or is silent for a while, a demuxer
/// that waits for the pictures to be taken never finds out.
void SideBranches::add_tracks(const Media& media) {
  const bool is_apart = media.uri.starts_with("file:");
  if (is_apart && !media.audio.empty()) {
    line_.begin("urisourcebin").set("uri", media.uri).link("parsebin");
    line_.set("name", kSoundSource);
  }
  for (const Track& track : media.audio)
    add_track(track, is_apart ? kSoundSource : "in", media.live);
}

/// A queue for streams beside the video. The encoder of the video may need many frames before its
/// first comes out, and the demuxer reads all streams in step. @param bytes 0: no limit
void SideBranches::link_queue(int bytes) {
  line_.link("queue").set("max-size-time", 0).set("max-size-buffers", 0);
  line_.set("max-size-bytes", bytes);
}

/// @param source the name of an element
void SideBranches::add_track(const Track& track, const char* source, bool decoded) {
  SoundPath path;
  path.kind = SoundPath::Kind::kEncoded;
  if (!decoded) path = sound_path(track, format_, options_.output);
  if (!path.notice.empty()) notices_.push_back(path.notice);
  if (path.kind == SoundPath::Kind::kLeftOut) return;
  line_.from(source);
  if (!decoded) line_.link(track.kind);
  link_queue(decoded ? 0 : kMostSound);
  if (!path.samples.empty()) line_.link("capssetter").set("caps", path.samples);
  if (!path.parser.empty()) line_.link(path.parser);
  if (path.kind == SoundPath::Kind::kEncoded) {
    if (!decoded) line_.link("decodebin");
    line_.link("audioconvert").link("audioresample");
    if (!format_) {
      line_.link("autoaudiosink");
      return;
    }
    line_.link(format_->sound_encoder());
  }
  line_.to("out", "audio_%u");
}

bool SideBranches::can_keep_texts(const Media& media) const {
  return format_ && format_->holds_text() && !media.live;
}

/// As text_maker(); nullopt also if the output keeps no texts.
std::optional<std::string> SideBranches::maker_for(const Media& media,
                                                   const std::string& caps) const {
  return can_keep_texts(media) ? text_maker(caps) : std::nullopt;
}

/// Subtitles are read apart from the rest: a muxer has to know the next one before it takes more
/// video, and a demuxer goes no further than the video is taken.
void SideBranches::add_subtitles(const Media& media) {
  std::size_t kept = 0;
  for (const std::string& caps : media.subtitles) {
    const std::optional<std::string> maker = maker_for(media, caps);
    if (maker) add_text(media.uri, caps, *maker, kept++ == 0);
  }
  const std::size_t count = media.subtitles.size();
  if (kept == count) return;
  const bool can_keep = can_keep_texts(media);
  notices_.emplace_back(kept > 0   ? "subtitles that are pictures are left out"
                        : can_keep ? "the subtitles are left out: they are pictures"
                        : format_ && !format_->holds_text()
                            ? "the subtitles are left out: ." + extension_of(options_.output) +
                                  " cannot hold them"
                            : "the subtitles are left out");
}

/// @param caps, maker as of text_maker() @param first whether there is no source of subtitles yet
void SideBranches::add_text(const std::string& uri, const std::string& caps,
                            const std::string& maker, bool first) {
  if (first)
    line_.begin("urisourcebin")
        .set("uri", uri)
        .set("name", kSubtitleSource)
        .link("parsebin")
        .set("name", "subtitles");
  line_.from("subtitles");
  if (!maker.empty()) line_.link(caps).link(maker);
  line_.link("text/x-raw");
  link_queue(0);
  // Muxers take no markup; SideStreams makes plain text of it.
  line_.link("capssetter").set("caps", "text/x-raw,format=utf8");
  line_.to("out", "subtitle_%u");
}

}  // namespace mosaic_program
