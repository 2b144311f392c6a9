// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/input/media.h"

#include <gst/pbutils/pbutils.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "gst/pointers.h"
#include "program/description/description.h"
#include "program/failure.h"
#include "program/input/input_path.h"
#include "program/input/reasons.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

constexpr GstClockTime kPatience = 20 * GST_SECOND;

struct Unref {
  void operator()(gpointer object) const { g_object_unref(object); }
};
using Discoverer = std::unique_ptr<GstDiscoverer, Unref>;
using Info = std::unique_ptr<GstDiscovererInfo, Unref>;

/// The media type, and the fields that tell kinds of it apart.
std::string kind_of(GstDiscovererStreamInfo* stream) {
  GstCaps* caps = gst_discoverer_stream_info_get_caps(stream);
  if (!caps) return {};
  const GstStructure* structure = gst_caps_get_structure(caps, 0);
  std::string text = gst_structure_get_name(structure);
  for (const char* field : {"mpegversion", "layer"})
    if (int value = 0; gst_structure_get_int(structure, field, &value))
      text += std::string(",") + field + "=" + std::to_string(value);
  gst_caps_unref(caps);
  return text;
}

/// Whether parsed video of H.264 or H.265 has more than 8 bits.
bool is_deep(GstDiscovererStreamInfo* stream) {
  GstCaps* caps = gst_discoverer_stream_info_get_caps(stream);
  guint depth = 0;
  const bool deep =
      caps && gst_structure_get_uint(gst_caps_get_structure(caps, 0), "bit-depth-luma", &depth) &&
      depth > 8;
  gst_clear_caps(&caps);
  return deep;
}

/// Whether a stream is listed again as what its parser makes of it: in MP4 and MOV, MPEG sound of
/// layer 2 is called layer 3.
bool is_listed_again(GstDiscovererStreamInfo* stream) {
  const std::unique_ptr<GstDiscovererStreamInfo, Unref> next(
      gst_discoverer_stream_info_get_next(stream));
  return next && G_OBJECT_TYPE(next.get()) == G_OBJECT_TYPE(stream);
}

std::vector<std::string> kinds_of(GList* streams) {
  std::vector<std::string> kinds;
  for (GList* l = streams; l; l = l->next)
    if (auto* stream = GST_DISCOVERER_STREAM_INFO(l->data); !is_listed_again(stream))
      kinds.push_back(kind_of(stream));
  gst_discoverer_stream_info_list_free(streams);
  return kinds;
}

std::vector<Track> tracks_of(GList* streams) {
  std::vector<Track> tracks;
  for (GList* l = streams; l; l = l->next) {
    auto* stream = GST_DISCOVERER_STREAM_INFO(l->data);
    const Owned<GstCaps> caps(gst_discoverer_stream_info_get_caps(stream));
    if (!caps || is_listed_again(stream)) continue;
    const Owned<gchar> text(gst_caps_to_string(caps.get()));
    tracks.push_back({kind_of(stream), text.get(), {}});
  }
  gst_discoverer_stream_info_list_free(streams);
  return tracks;
}

/// Corrects the formats of samples in MOV: of floating point, qtdemux takes all for big-endian.
void correct_samples(std::vector<Track>& tracks, const std::string& path) {
  const auto is_raw = [](const Track& track) { return track.kind == "audio/x-raw"; };
  if (path.empty() || std::none_of(tracks.begin(), tracks.end(), is_raw)) return;
  const std::vector<std::string> formats = sample_formats(path);
  if (formats.size() != tracks.size()) return;
  for (size_t i = 0; i < tracks.size(); ++i) {
    if (!is_raw(tracks[i]) || formats[i].empty()) continue;
    const Owned<GstCaps> caps(gst_caps_from_string(tracks[i].caps.c_str()));
    GstStructure* fields = gst_caps_get_structure(caps.get(), 0);
    const gchar* given = gst_structure_get_string(fields, "format");
    // Only the order of the bytes may differ.
    if (!given || formats[i] == given || formats[i].compare(0, 3, given, 3) != 0) continue;
    tracks[i].format = formats[i];
    gst_structure_set(fields, "format", G_TYPE_STRING, formats[i].c_str(), nullptr);
    const Owned<gchar> text(gst_caps_to_string(caps.get()));
    tracks[i].caps = text.get();
  }
}

/// How a picture is to be rotated or mirrored; empty: not at all.
std::string orientation_of(const GstTagList* tags) {
  gchar* orientation = nullptr;
  if (tags) gst_tag_list_get_string(tags, GST_TAG_IMAGE_ORIENTATION, &orientation);
  const std::string text = orientation ? orientation : "";
  g_free(orientation);
  return text == "rotate-0" ? "" : text;
}

struct PixelAspect {
  int across, down;
  bool is_wrong;
};

/// Of an AVI file without compression, avidemux makes it negative, where the rows of pictures are
/// stored from the top.
PixelAspect pixel_aspect_of(const GstDiscovererVideoInfo* video) {
  const auto across = static_cast<gint>(gst_discoverer_video_info_get_par_num(video)),
             down = static_cast<gint>(gst_discoverer_video_info_get_par_denom(video));
  return {std::abs(across), std::abs(down), across < 0 || down < 0};
}

