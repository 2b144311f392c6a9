// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/output/video_encoder.h"

#include <gst/gst.h>

#include <algorithm>

#include "gst/pointers.h"
#include "program/output/elements.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

constexpr int kMostBits = 200'000'000;  // a second: VP8 and VP9 keep below their limit

/// An encoder that is being linked: its properties, as far as it has them.
class Encoder {
 public:
  Encoder(PipelineLine& line, const std::string& factory, int quality)
      : line_(line), factory_(factory), quality_(quality) {
    line.link(factory);
    made_.reset(gst_element_factory_make(factory.c_str(), nullptr));
    if (made_) gst_object_ref_sink(made_.get());
  }

  bool has(const char* property) const { return find(property) != nullptr; }

  Encoder& set(const char* property, const std::string& value) {
    line_.set(property, value);
    return *this;
  }
  Encoder& set(const char* property, int value) {
    line_.set(property, value);
    return *this;
  }

  /// Sets what means the quality, within the range of the property.
  Encoder& set_quality(const char* property) {
    int worst = quality_;
    const GParamSpec* spec = find(property);
    if (spec && G_IS_PARAM_SPEC_INT(spec)) worst = G_PARAM_SPEC_INT(spec)->maximum;
    if (spec && G_IS_PARAM_SPEC_UINT(spec))
      worst = static_cast<int>(std::min<guint>(G_PARAM_SPEC_UINT(spec)->maximum, G_MAXINT));
    line_.set(property, std::min(quality_, worst));
    if (quality_ > worst)
      notice_ = "--cq " + std::to_string(quality_) + ": " + std::to_string(worst) +
                " is taken, the worst quality of " + factory_;
    return *this;
  }

  LinkedEncoder linked() const { return {factory_, notice_}; }

 private:
  const GParamSpec* find(const char* property) const {
    return made_ ? g_object_class_find_property(G_OBJECT_GET_CLASS(made_.get()), property)
                 : nullptr;
  }

  PipelineLine& line_;
  std::string factory_, notice_;
  int quality_;
  Owned<GstElement> made_;
};

void set_up_nvidia(Encoder& encoder) {
  encoder.set("rc-mode", "constqp");
  // One number in older GStreamer, one for each kind of picture in newer.
  for (const char* property : {"qp-const", "qp-const-i", "qp-const-p", "qp-const-b"})
    if (encoder.has(property)) encoder.set_quality(property);
}

void set_up_vp(Encoder& encoder, int threads) {
  encoder.set("end-usage", "cq")
      .set_quality("cq-level")
      .set("target-bitrate", kMostBits)
      // With frames in advance, vp9enc of GStreamer 1.22 loses the last ones at the end.
      .set("lag-in-frames", 0)
      .set("deadline", 1)
      .set("cpu-used", 5)
      .set("threads", threads);
}

void set_up_av1(Encoder& encoder, int threads) {
  encoder.set("end-usage", "q")
      .set_quality("min-quantizer")
      .set_quality("max-quantizer")
      .set("usage-profile", "realtime")
      .set("cpu-used", 8)
      .set("row-mt", "true")
      .set("threads", threads);
}

/// @param threads 0: as the encoder likes, or one a core
void set_up(Encoder& encoder, const std::string& factory, int threads) {
  const int some = threads > 0 ? threads : static_cast<int>(g_get_num_processors());
  if (is_hardware(factory))
    set_up_nvidia(encoder);
  else if (factory == "x264enc")
    // Without a limit of the rate, which is 2 Mbit/s unless set: it would override the quality, and
    // has threads encode in another way each time.
    encoder.set("pass", "qual").set_quality("quantizer").set("vbv-buf-capacity", 0);
  else if (factory == "x265enc")
    encoder.set("speed-preset", "fast").set_quality("qp");
  else if (factory == "openh264enc")
    encoder.set("rate-control", "off").set_quality("qp-min").set_quality("qp-max");
  else if (factory == "av1enc")
    set_up_av1(encoder, some);
  else
    set_up_vp(encoder, some);
  if (threads == 0) return;
  if (factory == "x264enc") encoder.set("threads", threads);
  if (factory == "openh264enc") encoder.set("multi-thread", 1);
  if (factory == "x265enc")
    encoder.set("option-string", "frame-threads=" + std::to_string(threads));
}

}  // namespace

const std::vector<Codec>& codecs() {
  static const std::vector<Codec> all = {
      {"h264", "video/x-h264", {"nvh264enc", "x264enc", "openh264enc"}, "h264parse"},
      {"hevc", "video/x-h265", {"nvh265enc", "x265enc"}, "h265parse"},
      {"av1", "video/x-av1", {"av1enc"}, "av1parse"},
      {"vp9", "video/x-vp9", {"vp9enc"}, "vp9parse"},
  };
  return all;
}

bool is_hardware(const std::string& element) {
  return element.starts_with("nv");
}

LinkedEncoder link_video_encoder(PipelineLine& line, const std::string& factory,
                                 const std::string& parser, int quality, int threads) {
  // Few players show what encoders make of more than 8 bits or of chroma in full resolution.
  line.link(is_hardware(factory) ? "video/x-raw(ANY),format=NV12" : "video/x-raw,format=I420");
  Encoder encoder(line, factory, quality);
  set_up(encoder, factory, threads);
  if (!parser.empty() && have_element(parser)) line.link(parser);
  return encoder.linked();
}

}  // namespace mosaic_program
