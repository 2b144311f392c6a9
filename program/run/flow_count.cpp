// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/run/flow_count.h"

#include <algorithm>

#include "gst/pointers.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

constexpr GstClockTime kTolerance =
    GST_SECOND / 2;  // between what containers say and what is there

std::string seconds_text(GstClockTime time) {
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];
  return g_ascii_formatd(text, sizeof text, "%.1f",
                         static_cast<double>(time) / static_cast<double>(GST_SECOND));
}

std::string of_pictures(guint64 some, guint64 all, const std::string& input) {
  return std::to_string(some) + " of " + std::to_string(all) + " pictures of " + input;
}

bool is_video(GstPad* pad) {
  const Owned<GstCaps> caps(gst_pad_get_current_caps(pad));
  const gchar* name =
      caps ? gst_structure_get_name(gst_caps_get_structure(caps.get(), 0)) : nullptr;
  return name && (g_str_has_prefix(name, "video/") || g_str_has_prefix(name, "image/"));
}

void raise_to(std::atomic<guint64>& greatest, guint64 value) {
  guint64 before = greatest;
  while (before < value && !greatest.compare_exchange_weak(before, value)) {
  }
}

}  // namespace

FlowCount::FlowCount(GstElement* pipeline) {
  // A film that is joined is not drawn.
  if (const Owned<GstElement> mosaic(gst_bin_get_by_name(GST_BIN(pipeline), "mosaic")); mosaic) {
    const Owned<GstPad> sink(gst_element_get_static_pad(mosaic.get(), "sink"));
    gst_pad_add_probe(sink.get(), GST_PAD_PROBE_TYPE_BUFFER, &FlowCount::on_decoded, this, nullptr);
    const Owned<GstPad> source(gst_element_get_static_pad(mosaic.get(), "src"));
    count(source.get(), drawn_);
  }
  if (const Owned<GstElement> muxer(gst_bin_get_by_name(GST_BIN(pipeline), "out")); muxer) {
    for (GList* l = muxer->sinkpads; l; l = l->next) {
      if (g_str_has_prefix(GST_PAD_NAME(l->data), "video_")) count(GST_PAD(l->data), written_);
      if (g_str_has_prefix(GST_PAD_NAME(l->data), "audio_"))
        count(GST_PAD(l->data), sounds_.emplace_back(0));
    }
  } else {
    const Owned<GstIterator> sinks(gst_bin_iterate_sinks(GST_BIN(pipeline)));
    gst_iterator_foreach(
        sinks.get(),
        [](const GValue* value, gpointer self) {
          auto* element = GST_ELEMENT(g_value_get_object(value));
          const Owned<GstPad> pad(gst_element_get_static_pad(element, "sink"));
          if (pad)
            static_cast<FlowCount*>(self)->count(pad.get(),
                                                 static_cast<FlowCount*>(self)->written_);
        },
        this);
  }
  if (const Owned<GstElement> in(gst_bin_get_by_name(GST_BIN(pipeline), "in")); in)
    g_signal_connect(in.get(), "pad-added",
                     G_CALLBACK(+[](GstElement*, GstPad* pad, gpointer self) {
                       static_cast<FlowCount*>(self)->measure_read(pad);
                     }),
                     this);
}

void FlowCount::count(GstPad* pad, Counter& counter) {
  gst_pad_add_probe(
      pad, GST_PAD_PROBE_TYPE_BUFFER,
      [](GstPad*, GstPadProbeInfo*, gpointer data) {
        ++*static_cast<Counter*>(data);
        return GST_PAD_PROBE_OK;
      },
      &counter, nullptr);
}

void FlowCount::measure_read(GstPad* pad) {
  gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, &FlowCount::on_read, this, nullptr);
}

GstPadProbeReturn FlowCount::on_read(GstPad* pad, GstPadProbeInfo* info, gpointer data) {
  auto& self = *static_cast<FlowCount*>(data);
  const GstBuffer* buffer = GST_PAD_PROBE_INFO_BUFFER(info);
  // Theora's headers, for example, come before the pictures.
  const bool is_header =
      GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_HEADER) && !GST_BUFFER_PTS_IS_VALID(buffer);
  // What nothing is linked with is not decoded: covers, other languages' pictures.
  if (GST_PAD_IS_LINKED(pad) && is_video(pad) && !is_header) ++self.read_;
  const Owned<GstEvent> event(gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0));
  if (!event || !GST_BUFFER_PTS_IS_VALID(buffer)) return GST_PAD_PROBE_OK;
  const GstSegment* segment = nullptr;
  gst_event_parse_segment(event.get(), &segment);
  if (segment->format != GST_FORMAT_TIME) return GST_PAD_PROBE_OK;
  GstClockTime end = GST_BUFFER_PTS(buffer);
  if (GST_BUFFER_DURATION_IS_VALID(buffer)) end += GST_BUFFER_DURATION(buffer);
  if (GST_CLOCK_TIME_IS_VALID(segment->stop)) end = std::min(end, segment->stop);
  end = gst_segment_to_stream_time(segment, GST_FORMAT_TIME, end);
  if (GST_CLOCK_TIME_IS_VALID(end)) raise_to(self.read_end_, end);
  return GST_PAD_PROBE_OK;
}

GstPadProbeReturn FlowCount::on_decoded(GstPad*, GstPadProbeInfo* info, gpointer data) {
  auto& self = *static_cast<FlowCount*>(data);
  const GstBuffer* buffer = GST_PAD_PROBE_INFO_BUFFER(info);
  ++self.decoded_;
  if (GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_CORRUPTED)) ++self.damaged_;
  const GstClockTime time = GST_BUFFER_PTS(buffer);
  if (GST_CLOCK_TIME_IS_VALID(time)) {
    if (GST_CLOCK_TIME_IS_VALID(self.last_decoded_) && time > self.last_decoded_)
      raise_to(self.longest_gap_, time - self.last_decoded_);
    self.last_decoded_ = time;
  }
  return GST_PAD_PROBE_OK;
}

std::vector<std::string> FlowCount::losses(const Plan& plan, const std::string& input) const {
  std::vector<std::string> losses;
  // How long the last picture is shown, no container needs to say.
  const GstClockTime tolerance = kTolerance + 2 * longest_gap_;
  if (GST_CLOCK_TIME_IS_VALID(plan.promised) && read_end_ + tolerance < plan.promised)
    losses.push_back(input + " ends after " + seconds_text(read_end_) + " of the " +
                     seconds_text(plan.promised) + " seconds that it promises");
  if (plan.same_frames && decoded_ < read_)
    losses.push_back(of_pictures(read_ - decoded_, read_, input) + " could not be decoded");
  if (damaged_ > 0) losses.push_back(of_pictures(damaged_, decoded_, input) + " are damaged");
  int track = 0;
  for (const Counter& packets : sounds_)
    if (++track; packets == 0 && plan.start == 0)
      losses.push_back("nothing of the sound (track " + std::to_string(track) + ") of " + input +
                       " was written");
  if (losses.empty() && complaints_) losses.push_back(input + " is damaged");
  return losses;
}

std::vector<std::string> FlowCount::unwritten(const Plan& plan, const std::string& output) const {
  std::vector<std::string> losses;
  if (!plan.encoder.empty() && written_ != drawn_)
    losses.push_back(std::to_string(drawn_) + " frames were drawn, but " +
                     std::to_string(written_) + " written to " + output);
  return losses;
}

}  // namespace mosaic_program