/// The size of a picture after it was turned.
PictureSize size_of(const GstDiscovererVideoInfo* video, const std::string& orientation) {
  PictureSize size;
  size.width = static_cast<int>(gst_discoverer_video_info_get_width(video));
  size.height = static_cast<int>(gst_discoverer_video_info_get_height(video));
  const PixelAspect aspect = pixel_aspect_of(video);
  if (aspect.across > 0 && aspect.down > 0)
    size.pixel_width = static_cast<double>(aspect.across) / aspect.down;
  if (orientation.ends_with("90") || orientation.ends_with("270")) {
    std::swap(size.width, size.height);
    size.pixel_width = 1 / size.pixel_width;
  }
  return size;
}

/// How likely a stream is the film: its cover is an image, or a video of one frame.
int merit(GstDiscovererVideoInfo* video) {
  if (gst_discoverer_video_info_is_image(video)) return 0;
  const Owned<GstCaps> caps(gst_discoverer_stream_info_get_caps(GST_DISCOVERER_STREAM_INFO(video)));
  const bool is_picture =
      caps &&
      g_str_has_prefix(gst_structure_get_name(gst_caps_get_structure(caps.get(), 0)), "image/");
  const bool moves = gst_discoverer_video_info_get_framerate_num(video) >
                     gst_discoverer_video_info_get_framerate_denom(video);
  return 1 + (moves ? 2 : 0) + (is_picture ? 0 : 1);
}

bool is_only_one(const std::string& kind, GList* streams) {
  int alike = 0;
  for (GList* l = streams; l; l = l->next)
    alike += kind_of(GST_DISCOVERER_STREAM_INFO(l->data)) == kind;
  return alike < 2;
}

/// Caps that tell a film from all other streams.
std::string only_caps(GstDiscovererVideoInfo* chosen, GList* streams) {
  const std::string kind = kind_of(GST_DISCOVERER_STREAM_INFO(chosen));
  const guint frames = gst_discoverer_video_info_get_framerate_num(chosen);
  if (is_only_one(kind, streams) || frames == 0) return kind;
  return kind + ",width=" + std::to_string(gst_discoverer_video_info_get_width(chosen)) +
         ",height=" + std::to_string(gst_discoverer_video_info_get_height(chosen)) +
         ",framerate=" + std::to_string(frames) + "/" +
         std::to_string(gst_discoverer_video_info_get_framerate_denom(chosen));
}

/// As Media::video_pad. Parsebin numbers its pads with videos first, in the order of the file.
std::string only_pad(GstDiscovererVideoInfo* chosen, GList* streams) {
  auto* stream = GST_DISCOVERER_STREAM_INFO(chosen);
  guint major = 0, minor = 0, micro = 0, nano = 0;
  gst_version(&major, &minor, &micro, &nano);
  // Before, parsers know the caps when they get their pads.
  if (is_only_one(kind_of(stream), streams) || minor < 24) return {};
  const gint number = gst_discoverer_stream_info_get_stream_number(stream);
  int before = 0;
  for (GList* l = streams; l; l = l->next)
    before +=
        gst_discoverer_stream_info_get_stream_number(GST_DISCOVERER_STREAM_INFO(l->data)) < number;
  return "src_" + std::to_string(before);
}

/// As Media::colours_in_bitstream. In MP4 and MOV, qtdemux leaves out that samples have the full
/// range, and parsers keep what a demuxer says.
bool has_colours_in_bitstream(GstDiscovererInfo* info, const std::string& kind) {
  const std::unique_ptr<GstDiscovererStreamInfo, Unref> whole(
      gst_discoverer_info_get_stream_info(info));
  return kind_of(whole.get()) == "video/quicktime" &&
         (kind == "video/x-h264" || kind == "video/x-h265");
}

/// @return whether there is a picture
bool describe_video(GstDiscovererInfo* info, Media& media) {
  GList* streams = gst_discoverer_info_get_video_streams(info);
  GstDiscovererVideoInfo* chosen = nullptr;
  for (GList* l = streams; l; l = l->next) {
    auto* video = GST_DISCOVERER_VIDEO_INFO(l->data);
    if (!chosen || merit(video) > merit(chosen)) chosen = video;
  }
  if (chosen) {
    auto* stream = GST_DISCOVERER_STREAM_INFO(chosen);
    media.video = kind_of(stream);
    media.video_only = only_caps(chosen, streams);
    media.video_pad = only_pad(chosen, streams);
    media.colours_in_bitstream = has_colours_in_bitstream(info, media.video);
    if (const PixelAspect aspect = pixel_aspect_of(chosen); aspect.is_wrong)
      media.pixel_aspect = std::to_string(aspect.across) + "/" + std::to_string(aspect.down);
    media.still = gst_discoverer_video_info_is_image(chosen);
    media.deep = is_deep(stream);
    media.interlaced = gst_discoverer_video_info_is_interlaced(chosen);
    std::string orientation = orientation_of(gst_discoverer_stream_info_get_tags(stream));
    if (orientation.empty()) orientation = orientation_of(gst_discoverer_info_get_tags(info));
    media.turned = !orientation.empty();
    media.size = size_of(chosen, orientation);
  }
  const bool found = chosen;
  gst_discoverer_stream_info_list_free(streams);
  return found;
}

