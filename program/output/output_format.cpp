// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/output/output_format.h"

#include <algorithm>

#include "gst/pointers.h"
#include "program/extension.h"
#include "program/failure.h"
#include "program/output/elements.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

constexpr int kQuality = 21;         // a mosaic is full of detail, so this is better than usual
constexpr int kPictureQuality = 95;  // of JPEG, in percent

/// The muxer of a kind of file; empty: it is no film.
std::string muxer_of(const std::string& extension) {
  if (extension == "mp4" || extension == "m4v") return "mp4mux";
  if (extension == "mov") return "qtmux";
  if (extension == "mkv") return "matroskamux";
  if (extension == "webm") return "webmmux";
  return {};
}

}  // namespace

OutputFormat OutputFormat::of(const std::string& file, const std::string& codec) {
  const std::string end = extension_of(file);
  OutputFormat format;
  format.muxer_ = muxer_of(end);
  if (end == "mosaic") {
    format.is_stream_ = true;
  } else if (end == "png") {
    format.encoders_ = {"avenc_png", "pngenc"};  // for 33 million pixels, 3 s and 45 s
  } else if (end == "jpg" || end == "jpeg") {
    format.encoders_ = {"jpegenc"};
  } else if (format.is_picture()) {
    throw WrongUsage(file +
                     ": the name must end in .mp4, .mkv, .mov, .webm, .mosaic, .png or .jpg");
  } else if (end == "webm") {
    format.encoders_ = {"vp9enc", "vp8enc"};
    format.sound_encoders_ = {"opusenc", "vorbisenc"};
  } else {
    format.holds_text_ = true;
    format.choose(codecs().front());
    format.sound_encoders_ = {"fdkaacenc", "avenc_aac", "voaacenc"};
  }
  if (codec.empty()) return format;
  const auto chosen = std::find_if(codecs().begin(), codecs().end(),
                                   [&](const Codec& other) { return other.name == codec; });
  // qtmux takes AV1 and VP9 into MOV, too, where they are not defined.
  const bool is_defined = end != "mov" || codec == "h264" || codec == "hevc";
  if (!format.is_film() || !is_defined || !format.can_hold(chosen->caps))
    throw WrongUsage("--codec " + codec + ": ." + end + " cannot hold it");
  format.choose(*chosen);
  return format;
}

void OutputFormat::choose(const Codec& codec) {
  encoders_ = codec.encoders;
  parser_ = codec.parser;
}

bool OutputFormat::has_hardware_encoder() const {
  return !encoders_.empty() && is_hardware(encoders_[0]) && have_element(encoders_[0]);
}

LinkedEncoder OutputFormat::link_encoder(PipelineLine& line, const Options& options,
                                         bool hardware) const {
  std::vector<std::string> choices = encoders_;
  if (!hardware) std::erase_if(choices, is_hardware);
  const std::string encoder = first_of(choices, options.output);
  if (!is_picture())
    return link_video_encoder(line, encoder, parser_, options.quality.value_or(kQuality),
                              options.encoder_threads);
  line.link(encoder);
  if (encoder == "jpegenc") line.set("quality", kPictureQuality);
  return {encoder, {}};
}

void OutputFormat::link_muxer(PipelineLine& line, bool texts) const {
  line.begin(muxer_).set("name", "out");
  // The index of an MP4 file is its end: without it nothing can be played. So it is written in
  // fragments, each with an index of its own, and gets a usual one at the end.
  // With subtitles that is not done: at the end, a flush takes back what was read in advance of
  // them (SideStreams), and sometimes mp4mux of GStreamer 1.22 then leaves only the first fragment.
  if (!texts && (muxer_ == "mp4mux" || muxer_ == "qtmux"))
    line.set("fragment-duration", 1000).set("fragment-mode", "first-moov-then-finalise");
}

std::string OutputFormat::parser() const {
  return parser_.empty() || !have_element(parser_) ? "" : parser_;
}

bool OutputFormat::can_hold(const std::string& caps) const {
  const Owned<GstObject> factory(GST_OBJECT(gst_element_factory_find(muxer_.c_str())));
  const Owned<GstCaps> stream(gst_caps_from_string(caps.c_str()));
  return factory && stream &&
         gst_element_factory_can_sink_any_caps(GST_ELEMENT_FACTORY(factory.get()), stream.get());
}

std::string OutputFormat::sound_encoder() const {
  return first_of(sound_encoders_, "sound");
}

}  // namespace mosaic_program
