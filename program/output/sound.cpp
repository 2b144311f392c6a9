// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/output/sound.h"

#include <gst/audio/audio.h>
#include <gst/pbutils/pbutils.h>

#include "gst/pointers.h"
#include "program/extension.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

/// What a person calls it ("Speex audio").
std::string description(GstCaps* caps) {
  const Owned<gchar> text(gst_pb_utils_get_codec_description(caps));
  return text ? text.get() : "of an unknown kind";
}

bool is_raw(GstCaps* caps) {
  return gst_structure_has_name(gst_caps_get_structure(caps, 0), "audio/x-raw");
}

/// Whether an element makes samples of bytes that say nothing of themselves.
bool parses_samples(GstElementFactory* factory) {
  const Owned<GstCaps> raw(gst_caps_new_empty_simple("audio/x-raw"));
  return gst_element_factory_can_sink_any_caps(factory, raw.get());
}

bool accepts_anything(GstElementFactory* factory) {
  for (const GList* l = gst_element_factory_get_static_pad_templates(factory); l; l = l->next) {
    auto* pad = static_cast<GstStaticPadTemplate*>(l->data);
    const Owned<GstCaps> caps(gst_static_pad_template_get_caps(pad));
    if (pad->direction == GST_PAD_SINK && gst_caps_is_any(caps.get())) return true;
  }
  return false;
}

/// What the stream is, without how it is packed.
std::string unpacked(GstCaps* caps) {
  const Owned<GstCaps> copy(gst_caps_copy(caps));
  gst_structure_remove_fields(gst_caps_get_structure(copy.get(), 0), "stream-format", "alignment",
                              "framed", "parsed", "codec_data", "streamheader", nullptr);
  const Owned<gchar> text(gst_caps_to_string(copy.get()));
  return text.get();
}

/// The element that reads the headers of frames, and packs them as muxers want them: what comes
/// from a file may be packed in another way, and may lack what muxers have to know. Parsers have no
/// rank where GStreamer does not use them by itself. Empty: there is none.
std::string parser_for(GstCaps* caps) {
  if (is_raw(caps)) return {};
  // vorbisparse reads the headers only from the stream, and where one seeks at once they have gone
  // by.
  const GstStructure* sound = gst_caps_get_structure(caps, 0);
  if (gst_structure_has_name(sound, "audio/x-vorbis") &&
      gst_structure_has_field(sound, "streamheader"))
    return {};
  GList* all = gst_element_factory_list_get_elements(
      GST_ELEMENT_FACTORY_TYPE_PARSER | GST_ELEMENT_FACTORY_TYPE_MEDIA_AUDIO, GST_RANK_NONE);
  GList* fitting = gst_element_factory_list_filter(all, caps, GST_PAD_SINK, FALSE);
  std::string name;
  for (GList* l = fitting; l && name.empty(); l = l->next)
    if (auto* factory = GST_ELEMENT_FACTORY(l->data);
        !accepts_anything(factory) && !parses_samples(factory))
      name = GST_OBJECT_NAME(factory);
  gst_plugin_feature_list_free(all);
  gst_plugin_feature_list_free(fitting);
  return name;
}

bool can_decode(GstCaps* caps) {
  if (is_raw(caps)) return true;
  GList* all =
      gst_element_factory_list_get_elements(GST_ELEMENT_FACTORY_TYPE_DECODER, GST_RANK_MARGINAL);
  // As decodebin chooses: what may fit if more were known is not enough.
  GList* fitting = gst_element_factory_list_filter(all, caps, GST_PAD_SINK, TRUE);
  const bool can = fitting;
  gst_plugin_feature_list_free(all);
  gst_plugin_feature_list_free(fitting);
  return can;
}

/// As SoundPath::samples. If there are more than two channels and nothing says where their speakers
/// are, these get the usual places: encoders refuse them otherwise.
std::string corrections(const Track& track, GstCaps* caps) {
  const GstStructure* sound = gst_caps_get_structure(caps, 0);
  gint channels = 0;
  guint64 mask = 0;
  gst_structure_get_int(sound, "channels", &channels);
  gst_structure_get(sound, "channel-mask", GST_TYPE_BITMASK, &mask, nullptr);
  std::string text = track.format.empty() ? "" : ",format=" + track.format;
  if (is_raw(caps) && channels > 2 && mask == 0) {
    gchar places[64];
    g_snprintf(places, sizeof places, ",channel-mask=(bitmask)0x%" G_GINT64_MODIFIER "x",
               gst_audio_channel_get_fallback_mask(channels));
    text += places;
  }
  return text.empty() ? text : "audio/x-raw" + text;
}

}  // namespace

SoundPath sound_path(const Track& track, const OutputFormat* format, const std::string& output) {
  SoundPath path;
  const Owned<GstCaps> caps(gst_caps_from_string(track.caps.c_str()));
  path.samples = corrections(track, caps.get());
  if (!format) {
    path.kind = SoundPath::Kind::kEncoded;
    return path;
  }
  path.parser = parser_for(caps.get());
  if (format->can_hold(path.parser.empty() ? track.caps : unpacked(caps.get()))) return path;
  const std::string what = "the sound (" + description(caps.get()) + ") is ";
  const std::string why = ": ." + extension_of(output) + " cannot hold it";
  path.kind = can_decode(caps.get()) ? SoundPath::Kind::kEncoded : SoundPath::Kind::kLeftOut;
  path.notice = path.kind == SoundPath::Kind::kEncoded
                    ? what + "encoded again" + why
                    : what + "left out" + why + ", and there is no decoder for it";
  return path;
}

}  // namespace mosaic_program