/// Why the discoverer has no result.
std::string reason(const std::string& input, GstDiscovererInfo* info, const GError* error) {
  const GstDiscovererResult result =
      info ? gst_discoverer_info_get_result(info) : GST_DISCOVERER_ERROR;
  if (result == GST_DISCOVERER_TIMEOUT) return why_silent(input, kPatience / GST_SECOND);
  if (result != GST_DISCOVERER_MISSING_PLUGINS)
    return error ? why_unreadable(input, *error, nullptr) : input + ": there is no picture in it";
  std::string text = input + ": a plugin of GStreamer is missing";
  const gchar** missing = gst_discoverer_info_get_missing_elements_installer_details(info);
  for (; missing && *missing; ++missing)
    // "gstreamer|1.0|program|H.265 decoder|decoder-video/x-h265"
    if (gchar** parts = g_strsplit(*missing, "|", 5)) {
      if (g_strv_length(parts) > 3) text += std::string(", ") + parts[3];
      g_strfreev(parts);
    }
  return text;
}

/// A colon may be in the name of a file, too.
std::string uri_of(const std::string& file_or_uri) {
  std::error_code error;
  if (!std::filesystem::exists(file_or_uri, error) && gst_uri_is_valid(file_or_uri.c_str()))
    return file_or_uri;
  gchar* uri = gst_filename_to_uri(file_or_uri.c_str(), nullptr);
  const std::string text = uri ? uri : "";
  g_free(uri);
  return text;
}

/// The best element of a type that makes text of subtitles.
std::optional<std::string> factory_for(GstElementFactoryListType type, const std::string& caps) {
  GstCaps* stream = gst_caps_from_string(caps.c_str());
  if (!stream) return std::nullopt;
  GstCaps* text = gst_caps_new_empty_simple("text/x-raw");
  GList* all = gst_element_factory_list_get_elements(type | GST_ELEMENT_FACTORY_TYPE_MEDIA_SUBTITLE,
                                                     GST_RANK_MARGINAL);
  GList* readers = gst_element_factory_list_filter(all, stream, GST_PAD_SINK, FALSE);
  GList* makers = gst_element_factory_list_filter(readers, text, GST_PAD_SRC, FALSE);
  std::optional<std::string> name;
  if (makers) name = GST_OBJECT_NAME(makers->data);
  for (GList* list : {all, readers, makers}) gst_plugin_feature_list_free(list);
  gst_caps_unref(text);
  gst_caps_unref(stream);
  return name;
}

}  // namespace

std::optional<std::string> text_maker(const std::string& caps) {
  if (caps == "text/x-raw") return "";
  // With GStreamer 1.22 these are parsers, which parsebin uses; since 1.24 decoders, which it does
  // not use.
  if (factory_for(GST_ELEMENT_FACTORY_TYPE_PARSER, caps)) return "";
  return factory_for(GST_ELEMENT_FACTORY_TYPE_DECODER, caps);
}

bool is_camera(const std::string& input) {
  std::error_code error;
  const auto status = std::filesystem::status(input, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_directory(status))
    return std::filesystem::is_character_file(status);
  return input == "camera" || input.starts_with("/dev/");
}

Media look_into(const std::string& file_or_uri) {
  check_input_file(file_or_uri);
  const std::string uri = uri_of(file_or_uri);
  GError* error = nullptr;
  const Discoverer discoverer(gst_discoverer_new(kPatience, &error));
  const Info info(discoverer ? gst_discoverer_discover_uri(discoverer.get(), uri.c_str(), &error)
                             : nullptr);
  Media media;
  media.uri = uri;
  const bool found = info && describe_video(info.get(), media);
  const std::string why = found ? "" : reason(file_or_uri, info.get(), error);
  g_clear_error(&error);
  if (!found) throw Failure(why);
  const std::unique_ptr<GstDiscovererStreamInfo, Unref> whole(
      gst_discoverer_info_get_stream_info(info.get()));
  media.in_container = GST_IS_DISCOVERER_CONTAINER_INFO(whole.get());
  media.live = gst_discoverer_info_get_live(info.get());
  media.duration = gst_discoverer_info_get_duration(info.get());
  if (media.duration == 0) media.duration = GST_CLOCK_TIME_NONE;
  media.audio = tracks_of(gst_discoverer_info_get_audio_streams(info.get()));
  if (kind_of(whole.get()) == "video/quicktime")
    correct_samples(media.audio, input_path(file_or_uri));
  media.subtitles = kinds_of(gst_discoverer_info_get_subtitle_streams(info.get()));
  return media;
}

}  // namespace mosaic_program
