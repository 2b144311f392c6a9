// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/pipeline/output_format.h"

#include <algorithm>
#include <memory>

#include "program/extension.h"
#include "program/failure.h"

namespace mosaic_program {
namespace {

constexpr int kQuality = 21;            // a mosaic is full of detail, so this is better than usual
constexpr int kPictureQuality = 95;     // of JPEG, in percent
constexpr int kMostBits = 200'000'000;  // a second: VP8 and VP9 keep below their limit

bool has_property(const std::string& element, const char* property) {
  GstElement* made = gst_element_factory_make(element.c_str(), nullptr);
  if (!made) return false;
  gst_object_ref_sink(made);
  const bool found = g_object_class_find_property(G_OBJECT_GET_CLASS(made), property);
  gst_object_unref(made);
  return found;
}

/// The first that is installed.
std::string first_of(const std::vector<std::string>& elements, const std::string& what) {
  const auto found = std::find_if(elements.begin(), elements.end(), have_element);
  if (found != elements.end()) return *found;
  std::string names;
  for (const std::string& name : elements) names += (names.empty() ? "" : ", ") + name;
  throw Failure("GStreamer has no encoder for " + what + " (install one of " + names + ")");
}

void link_h264(PipelineLine& line, const std::string& encoder, int quality) {
  line.link(encoder);
  if (encoder == "x264enc") {
    line.set("pass", "qual").set("quantizer", quality);
  } else if (encoder == "nvh264enc") {
    line.set("rc-mode", "constqp");
    // One number in older GStreamer, one for each kind of picture in newer.
    for (const char* property : {"qp-const", "qp-const-i", "qp-const-p", "qp-const-b"})
      if (has_property(encoder, property)) line.set(property, quality);
  } else {
    line.set("rate-control", "off").set("qp-min", quality).set("qp-max", quality);
  }
  line.link("h264parse");
}

void link_vp(PipelineLine& line, const std::string& encoder, int quality) {
  line.link(encoder)
      .set("end-usage", "cq")
      .set("cq-level", quality)
      .set("target-bitrate", kMostBits)
      // With frames in advance, vp9enc of GStreamer 1.22 loses the last ones at the end.
      .set("lag-in-frames", 0)
      .set("deadline", 1)
      .set("cpu-used", 5)
      .set("threads", static_cast<int>(g_get_num_processors()));
}

}  // namespace

bool have_element(const std::string& name) {
  GstElementFactory* factory = gst_element_factory_find(name.c_str());
  if (factory) gst_object_unref(factory);
  return factory != nullptr;
}

OutputFormat OutputFormat::of(const std::string& file) {
  const std::vector<std::string> h264 = {"nvh264enc", "x264enc", "openh264enc"};
  const std::vector<std::string> aac = {"fdkaacenc", "avenc_aac", "voaacenc"};
  const std::string end = extension_of(file);
  OutputFormat format;
  if (end == "mp4" || end == "m4v") {
    format.muxer_ = "mp4mux";
  } else if (end == "mov") {
    format.muxer_ = "qtmux";
  } else if (end == "mkv") {
    format.muxer_ = "matroskamux";
  } else if (end == "webm") {
    format.muxer_ = "webmmux";
    format.encoders_ = {"vp9enc", "vp8enc"};
    format.sound_encoders_ = {"opusenc", "vorbisenc"};
    return format;
  } else if (end == "png") {
    format.encoders_ = {"avenc_png", "pngenc"};  // for 33 million pixels, 3 s and 45 s
    return format;
  } else if (end == "jpg" || end == "jpeg") {
    format.encoders_ = {"jpegenc"};
    return format;
  } else {
    throw WrongUsage(file + ": the name must end in .mp4, .mkv, .mov, .webm, .png or .jpg");
  }
  format.holds_text_ = true;
  format.encoders_ = h264;
  format.sound_encoders_ = aac;
  return format;
}

bool OutputFormat::has_hardware_encoder() const {
  return !encoders_.empty() && encoders_[0] == "nvh264enc" && have_element(encoders_[0]);
}

std::string OutputFormat::link_encoder(PipelineLine& line, const Options& options,
                                       bool hardware) const {
  std::vector<std::string> choices = encoders_;
  if (!hardware) std::erase(choices, "nvh264enc");
  const std::string encoder = first_of(choices, options.output);
  const int quality = options.quality.value_or(kQuality);
  // Few players show what encoders make of more than 8 bits or of chroma in full resolution.
  if (!is_picture())
    line.link(hardware ? "video/x-raw(ANY),format=NV12" : "video/x-raw,format=I420");
  if (encoder == "jpegenc")
    line.link(encoder).set("quality", kPictureQuality);
  else if (is_picture())
    line.link(encoder);
  else if (encoder.starts_with("vp"))
    link_vp(line, encoder, quality);
  else
    link_h264(line, encoder, quality);
  return encoder;
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

bool OutputFormat::can_hold(const std::string& caps) const {
  GstElementFactory* factory = gst_element_factory_find(muxer_.c_str());
  GstCaps* stream = gst_caps_from_string(caps.c_str());
  const bool can = factory && stream && gst_element_factory_can_sink_any_caps(factory, stream);
  if (stream) gst_caps_unref(stream);
  if (factory) gst_object_unref(factory);
  return can;
}

std::string OutputFormat::sound_encoder() const {
  return first_of(sound_encoders_, "sound");
}

}  // namespace mosaic_program
